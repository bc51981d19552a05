//! State of each text: the main text or a note. Reads nothing itself.

use super::{labels::Labels, margin::Margin};

/// An open text.
#[derive(Default)]
pub(super) struct Text {
    /// Label of the paragraph's list item, if it has a group of its own.
    pub(super) label: String,
    /// Lists whose labels are part of the text.
    pub(super) labels: Labels,
    /// Nesting depth of the group that ends the text.
    pub(super) group: usize,
    /// Kind of a header or footer, and the number of bytes of the file that were left at its beginning.
    pub(super) margin: Option<(Margin, usize)>,
    /// Open tables, outermost first. Each is in a cell of the previous table.
    pub(super) tables: Vec<OpenTable>,
}

/// Open table, and whether a row and a cell of it are open.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct OpenTable {
    pub(super) row: bool,
    pub(super) cell: bool,
    /// Whether a nested table has just ended in the cell.
    pub(super) after_table: bool,
    /// Index of the next cell in the row.
    pub(super) at: usize,
}
