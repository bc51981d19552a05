//! Data types for recognised blocks, tables and text spans. Recognises nothing.

use super::{lines::Line, marked::Marked, page_text::Figure, styles::Style};
use convertd_tree::{Alignment, Region};

/// Style of a heading, for comparing and ranking headings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HeadingStyle {
    /// Font size in half points.
    pub(super) size: i32,
    /// Whether the heading is bold, or heavier than the body text. Never set if `larger` is set.
    pub(super) bold: bool,
    /// Whether the heading is italic. Never set if `larger` is set.
    pub(super) italic: bool,
    /// Whether the heading is larger than the body text.
    pub(super) larger: bool,
}

/// Content of a page, with lines in reading order.
pub(crate) struct Page {
    pub(crate) lines: Vec<Line>,
    /// Link targets, to which lines refer by index.
    pub(crate) links: Vec<String>,
    /// Tables, to which lines refer by index.
    pub(crate) tables: Vec<Table>,
    /// Pictures, to which lines refer by index.
    pub(crate) figures: Vec<Figure>,
    /// Texts by the structure tree, if the file has one.
    pub(crate) marked: Marked,
    /// Width and height of the upright page in points.
    pub(crate) size: (f32, f32),
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table {
    /// Left and right edge on the page, in points.
    pub(crate) x: (f32, f32),
    /// Number of columns.
    pub(crate) columns: usize,
    pub(crate) rows: Vec<Vec<Cell>>,
    /// Number of header rows.
    pub(crate) heads: usize,
}

/// A table cell with its position and text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cell {
    /// First column, from 0.
    pub(crate) column: usize,
    /// Number of rows that the cell spans.
    pub(crate) rows: usize,
    /// Number of columns that the cell spans.
    pub(crate) columns: usize,
    pub(crate) paragraphs: Vec<Vec<Span>>,
}

impl Cell {
    /// Text of the cell, with one paragraph per line.
    pub(crate) fn text(&self) -> String {
        let text = |spans: &Vec<Span>| -> String {
            let all: String = spans.iter().map(|span| &span.text[..]).collect();
            all.trim().to_owned()
        };
        let paragraphs: Vec<String> = self.paragraphs.iter().map(text).collect();
        paragraphs.join("\n")
    }
}

/// Text in one style, with at most one link.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Span {
    pub(crate) text: String,
    pub(crate) style: Style,
    pub(crate) link: Option<Box<str>>,
}

/// Kind of a block.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum BlockKind {
    Text,
    /// Heading with its level, from 1.
    Heading(u8),
    /// List item: its number, or `None` for a bullet, and its indent in points.
    Item(Option<u32>, f32),
    /// Lines in a monospaced font, not joined.
    Code,
    Table(Table),
    /// Picture: number of its file, width and height in points.
    Figure(usize, (f32, f32)),
    /// Start of a page, with its number from 1.
    Page(usize),
}

/// A paragraph, heading, item, table or picture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Block {
    pub(crate) kind: BlockKind,
    pub(crate) spans: Vec<Span>,
    /// Positions on the pages.
    pub(crate) regions: Vec<Region>,
    /// Alignment in the column, if it is unambiguous.
    pub(crate) alignment: Option<Alignment>,
    /// Style, if the block may be a heading.
    pub(super) heading_style: Option<HeadingStyle>,
    /// Style, if the block is a heading on condition that other blocks with this style are headings.
    pub(super) conditional_style: Option<HeadingStyle>,
}

impl Block {
    /// A block without text.
    pub(crate) fn plain(kind: BlockKind) -> Self {
        Self {
            kind,
            spans: Vec::new(),
            regions: Vec::new(),
            alignment: None,
            heading_style: None,
            conditional_style: None,
        }
    }

    /// Text of all spans.
    pub(crate) fn text(&self) -> String {
        self.spans.iter().map(|span| &span.text[..]).collect()
    }
}

/// Body style of a document: the most common properties of its letters.
pub(crate) struct BodyStyle {
    /// Font size in points.
    pub(super) size: f32,
    /// Whether more than half of the letters are bold.
    pub(super) bold: bool,
    /// Whether more than half of the letters are monospaced.
    pub(in crate::read) fixed: bool,
    /// Most common weight, in the steps of [`Style`].
    pub(super) weight: i8,
}
