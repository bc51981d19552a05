//! A rectangle of cells, and its notation. Does not depend on a sheet.

use crate::cells::{Interval, span};

/// A rectangle of cells. `first` and `last` both belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    /// Row and column of the upper left cell, from 0.
    pub(crate) first: (u32, u32),
    /// Row and column of the lower right cell, from 0.
    pub(crate) last: (u32, u32),
}

impl Range {
    /// Parses a reference such as `$A$1:$C$9`, `1:2` or `A:C`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        span(text).map(Self::between)
    }

    /// Creates a range from rows and columns. `None` stands for all rows or all columns of a sheet of Excel.
    pub(crate) fn between((rows, columns): (Option<Interval>, Option<Interval>)) -> Self {
        let rows = rows.unwrap_or((0, 1_048_575));
        let columns = columns.unwrap_or((0, 16_383));
        Self {
            first: (rows.0, columns.0),
            last: (rows.1, columns.1),
        }
    }

    /// Returns whether a cell belongs to the range.
    pub(crate) fn contains(&self, row: u32, column: u32) -> bool {
        (self.first.0..=self.last.0).contains(&row)
            && (self.first.1..=self.last.1).contains(&column)
    }
}
