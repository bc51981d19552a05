//! The box tree (CSS Display 3): boxes before layout. Measures nothing.

use convertd_layout::structure::NodeId;
use convertd_markup::{
    css::{style::Style, writing::Turn},
    dom,
};
use convertd_tree::ResourceId;
use std::rc::Rc;

/// Index of a box. Boxes are numbered in tree order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct BoxId(pub u32);

impl BoxId {
    /// Identifier for fragments without a box.
    pub(crate) const NOBODY: Self = Self(u32::MAX);
}

/// A box of the tree: its style and content, its origin, and attachments that only some kinds have.
pub(crate) struct BoxNode {
    pub style: Rc<Style>,
    pub kind: BoxContent,
    /// Element of the box; `None` for anonymous boxes.
    pub dom: Option<dom::NodeId>,
    /// Structure element of the content (tagged PDF).
    pub node: NodeId,
    /// Marker of a list item.
    pub marker: Option<(Marker, Rc<Style>)>,
    /// Legend of a fieldset, which is placed in its border.
    pub legend: Option<BoxId>,
    /// Style of a cell's column, if the background of the column is visible behind the cell.
    pub column: Option<Rc<Style>>,
    /// Names of link targets at the start of the box.
    pub anchors: Vec<Rc<str>>,
    /// Outline entry of a heading.
    pub outline: Option<usize>,
    /// Link that covers the content of the box.
    pub link: Option<usize>,
}

/// Content of a box.
pub(crate) enum BoxContent {
    /// Block-level boxes one below another, or the items of a flex or grid container.
    Blocks(Vec<BoxId>),
    /// Inline content.
    Lines(Rc<Inlines>),
    Table(Rc<Table>),
    Replaced(Replaced),
    /// A box in another writing mode, and its rotation.
    Turned(BoxId, Turn),
}

/// Marker of a list item.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Marker {
    Text(Rc<str>),
    Picture(ResourceId),
    Disc,
    Circle,
    Square,
}

/// Replaced content.
#[derive(Clone, Debug)]
pub(crate) struct Replaced {
    /// Picture in the gallery; `None` leaves the area blank.
    pub picture: Option<ResourceId>,
    /// Alternative text.
    pub words: Box<str>,
    /// Natural width and height in px; `None` if the picture must be measured.
    pub natural: (Option<f32>, Option<f32>),
    /// Whether the icon of a missing picture is drawn.
    pub missing: bool,
}

/// An inline box. Span 0 is the root inline box of the container.
pub(crate) struct Span {
    pub style: Rc<Style>,
    /// Enclosing span, always with a lower index.
    pub parent: Option<usize>,
    /// Element of the inline box.
    pub dom: Option<dom::NodeId>,
    /// Structure element of the span's text.
    pub node: NodeId,
    /// Link of the span's text.
    pub link: Option<usize>,
    /// Whether the start edge of the inline box is in this span. A block inside an element divides its inline box into
    /// several spans.
    pub begins: bool,
    /// Whether the end edge of the inline box is in this span.
    pub ends: bool,
}

/// A piece of inline content, in document order.
pub(crate) enum Piece {
    /// Text and its span.
    Text(String, usize),
    /// Start of a span.
    Open(usize),
    /// End of a span.
    Close(usize),
    /// Atomic inline and its span.
    Atomic(BoxId, usize),
    Float(BoxId),
    Absolute(BoxId),
    /// Forced line break and its span.
    Break(usize),
    /// Link target.
    Anchor(Rc<str>),
}

/// Content of an inline formatting context, before layout.
#[derive(Default)]
pub(crate) struct Inlines {
    pub spans: Vec<Span>,
    pub pieces: Vec<Piece>,
    /// Styles of the spans on the first line, if `::first-line` has styles.
    pub first: Option<Vec<Rc<Style>>>,
}

impl Inlines {
    /// Style of a span; with `first`, its style on the first line.
    pub(crate) fn style(&self, span: usize, first: bool) -> &Rc<Style> {
        let own = self.first.as_ref().filter(|_| first);
        own.and_then(|own| own.get(span))
            .unwrap_or(&self.spans[span].style)
    }

    /// Returns whether the content generates no line boxes.
    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.iter().all(|piece| match piece {
            Piece::Text(text, span) => {
                let keeps = keeps_spaces(&self.spans[*span].style);
                text.is_empty() || !keeps && text.chars().all(is_space)
            }
            Piece::Open(span) | Piece::Close(span) => {
                let style = &self.spans[*span].style;
                style.padding.iter().all(|side| side.of(100.0) == 0.0)
                    && style.border.iter().all(|side| side.width() == 0.0)
            }
            Piece::Float(_) | Piece::Absolute(_) | Piece::Anchor(_) => true,
            Piece::Atomic(..) | Piece::Break(_) => false,
        })
    }
}

