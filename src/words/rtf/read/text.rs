//! State of each text: the main text or a note. Reads nothing itself.

use super::{labels::Labels, margin::Margin};

/// A text that is open.
#[derive(Default)]
pub(super) struct Text {
    /// The label of the paragraph, from a group of its own.
    pub(super) label: String,
    /// The lists that have their labels in the text.
    pub(super) labels: Labels,
    /// The level of the group that it ends with.
    pub(super) group: usize,
    /// Kind of a header or footer, and the number of bytes of the file that were left where it began.
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
