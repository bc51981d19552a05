//! References to cells and ranges in the tokens of a formula (MS-XLS 2.5.198.105, MS-XLSB 2.5.97.84). Resolves no
//! sheets.

use super::Reader;
use crate::{cells::letters, containers::fields::Fields};

impl Reader<'_, '_> {
    /// Reads a row number.
    fn row_at(&self, fields: Fields<'_>, at: usize) -> u32 {
        match self.scope.is_wide {
            true => fields.u32(at),
            false => fields.u16(at).into(),
        }
    }

    /// Resolves one corner of a reference: the row and whether it is relative, and the same for the column. In shared
    /// formulas, relative parts are distances from the cell.
    fn end(&self, row: u32, column: u16, is_distance: bool) -> ((u32, bool), (u32, bool)) {
        let (moves_row, moves_column) = (column & 0x8000 != 0, column & 0x4000 != 0);
        let column = u32::from(column & 0x3fff);
        let (rows, columns) = self.limits();
        // Distances are modular: a negative one wraps around at the end of the sheet.
        let moved = |at: u32, by: u32, most: u32, moves: bool| match moves && is_distance {
            true => at.wrapping_add(by) % most,
            false => by,
        };
        (
            (moved(self.cell.0, row, rows, moves_row), moves_row),
            (
                moved(self.cell.1, column, columns, moves_column),
                moves_column,
            ),
        )
    }

    /// Number of rows and columns of a sheet.
    fn limits(&self) -> (u32, u32) {
        match self.scope.is_wide {
            true => (1 << 20, 1 << 14),
            false => (1 << 16, 1 << 8),
        }
    }

    /// Translates a reference to a cell.
    pub(super) fn place(&self, fields: Fields<'_>, is_distance: bool, sheets: &str) -> String {
        let row = self.row_at(fields, 0);
        let (row, column) = self.end(row, fields.u16(self.row()), is_distance);
        format!("{sheets}{}{}", column_name(column), row_name(row))
    }

    /// Translates a reference to a range. A range over all rows or columns is written as whole columns (`A:C`) or
    /// rows (`1:3`).
    pub(super) fn area(&self, fields: Fields<'_>, is_distance: bool, sheets: &str) -> String {
        let size = self.row();
        let (top, bottom) = (self.row_at(fields, 0), self.row_at(fields, size));
        let first = self.end(top, fields.u16(2 * size), is_distance);
        let last = self.end(bottom, fields.u16(2 * size + 2), is_distance);
        let (rows, columns) = self.limits();
        let (one, other) = match () {
            () if first.0.0 == 0 && last.0.0 == rows - 1 => {
                (column_name(first.1), column_name(last.1))
            }
            () if first.1.0 == 0 && last.1.0 == columns - 1 => {
                (row_name(first.0), row_name(last.0))
            }
            () => (
                column_name(first.1) + &row_name(first.0),
                column_name(last.1) + &row_name(last.0),
            ),
        };
        format!("{sheets}{one}:{other}")
    }
}

/// Column letters, with a dollar sign if the reference is absolute.
fn column_name((column, moves): (u32, bool)) -> String {
    format!("{}{}", if moves { "" } else { "$" }, letters(column))
}

/// Row number, with a dollar sign if the reference is absolute.
fn row_name((row, moves): (u32, bool)) -> String {
    format!("{}{}", if moves { "" } else { "$" }, u64::from(row) + 1)
}
