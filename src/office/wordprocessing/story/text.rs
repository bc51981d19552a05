//! The state of a text while it is being read. Contains data only.

use super::resolved::Resolved;
use crate::wordprocessing::{fields::WordField, flow::Flow, line::Line, properties::RunProperties};
use std::rc::Rc;

/// Place of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// It is the main text.
    Main,
    /// In a list item, in a format that has elements for them.
    Item,
    /// In a table cell.
    Cell,
    /// In a footnote or endnote.
    Note,
    /// In a text box.
    Box,
    /// In a header or footer of pages.
    Margin,
}

/// A text with paragraphs of its own.
pub(super) struct Text {
    pub(super) within: Within,
    pub(super) flow: Flow,
    /// The content of the current paragraph.
    pub(super) line: Line,
    /// The number of text boxes that are anchored in the current paragraph.
    pub(super) boxes: usize,
    /// Whether the current paragraph has a horizontal rule.
    pub(super) rule: bool,
    /// Whether its first paragraph is still to come.
    pub(super) begins: bool,
    /// The state of the surrounding text, which is restored at the end of this one: the style, the run, the number of
    /// links and fields, and the fields that do not extend into this text.
    pub(super) around: Around,
}

/// The state of the surrounding text, which is restored at the end of a text.
#[derive(Default)]
pub(super) struct Around {
    pub(super) style: Rc<Resolved>,
    pub(super) run: RunProperties,
    pub(super) links: usize,
    pub(super) fields: usize,
    pub(super) hidden_links: Vec<(Box<str>, Box<str>)>,
    pub(super) hidden_fields: Vec<WordField>,
}

impl Text {
    pub(super) fn new(within: Within) -> Self {
        Self {
            within,
            flow: Flow::default(),
            line: Line::default(),
            boxes: 0,
            rule: false,
            begins: true,
            around: Around::default(),
        }
    }
}
