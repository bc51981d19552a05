//! State of a text that is being read. Contains only data.

use super::resolved::Resolved;
use crate::wordprocessing::{fields::WordField, flow::Flow, line::Line, properties::RunProperties};
use std::rc::Rc;

/// Place of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// The main text.
    Main,
    /// A list item, in formats with elements for items.
    Item,
    /// A table cell.
    Cell,
    /// A footnote or endnote.
    Note,
    /// A text box.
    Box,
    /// A header or footer.
    Margin,
}

/// Text with its own paragraphs.
pub(super) struct Text {
    /// Place of the text.
    pub(super) within: Within,
    /// Groups the paragraphs of the text into blocks.
    pub(super) flow: Flow,
    /// Content of the current paragraph.
    pub(super) line: Line,
    /// Number of text boxes that are anchored in the current paragraph.
    pub(super) boxes: usize,
    /// Whether the current paragraph has a horizontal rule.
    pub(super) rule: bool,
    /// Whether the first paragraph of the text has not been read yet.
    pub(super) begins: bool,
    /// Reference mark that the first paragraph of a note may begin with.
    pub(super) mark: Option<Box<str>>,
    /// State of the surrounding text.
    pub(super) around: SavedState,
}

/// State of the surrounding text, which is restored at the end of a text.
#[derive(Default)]
pub(super) struct SavedState {
    /// Style of the interrupted paragraph.
    pub(super) style: Rc<Resolved>,
    /// Properties of the interrupted run.
    pub(super) run: RunProperties,
    /// Number of open links at the beginning of the inner text.
    pub(super) links: usize,
    /// Number of open fields at the beginning of the inner text.
    pub(super) fields: usize,
    /// Links of the surrounding text, if they do not extend into the inner text.
    pub(super) hidden_links: Vec<(Box<str>, Box<str>)>,
    /// Fields of the surrounding text, if they do not extend into the inner text.
    pub(super) hidden_fields: Vec<WordField>,
}

impl Text {
    /// Creates the state at the beginning of a text.
    pub(super) fn new(within: Within) -> Self {
        Self {
            within,
            flow: Flow::default(),
            line: Line::default(),
            boxes: 0,
            rule: false,
            begins: true,
            mark: None,
            around: SavedState::default(),
        }
    }
}
