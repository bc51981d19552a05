//! State of each text: the main text or a note. Reads nothing itself.

use super::{labels::Labels, margin::Margin};

/// A text that is open.
#[derive(Default)]
pub(super) struct Text {
    /// Label of the paragraph's list item, which RTF stores in a group of its own.
    pub(super) label: String,
    /// Lists whose labels are part of the text.
    pub(super) labels: Labels,
    /// Nesting level of the group whose end closes the text.
    pub(super) group: usize,
    /// Kind of a header or footer, and the number of unread bytes of the file at its beginning.
    pub(super) margin: Option<(Margin, usize)>,
    /// The open tables. Each is in a cell of the one before.
    pub(super) tables: Vec<OpenTable>,
}

/// An open table: whether a row and a cell of it are open.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct OpenTable {
    pub(super) row: bool,
    pub(super) cell: bool,
    /// Whether a nested table has just ended in the cell.
    pub(super) after_table: bool,
    /// The index of the next cell of the row.
    pub(super) at: usize,
}
