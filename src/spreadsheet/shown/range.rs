//! A rectangle of cells.

/// A rectangle of cells. Both ends belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    /// Row and column from 0.
    pub(crate) first: (u32, u32),
    pub(crate) last: (u32, u32),
}

impl Range {
    pub(crate) fn contains(&self, row: u32, column: u32) -> bool {
        (self.first.0..=self.last.0).contains(&row)
            && (self.first.1..=self.last.1).contains(&column)
    }
}
