//! The geometry of a table, whichever way it was found.

/// A table.
#[derive(Debug, PartialEq)]
pub(crate) struct Grid {
    pub(crate) x: (f32, f32),
    pub(crate) y: (f32, f32),
    /// Number of rows and columns.
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// Row by row.
    pub(crate) cells: Vec<GridCell>,
    /// Number of header rows, as far as it is known.
    pub(crate) heads: usize,
}

/// A cell.
#[derive(Debug, PartialEq)]
pub(crate) struct GridCell {
    pub(crate) row: usize,
    pub(crate) column: usize,
    /// Number of rows and columns that it spans.
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// The letters in it, by their indices.
    pub(crate) letters: Vec<u32>,
}
