//! Slides as they are written: a layout, a title, and parts at their places. Lengths are in English Metric Units.

use convertd_tree::{Alignment, Numbering, ResourceId};

/// A slide.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    pub(crate) layout: Layout,
    pub(crate) title: Vec<Run>,
    /// Text below the title of a first slide.
    pub(crate) subtitle: Vec<Line>,
    pub(crate) parts: Vec<Placed>,
    /// Speaker notes.
    pub(crate) notes: Vec<Line>,
}

/// Layout of a slide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Layout {
    /// The title of the whole.
    Title,
    /// The title of a section.
    Section,
    /// A title with text below it.
    #[default]
    Content,
    /// A title with something else below it.
    TitleOnly,
}

/// A part of a slide, and where it is.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) x: i64,
    pub(crate) y: i64,
    pub(crate) width: i64,
    pub(crate) height: i64,
    pub(crate) part: Part,
    /// Whether it is the text that the layout has a place for.
    pub(crate) is_body: bool,
}

/// Content of a part.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Text(Vec<Line>),
    Table(Grid),
    Picture(Shown),
}

/// A paragraph.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    pub(crate) kind: LineKind,
    /// From 0.
    pub(crate) level: u8,
    pub(crate) label: Label,
    pub(crate) alignment: Option<Alignment>,
    pub(crate) runs: Vec<Run>,
}

/// Role of a paragraph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LineKind {
    #[default]
    Text,
    Heading,
    Code,
    Quote,
    /// A caption, or a note at the foot of the slide.
    Small,
}

impl LineKind {
    /// Returns whether lines of this kind follow one another without room between them.
    pub(crate) fn is_close(self) -> bool {
        matches!(self, Self::Code | Self::Small)
    }
}

impl Line {
    /// The size of its letters in points.
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
    /// Its number, and the numbering of the list with this number. The start is that of the first item on the slide.
    Number {
        numbering: Numbering,
        list: u32,
        number: u32,
    },
}

/// A piece of a paragraph.
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
    /// 1 if it is raised, and -1 if it is lowered.
    pub(crate) raised: i8,
    pub(crate) link: Option<Link>,
}

/// Content of a piece.
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
    Address(Box<str>),
    /// A place in the document. None of those is left when slides are written.
    Name(Box<str>),
    /// The index of a slide.
    Slide(usize),
}

/// A table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    /// The widths of its columns.
    pub(crate) columns: Vec<i64>,
    pub(crate) rows: Vec<GridRow>,
    /// Number of header rows.
    pub(crate) head: usize,
}

/// A row of a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct GridRow {
    pub(crate) height: i64,
    /// As many as there are columns.
    pub(crate) places: Vec<GridPlace>,
}

/// A place in a row.
#[derive(Clone, Debug)]
pub(crate) enum GridPlace {
    Cell(GridCell),
    /// A cell that one to the left or above covers, or both.
    Covered {
        left: bool,
        above: bool,
    },
}

/// A cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct GridCell {
    pub(crate) rows: u16,
    pub(crate) columns: u16,
    pub(crate) lines: Vec<Line>,
}

/// A picture.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) id: ResourceId,
    pub(crate) alternative: Box<str>,
    pub(crate) link: Option<Link>,
    /// Its own width and height, as far as they are known.
    pub(crate) size: (Option<i64>, Option<i64>),
}
