//! What is kept for each text of its own while it is read: the document's, and each note's.

use crate::document::office::{Flow, Line};

/// A text of its own.
#[derive(Default)]
pub(super) struct Story {
    pub(super) flow: Flow,
    pub(super) line: Line,
    /// The group that it ends with.
    pub(super) group: usize,
    /// It is the document's own text.
    pub(super) main: bool,
    /// It is a note, and its number stands in front of its text.
    pub(super) note: bool,
    /// The tables that are open, each in a cell of the one before.
    pub(super) tables: Vec<OpenTable>,
}

/// A table that is open, and what is open of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct OpenTable {
    pub(super) row: bool,
    pub(super) cell: bool,
    /// A table in the cell has just ended.
    pub(super) after_table: bool,
    /// The number of the next cell of the row.
    pub(super) at: usize,
}
