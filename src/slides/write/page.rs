//! Slides for writing: a layout, a title, and parts with their places. All lengths are in English Metric Units.

use convertd_tree::{Alignment, Numbering, ResourceId};

/// A slide.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    pub(crate) layout: Layout,
    pub(crate) title: Vec<Run>,
    /// Text below the title of a title slide.
    pub(crate) subtitle: Vec<Line>,
    /// Content below the title, with its places.
    pub(crate) parts: Vec<Placed>,
    /// Speaker notes.
    pub(crate) notes: Vec<Line>,
}

/// Layout of a slide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Title slide of the document.
    Title,
    /// Title slide of a section.
    Section,
    /// Title with text below it.
    #[default]
    Content,
    /// Title with other content below it.
    TitleOnly,
}

/// A part of a slide and its place.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) x: i64,
    pub(crate) y: i64,
    pub(crate) width: i64,
    pub(crate) height: i64,
    pub(crate) part: SlideObject,
    /// Whether this part is the text in the body placeholder of the layout.
    pub(crate) is_body: bool,
}

/// Content of a part.
#[derive(Clone, Debug)]
pub(crate) enum SlideObject {
    Text(Vec<Line>),
    Table(Grid),
    Picture(Shown),
}

/// A paragraph.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    pub(crate) kind: LineKind,
    /// Level, counted from 0.
    pub(crate) level: u8,
    /// Bullet or number.
    pub(crate) label: Label,
    /// Alignment. `None` means the alignment of the layout.
    pub(crate) alignment: Option<Alignment>,
    pub(crate) runs: Vec<Run>,
}

/// Role of a paragraph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LineKind {
    #[default]
    Text,
    /// A heading below the level of slides, or a defined term.
    Heading,
    Code,
    Quote,
    /// A caption or footnote.
    Small,
}

impl LineKind {
    /// Returns whether lines of this kind follow each other without space between them.
    pub(crate) fn is_close(self) -> bool {
        matches!(self, Self::Code | Self::Small)
    }
}

impl Line {
    /// Returns the font size in points.
    pub(crate) fn size(&self) -> f64 {
        match (self.kind, self.level) {
            (LineKind::Code | LineKind::Small, _) => 14.0,
            (LineKind::Heading | LineKind::Text, 0) => 24.0,
            (LineKind::Quote, 0) | (_, 1) => 20.0,
            (_, 2) => 18.0,
            _ => 16.0,
        }
    }
}

/// Label in front of a paragraph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Label {
    #[default]
    None,
    Bullet,
    /// A number. `list` is the number of the list within the document. `numbering.start` is the number of the list's
    /// first item on this slide.
    Number {
        numbering: Numbering,
        list: u32,
        number: u32,
    },
}

/// A piece of text with uniform formatting.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Run {
    pub(crate) words: Words,
    pub(crate) bold: bool,
    pub(crate) italic: bool,
    pub(crate) underlined: bool,
    pub(crate) struck: bool,
    pub(crate) small_caps: bool,
    pub(crate) highlighted: bool,
    pub(crate) code: bool,
    /// 1 for superscript, −1 for subscript, otherwise 0.
    pub(crate) raised: i8,
    pub(crate) link: Option<Link>,
}

/// Content of a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Words {
    Text(String),
    Break,
}

impl Default for Words {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

/// Target of a click.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Link {
    /// An external address.
    Address(Box<str>),
    /// An anchor in the document. It becomes an index of a slide before slides are written.
    Name(Box<str>),
    /// Index of a slide.
    Slide(usize),
}

/// A table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    /// Column widths.
    pub(crate) columns: Vec<i64>,
    pub(crate) rows: Vec<GridRow>,
    /// Number of header rows.
    pub(crate) head: usize,
}

/// A row of a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct GridRow {
    pub(crate) height: i64,
    /// Positions of the row, one for each column.
    pub(crate) places: Vec<GridPlace>,
}

/// A position in a row.
#[derive(Clone, Debug)]
pub(crate) enum GridPlace {
    Cell(GridCell),
    /// A position that a cell to the left, above, or both covers.
    Covered {
        left: bool,
        above: bool,
    },
}

/// A cell of the table that no other cell covers.
#[derive(Clone, Debug, Default)]
pub(crate) struct GridCell {
    /// Number of rows that the cell spans.
    pub(crate) rows: u16,
    /// Number of columns that the cell spans.
    pub(crate) columns: u16,
    /// Paragraphs of the cell.
    pub(crate) lines: Vec<Line>,
}

/// A picture.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    /// Number of the picture in the document.
    pub(crate) id: ResourceId,
    /// Alternative text.
    pub(crate) alternative: Box<str>,
    pub(crate) link: Option<Link>,
    /// Requested width and height, as far as they are known.
    pub(crate) size: (Option<i64>, Option<i64>),
}
