//! Ranges and arrays of values that functions take. Evaluates no formula.

use crate::shown::book::Value;

/// A rectangle of cells of a sheet. Both ends belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) sheet: usize,
    /// Row and column, from 0.
    pub(super) first: (u32, u32),
    pub(super) last: (u32, u32),
}

impl Area {
    pub(super) fn rows(&self) -> u32 {
        self.last.0 - self.first.0 + 1
    }

    pub(super) fn columns(&self) -> u32 {
        self.last.1 - self.first.1 + 1
    }

    pub(super) fn count(&self) -> u64 {
        u64::from(self.rows()) * u64::from(self.columns())
    }

    /// The places of its cells, row by row.
    pub(super) fn places(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let columns = self.first.1..=self.last.1;
        (self.first.0..=self.last.0)
            .flat_map(move |row| columns.clone().map(move |column| (row, column)))
    }

    /// The part of it in a row or a column, counted from 1; 0 for all. `None` beyond its ends.
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

    /// The same, without what lies beyond the last row and column with cells, if it reaches to the end of the sheet.
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

/// Rows of values, each as long as the others.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Array {
    pub(super) columns: usize,
    pub(super) values: Vec<Value>,
}

impl Array {
    pub(super) fn one(value: Value) -> Self {
        Self {
            columns: 1,
            values: vec![value],
        }
    }

    pub(super) fn rows(&self) -> usize {
        self.values.len() / self.columns.max(1)
    }

    /// The value at a place, as operators see it: a single row or column is repeated.
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
            .unwrap_or_else(|| Value::Error(super::values::NOT_THERE.into()))
    }
}
