//! Cells of a sheet part (MS-XLSB 2.1.7.62), for rows and for whole workbooks. Resolves no shared strings and no styles.
//!
//! `FORMULA_*` are cells with a formula and its result; `COMPRESSED` is an RK number, `SHARED` a shared string, `RICH` a
//! text with several fonts.

use crate::{
    biff::{self, Record},
    cells::COLUMNS,
    error::Result,
    job::Job,
    stored::{Losses, Stored},
};

/// Beginning of a row (`BrtRowHdr`).
pub(super) const ROW: u16 = 0;
/// Cell with a style only (`BrtCellBlank`).
pub(super) const CELL_EMPTY: u16 = 1;
/// Cell with a number in four bytes (`BrtCellRk`).
const CELL_COMPRESSED: u16 = 2;
/// Cell with an error (`BrtCellError`).
const CELL_ERROR: u16 = 3;
/// Cell with a boolean (`BrtCellBool`).
const CELL_BOOLEAN: u16 = 4;
/// Cell with a number (`BrtCellReal`).
const CELL_NUMBER: u16 = 5;
/// Cell with plain text (`BrtCellSt`).
const CELL_TEXT: u16 = 6;
/// Cell with a shared string (`BrtCellIsst`).
const CELL_SHARED: u16 = 7;
/// Formula with a text as its result (`BrtFmlaString`).
pub(super) const FORMULA_TEXT: u16 = 8;
/// Formula with a number as its result (`BrtFmlaNum`).
const FORMULA_NUMBER: u16 = 9;
/// Formula with a boolean as its result (`BrtFmlaBool`).
const FORMULA_BOOLEAN: u16 = 10;
/// Formula with an error as its result (`BrtFmlaError`).
pub(super) const FORMULA_ERROR: u16 = 11;
/// Cell with formatted text (`BrtCellRString`).
pub(super) const CELL_RICH: u16 = 62;

/// A cell.
pub(super) struct Cell<'t> {
    /// Column, from 0.
    pub(super) column: u32,
    /// Number of the cell style.
    pub(super) style: u32,
    pub(super) value: Stored<'t>,
    /// Offset of the end of the value in the record, where a formula follows.
    #[cfg_attr(not(feature = "document"), allow(dead_code))]
    pub(super) end: usize,
}

/// Reads the cell of a record in a row; `text` is a buffer for its text. `None` if it lies beyond the last column.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) for a damaged text.
pub(super) fn cell<'t>(
    job: &Job<'_>,
    row: u32,
    record: Record<'_>,
    text: &'t mut String,
    losses: &mut Losses,
) -> Result<Option<Cell<'t>>> {
    let column = record.u32(0);
    if column >= COLUMNS {
        losses.beyond += u64::from(record.kind != CELL_EMPTY);
        return Ok(None);
    }
    text.clear();
    let (value, end) = match record.kind {
        CELL_COMPRESSED => (Stored::number(biff::compressed(record.u32(8))), 12),
        CELL_NUMBER | FORMULA_NUMBER => (Stored::number(record.f64(8)), 16),
        CELL_BOOLEAN | FORMULA_BOOLEAN => (Stored::Boolean(record.u8(8) != 0), 9),
        CELL_ERROR | FORMULA_ERROR => (Stored::Error(biff::error(record.u8(8))), 9),
        CELL_SHARED => (Stored::Shared(record.u32(8) as usize), 12),
        CELL_TEXT | FORMULA_TEXT | CELL_RICH => {
            // A byte of flags precedes a text with several fonts.
            let at = 8 + usize::from(record.kind == CELL_RICH);
            let end = record
                .text(at, text)
                .ok_or_else(|| job.unreadable(format!("a cell in row {} is damaged", row + 1)))?;
            (Stored::text(text), end)
        }
        _ => (Stored::Empty, 8),
    };
    Ok(Some(Cell {
        column,
        style: record.u32(4) & 0xff_ffff,
        value,
        end,
    }))
}
