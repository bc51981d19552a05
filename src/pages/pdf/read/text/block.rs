//! Blocks, tables and spans of text: the result of joining the lines of pages. Finds none.

use super::{lines::Line, marked::Marked, page_text::Figure, styles::Style};
use convertd_tree::Alignment;

/// Look of a heading. The order is that of importance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    /// The size in half points.
    pub(super) size: i32,
    /// Whether it is bold, or in italics, if it is no larger than the text.
    pub(super) bold: bool,
    pub(super) italic: bool,
    /// Whether it is larger than the text.
    pub(super) larger: bool,
}

/// The content of a page in reading order.
pub(crate) struct Page {
    pub(crate) lines: Vec<Line>,
    /// Targets of its links.
    pub(crate) links: Vec<String>,
    /// Its tables, by their numbers.
    pub(crate) tables: Vec<Table>,
    /// Its pictures, by their numbers.
    pub(crate) figures: Vec<Figure>,
    /// Its texts by the file's own structure, if there is one.
    pub(crate) marked: Marked,
    /// Its width and height in points.
    pub(crate) size: (f32, f32),
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table {
    /// Left and right edge on its page.
    pub(crate) x: (f32, f32),
    /// Number of columns.
    pub(crate) columns: usize,
    pub(crate) rows: Vec<Vec<Cell>>,
    /// Number of header rows.
    pub(crate) heads: usize,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cell {
    /// Its first column, from 0.
    pub(crate) column: usize,
    /// Number of rows and columns that it spans.
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) paragraphs: Vec<Vec<Span>>,
}

impl Cell {
    /// Its text, its paragraphs in lines.
    pub(crate) fn text(&self) -> String {
        let text = |spans: &Vec<Span>| -> String {
            let all: String = spans.iter().map(|span| &span.text[..]).collect();
            all.trim().to_owned()
        };
        let paragraphs: Vec<String> = self.paragraphs.iter().map(text).collect();
        paragraphs.join("\n")
    }
}

/// A part of a paragraph in one style.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Span {
    pub(crate) text: String,
    pub(crate) style: Style,
    pub(crate) link: Option<Box<str>>,
}

/// Kind of a paragraph.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Text,
    /// With its level, from 1.
    Heading(u8),
    /// An item of a list, with its number if it has one, and how far it is indented in points.
    Item(Option<u32>, f32),
    /// Lines in a monospaced font.
    Code,
    Table(Table),
    /// With the number of its file, and its width and height in points.
    Figure(usize, (f32, f32)),
    /// The beginning of a page, with its number from 1.
    Page(usize),
}

/// Lines that belong together.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Block {
    pub(crate) kind: Kind,
    pub(crate) spans: Vec<Span>,
    /// Alignment of its lines in their column, as far as it is clear.
    pub(crate) alignment: Option<Alignment>,
    /// Look of its letters, if it may be a heading.
    pub(super) look: Option<Look>,
    /// Look of its letters, if it is a heading only where others with the same look are.
    pub(super) like: Option<Look>,
}

impl Block {
    pub(crate) fn plain(kind: Kind) -> Self {
        Self {
            kind,
            spans: Vec::new(),
            alignment: None,
            look: None,
            like: None,
        }
    }

    /// All of its text.
    pub(crate) fn text(&self) -> String {
        self.spans.iter().map(|span| &span.text[..]).collect()
    }
}

/// The typical style of a document.
pub(crate) struct Usual {
    /// The size of most letters.
    pub(super) size: f32,
    /// Whether most letters are bold.
    pub(super) bold: bool,
    /// Whether most letters are monospaced.
    pub(super) fixed: bool,
    /// Weight of most letters.
    pub(super) weight: i8,
}
