//! Ranges and arrays of values, the arguments of functions. Evaluates no formula.

use crate::shown::book::Value;

/// A rectangle of cells on a sheet. `first` and `last` both belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    /// Index of the sheet.
    pub(super) sheet: usize,
    /// Row and column of the upper left cell, from 0.
    pub(super) first: (u32, u32),
    /// Row and column of the lower right cell, from 0.
    pub(super) last: (u32, u32),
}

impl Area {
    /// Number of rows.
    pub(super) fn rows(&self) -> u32 {
        self.last.0 - self.first.0 + 1
    }

    /// Number of columns.
    pub(super) fn columns(&self) -> u32 {
        self.last.1 - self.first.1 + 1
    }

    /// Number of cells.
    pub(super) fn count(&self) -> u64 {
        u64::from(self.rows()) * u64::from(self.columns())
    }

    /// Row and column of each cell, row by row.
    pub(super) fn places(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let columns = self.first.1..=self.last.1;
        (self.first.0..=self.last.0)
            .flat_map(move |row| columns.clone().map(move |column| (row, column)))
    }

    /// Returns a row, a column or a cell of the area, or all of it. Numbers count from 1 and 0 stands for all, as in
    /// `INDEX`. `None` past the end.
    pub(super) fn part(&self, row: u32, column: u32) -> Option<Self> {
        let one = |number: u32, first: u32, last: u32| match number {
            0 => Some((first, last)),
            _ => Some(first + (number - 1))
                .filter(|at| *at <= last)
                .map(|at| (at, at)),
        };
        let rows = one(row, self.first.0, self.last.0)?;
        let columns = one(column, self.first.1, self.last.1)?;
        Some(Self {
            sheet: self.sheet,
            first: (rows.0, columns.0),
            last: (rows.1, columns.1),
        })
    }

    /// Cuts an area that reaches to the end of the sheet (`A:A`, `1:1`) at the last row and column with cells.
    pub(super) fn clipped(mut self, (rows, columns): (u32, u32)) -> Self {
        use crate::cells::{COLUMNS, MAX_ROWS};
        if self.last.0 == MAX_ROWS - 1 {
            self.last.0 = rows.saturating_sub(1).max(self.first.0);
        }
        if self.last.1 == COLUMNS - 1 {
            self.last.1 = columns.saturating_sub(1).max(self.first.1);
        }
        self
    }
}

/// A rectangular array of values, row by row. All rows have the same length.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Array {
    /// Length of a row.
    pub(super) columns: usize,
    /// Values of all rows.
    pub(super) values: Vec<Value>,
}

impl Array {
    /// Creates an array of a single value.
    pub(super) fn one(value: Value) -> Self {
        Self {
            columns: 1,
            values: vec![value],
        }
    }

    /// Number of rows.
    pub(super) fn rows(&self) -> usize {
        self.values.len() / self.columns.max(1)
    }

    /// Value at a row and column, for operators on arrays of different sizes: a single row or column is repeated;
    /// outside of any other array, the value is `#N/A`.
    pub(super) fn at(&self, row: usize, column: usize) -> Value {
        let row = if self.rows() == 1 { 0 } else { row };
        let column = if self.columns == 1 { 0 } else { column };
        let inside = column < self.columns && row < self.rows();
        let value = self
            .values
            .get(row * self.columns + column)
            .filter(|_| inside);
        value
            .cloned()
            .unwrap_or_else(|| Value::Error(super::values::NOT_AVAILABLE.into()))
    }
}