/// Returns whether a character is collapsible white space (CSS Text 3, 4.1).
pub(crate) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c')
}

/// Returns whether `white-space` preserves spaces.
pub(crate) fn keeps_spaces(style: &Style) -> bool {
    use convertd_markup::css::style::WhiteSpace::{BreakSpaces, Pre, PreWrap};
    matches!(style.text.white_space, Pre | PreWrap | BreakSpaces)
}

/// Returns whether `white-space` preserves line breaks.
pub(crate) fn keeps_lines(style: &Style) -> bool {
    use convertd_markup::css::style::WhiteSpace::PreLine;
    keeps_spaces(style) || style.text.white_space == PreLine
}

/// Returns whether `white-space` allows lines to wrap.
pub(crate) fn wraps(style: &Style) -> bool {
    use convertd_markup::css::style::WhiteSpace::{Nowrap, Pre};
    !matches!(style.text.white_space, Pre | Nowrap)
}

/// A row group.
pub(crate) struct Group {
    pub part: RowGroupKind,
    pub style: Rc<Style>,
    pub dom: Option<dom::NodeId>,
    pub rows: Vec<Row>,
}

/// Kind of a row group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowGroupKind {
    Head,
    Body,
    Foot,
}

/// A row.
pub(crate) struct Row {
    pub style: Rc<Style>,
    pub cells: Vec<Cell>,
}

/// A cell at its position in the grid.
pub(crate) struct Cell {
    pub id: BoxId,
    /// Index of the first column.
    pub column: usize,
    /// Number of columns spanned.
    pub columns: usize,
    /// Number of rows spanned.
    pub rows: usize,
}

/// A table: captions, columns and row groups.
pub(crate) struct Table {
    pub captions: Vec<BoxId>,
    /// Style of each column that has an element. The list may be shorter than the number of columns.
    pub columns: Vec<Option<Rc<Style>>>,
    /// Number of columns.
    pub count: usize,
    pub groups: Vec<Group>,
}

/// All boxes of a document.
#[derive(Default)]
pub(crate) struct Boxes {
    nodes: Vec<BoxNode>,
}

/// Memory of a box, span or forced line break with its fragment, in bytes. Measured for a document of 3 MB.
const BOX: u64 = 600;
/// Memory of the words and lines that layout makes of a byte of text, in bytes. Measured for the same document as
/// [`BOX`].
const LETTER: u64 = 14;

impl Boxes {
    /// Memory of the boxes and of their laid out fragments in bytes: an estimate.
    pub(crate) fn memory(&self) -> u64 {
        let of_piece = |piece: &Piece| match piece {
            Piece::Text(text, _) => LETTER * text.len() as u64,
            Piece::Break(_) => BOX,
            _ => 0,
        };
        let of_box = |node: &BoxNode| match &node.kind {
            BoxContent::Lines(inlines) => {
                let pieces: u64 = inlines.pieces.iter().map(of_piece).sum();
                BOX * inlines.spans.len() as u64 + pieces
            }
            _ => BOX,
        };
        self.nodes.iter().map(of_box).sum()
    }

    /// Adds a box.
    pub(crate) fn add(
        &mut self,
        style: Rc<Style>,
        kind: BoxContent,
        dom: Option<dom::NodeId>,
    ) -> BoxId {
        self.nodes.push(BoxNode {
            style,
            kind,
            dom,
            node: NodeId::DOCUMENT,
            marker: None,
            legend: None,
            column: None,
            anchors: Vec::new(),
            outline: None,
            link: None,
        });
        BoxId(self.nodes.len() as u32 - 1)
    }

    /// Box with this identifier, which must exist.
    pub(crate) fn get(&self, id: BoxId) -> &BoxNode {
        &self.nodes[id.0 as usize]
    }

    /// Box with this identifier; `None` for [`BoxId::NOBODY`].
    pub(crate) fn find(&self, id: BoxId) -> Option<&BoxNode> {
        self.nodes.get(id.0 as usize)
    }

    /// Mutable box with this identifier, which must exist.
    pub(crate) fn get_mut(&mut self, id: BoxId) -> &mut BoxNode {
        &mut self.nodes[id.0 as usize]
    }

    /// Number of boxes, which are numbered from 0.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }
}
