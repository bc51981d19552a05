//! The state of each flow of text: the main text or a note. Reads nothing itself.

use super::labels::Labels;
use crate::document::office::{Flow, Line};

/// A flow of text.
#[derive(Default)]
pub(super) struct Story {
    pub(super) flow: Flow,
    pub(super) line: Line,
    /// The label of the paragraph, from a group of its own.
    pub(super) label: String,
    /// The lists that have their labels in the text.
    pub(super) labels: Labels,
    /// The level of the group that it ends with.
    pub(super) group: usize,
    /// Whether this is the main text.
    pub(super) main: bool,
    /// Whether this is a note whose first paragraph, with the number of the note in front, is still to come.
    pub(super) note: bool,
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
