//! A rectangle of cells.

use crate::cells::{Ends, span};

/// A rectangle of cells. Both ends belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    /// Row and column from 0.
    pub(crate) first: (u32, u32),
    pub(crate) last: (u32, u32),
}

impl Range {
    /// Parses a reference such as `$A$1:$C$9`, `1:2` or `A:C`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        span(text).map(Self::between)
    }

    /// Between these rows and columns, or all of them: as many as Excel has.
    pub(crate) fn between((rows, columns): (Option<Ends>, Option<Ends>)) -> Self {
        let rows = rows.unwrap_or((0, 1_048_575));
        let columns = columns.unwrap_or((0, 16_383));
        Self {
            first: (rows.0, columns.0),
            last: (rows.1, columns.1),
        }
    }

    pub(crate) fn contains(&self, row: u32, column: u32) -> bool {
        (self.first.0..=self.last.0).contains(&row)
            && (self.first.1..=self.last.1).contains(&column)
    }
}
