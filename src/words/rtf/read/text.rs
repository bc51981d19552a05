//! State of each text: the main text, a note, a header or a footer. Reads nothing itself.

use super::{labels::Labels, margin::Margin};

/// An open text.
#[derive(Default)]
pub(super) struct Text {
    /// Label of the paragraph's list item, if the file states the label in a group of its own.
    pub(super) label: String,
    /// Lists whose labels are part of the text.
    pub(super) labels: Labels,
    /// Nesting depth of the group that ends the text.
    pub(super) group: usize,
    /// For a header or footer, its kind, and the number of bytes from its beginning to the end of the file.
    pub(super) margin: Option<(Margin, usize)>,
    /// Whether the text is a note.
    pub(super) is_note: bool,
    /// Open tables, outermost first. Each is in a cell of the previous table.
    pub(super) tables: Vec<OpenTable>,
}

/// An open table.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct OpenTable {
    /// Whether a row of the table is open.
    pub(super) row: bool,
    /// Whether a cell of the table is open.
    pub(super) cell: bool,
    /// Whether a nested table has just ended in the cell.
    pub(super) after_table: bool,
    /// Index of the next cell in the row.
    pub(super) at: usize,
}
