//! The nodes of a tree, as readers open and close them, and the rules for which node may contain which. Holds no
//! content.

use super::{
    Alignment, CellStyleId, Column, Frame, Length, ListKind, ListLook, Mark, NoteId, NoteKind,
    ParagraphStyleId, Region, TextStyleId, Width,
};

/// A node that a [`Builder`](super::Builder) can open. It has to be closed again, innermost first.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A [`Paragraph`](super::Paragraph). Takes inlines.
    Paragraph(ParagraphStyleId),
    /// A [`Heading`](super::Heading). Takes inlines.
    Heading {
        /// The level from 1; more than 9 becomes 9.
        level: u8,
        /// The name that the source gives the heading.
        id: Option<Box<str>>,
        /// The number of the heading, if the source shows a number that is not in the text.
        label: Option<Box<str>>,
        /// The style of the heading.
        style: ParagraphStyleId,
    },
    /// A [`List`](super::List). Takes items.
    List {
        /// Whether the items have bullets or numbers.
        kind: ListKind,
        /// Whether the list is tight, without space between its items.
        tight: bool,
        /// The indents and the bullet of the items.
        look: ListLook,
    },
    /// An [`Item`](super::Item) of a list. Takes blocks.
    Item {
        /// Whether the check box of the item is checked; `None` if the item has no check box.
        task: Option<bool>,
        /// The label, if it does not follow from the kind of the list.
        label: Option<Box<str>>,
    },
    /// A list of [`Definition`](super::Definition)s. Takes terms and details.
    Definitions,
    /// A term of a definition list. Takes inlines.
    Term,
    /// A definition of the terms before it. Takes blocks.
    Details,
    /// A [`Table`](super::Table). Takes a caption and rows. The table gets as many columns as its rows need, but at
    /// least as many as `columns` states.
    Table {
        /// Known properties of the columns.
        columns: Vec<Column>,
        /// The width of the table.
        width: Option<Width>,
        /// The position of the table between the margins.
        alignment: Option<Alignment>,
    },
    /// The caption of the open table or figure. Takes blocks.
    Caption,
    /// A [`Row`](super::Row) of a table. Takes cells.
    Row {
        /// The part of the table that the row belongs to. Rows of different parts may come in any order.
        part: Part,
        /// The minimum height.
        height: Option<Length>,
    },
    /// A [`Cell`](super::Cell) of a row. Takes blocks.
    Cell(CellShape),
    /// A block quotation. Takes blocks.
    Quote,
    /// A figure: pictures, tables or code, with a caption. Takes blocks and a caption.
    Figure {
        /// The name that the source gives the figure.
        id: Option<Box<str>>,
    },
    /// A text box or a call-out. Takes blocks.
    Aside {
        /// The name that the source gives the text box.
        id: Option<Box<str>>,
    },
    /// Speaker notes. Takes blocks.
    Speaker,
    /// Blocks in a frame. Takes blocks.
    Frame(Box<Frame>),
    /// Blocks in another language, given as a BCP 47 tag. Takes blocks.
    Language(Box<str>),
    /// Blocks whose regions on the pages of the source are known. Takes blocks.
    Regions(Box<[Region]>),
    /// A mark. Takes inlines.
    Marked(Mark),
    /// A span of text with a style. Takes inlines. With the default style, no span is added.
    Span(TextStyleId),
    /// A link. Takes inlines, but no further link.
    Link {
        /// The target: a URL, or `#name` for a place in this document.
        target: Box<str>,
        /// The tooltip. Empty if absent.
        title: Box<str>,
    },
    /// A note whose text is at its reference. Takes blocks.
    Note(NoteKind),
    /// The text of a note that is referred to elsewhere; see [`Builder::reserve_note`](super::Builder::reserve_note).
    /// Takes blocks.
    NoteBody(NoteId),
}

/// The part of a table that a row belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// The head, which is repeated on every page unless [`Table::head_once`](super::Table::head_once) is set.
    Head,
    /// All other rows.
    #[default]
    Body,
    /// The foot.
    Foot,
}

/// The properties of a cell, without its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellShape {
    /// The number of rows that the cell spans. The span is cut at the end of the part (head, body or foot).
    pub rows: u16,
    /// The number of columns that the cell spans. The span is cut at [`MAX_COLUMNS`](super::MAX_COLUMNS).
    pub columns: u16,
    /// Whether the cell is the heading of a row or column.
    pub heading: bool,
    /// The alignment of the lines in the cell.
    pub alignment: Option<Alignment>,
    /// The style of the cell.
    pub style: CellStyleId,
}

impl Default for CellShape {
    fn default() -> Self {
        Self {
            rows: 1,
            columns: 1,
            heading: false,
            alignment: None,
            style: CellStyleId::default(),
        }
    }
}

/// The kinds of content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    Blocks,
    Inlines,
    Items,
    TermsAndDetails,
    Rows,
    Cells,
}

impl Node {
    /// The kind of content that this node takes.
    pub(super) fn takes(&self) -> Takes {
        match self {
            Self::Paragraph(_)
            | Self::Heading { .. }
            | Self::Term
            | Self::Marked(_)
            | Self::Span(_)
            | Self::Link { .. } => Takes::Inlines,
            Self::List { .. } => Takes::Items,
            Self::Definitions => Takes::TermsAndDetails,
            Self::Table { .. } => Takes::Rows,
            Self::Row { .. } => Takes::Cells,
            Self::Item { .. }
            | Self::Details
            | Self::Caption
            | Self::Cell(_)
            | Self::Quote
            | Self::Figure { .. }
            | Self::Aside { .. }
            | Self::Speaker
            | Self::Frame(_)
            | Self::Language(_)
            | Self::Regions(_)
            | Self::Note(_)
            | Self::NoteBody(_) => Takes::Blocks,
        }
    }

    /// The kind of content that this node is. `None` for the text of a note, which may be anywhere.
    pub(super) fn is(&self) -> Option<Takes> {
        Some(match self {
            Self::Marked(_) | Self::Span(_) | Self::Link { .. } | Self::Note(_) => Takes::Inlines,
            Self::Item { .. } => Takes::Items,
            Self::Term | Self::Details => Takes::TermsAndDetails,
            Self::Row { .. } | Self::Caption => Takes::Rows,
            Self::Cell(_) => Takes::Cells,
            Self::Paragraph(_)
            | Self::Heading { .. }
            | Self::List { .. }
            | Self::Definitions
            | Self::Table { .. }
            | Self::Quote
            | Self::Figure { .. }
            | Self::Aside { .. }
            | Self::Speaker
            | Self::Frame(_)
            | Self::Language(_)
            | Self::Regions(_) => Takes::Blocks,
            Self::NoteBody(_) => return None,
        })
    }
}
