//! Geometry of a table, however it was recognised.

/// A table: its edges, and cells that cover the table without overlap.
#[derive(Debug, PartialEq)]
pub(crate) struct Grid {
    /// Left and right edge, in points.
    pub(crate) x: (f32, f32),
    /// Top and bottom edge, in points.
    pub(crate) y: (f32, f32),
    /// Number of rows.
    pub(crate) rows: usize,
    /// Number of columns.
    pub(crate) columns: usize,
    /// Cells, row by row.
    pub(crate) cells: Vec<GridCell>,
    /// Number of header rows. 0 if it is not known.
    pub(crate) heads: usize,
}

/// A cell of a table.
#[derive(Debug, PartialEq)]
pub(crate) struct GridCell {
    /// First row, from 0.
    pub(crate) row: usize,
    /// First column, from 0.
    pub(crate) column: usize,
    /// Number of rows that the cell spans.
    pub(crate) rows: usize,
    /// Number of columns that the cell spans.
    pub(crate) columns: usize,
    /// Indexes of the letters in it.
    pub(crate) letters: Vec<u32>,
}
