//! Geometry of a table, however it was recognised.

/// A table: its edges in points, and cells that cover it without overlap.
#[derive(Debug, PartialEq)]
pub(crate) struct Grid {
    pub(crate) x: (f32, f32),
    pub(crate) y: (f32, f32),
    /// Number of rows and columns.
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// Cells, row by row.
    pub(crate) cells: Vec<GridCell>,
    /// Number of header rows. 0 if it is not known.
    pub(crate) heads: usize,
}

/// A cell with its first row and column, from 0.
#[derive(Debug, PartialEq)]
pub(crate) struct GridCell {
    pub(crate) row: usize,
    pub(crate) column: usize,
    /// Number of rows and columns spanned.
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// Indexes of the letters in it.
    pub(crate) letters: Vec<u32>,
}
