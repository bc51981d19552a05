//! The boxes of a page (CSS Display 3): what stands in what, before anything has a place. Measures nothing.

use convertd_layout::structure::NodeId;
use convertd_markup::{
    css::{style::Style, writing::Turn},
    html::dom,
};
use convertd_tree::ResourceId;
use std::rc::Rc;

/// The number of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct BoxId(pub u32);

impl BoxId {
    /// Identifier of fragments that belong to no box.
    pub(crate) const NOBODY: Self = Self(u32::MAX);
}

/// A box.
pub(crate) struct BoxNode {
    pub style: Rc<Style>,
    pub kind: Kind,
    /// The element that it is of.
    pub dom: Option<dom::NodeId>,
    /// The element of the structure that its content belongs to.
    pub node: NodeId,
    /// Marker of a list item.
    pub marker: Option<(Marker, Rc<Style>)>,
    /// Legend of a fieldset, which stands in its border.
    pub legend: Option<BoxId>,
    /// Style of a cell's column, if its background is visible behind the cell.
    pub column: Option<Rc<Style>>,
    /// A place that links lead to, and the number of an item of the outline.
    pub anchor: Option<Rc<str>>,
    pub outline: Option<usize>,
    pub link: Option<usize>,
}

/// Content of a box.
pub(crate) enum Kind {
    /// Blocks, one below another; or the items of a flex or grid container.
    Blocks(Vec<BoxId>),
    /// Text and boxes on lines.
    Lines(Rc<Inlines>),
    Table(Rc<Table>),
    Replaced(Replaced),
    /// A box whose text runs in another way, and how that is turned.
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

/// A picture, or the room for one.
#[derive(Clone, Debug)]
pub(crate) struct Replaced {
    pub picture: Option<ResourceId>,
    /// Alternative text.
    pub words: Box<str>,
    /// The size that it has by itself in px, as far as it is known without the picture.
    pub natural: (Option<f32>, Option<f32>),
    /// Drawn as the sign for a picture that is not there.
    pub missing: bool,
}

/// An element on a line, or the block around the line for the first one.
pub(crate) struct Span {
    pub style: Rc<Style>,
    pub parent: Option<usize>,
    pub dom: Option<dom::NodeId>,
    pub node: NodeId,
    pub link: Option<usize>,
    /// Whether it begins and ends here: a block within an element divides it.
    pub begins: bool,
    pub ends: bool,
}

/// A piece of inline content, in order.
pub(crate) enum Piece {
    /// Text, and the number of the span that it is in.
    Text(String, usize),
    Open(usize),
    Close(usize),
    /// A box that is set like a letter.
    Atomic(BoxId, usize),
    Float(BoxId),
    Absolute(BoxId),
    Break(usize),
    Anchor(Rc<str>),
}

/// Lines, before they are broken.
#[derive(Default)]
pub(crate) struct Inlines {
    pub spans: Vec<Span>,
    pub pieces: Vec<Piece>,
    /// The styles of the spans on the first line, if it has one of its own.
    pub first: Option<Vec<Rc<Style>>>,
}

impl Inlines {
    /// The style of a span, on the first line or on others.
    pub(crate) fn style(&self, span: usize, first: bool) -> &Rc<Style> {
        let own = self.first.as_ref().filter(|_| first);
        own.and_then(|own| own.get(span))
            .unwrap_or(&self.spans[span].style)
    }

    /// Whether no line comes of it.
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

/// White space that collapses (CSS Text 3, 4.1).
pub(crate) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c')
}

pub(crate) fn keeps_spaces(style: &Style) -> bool {
    use convertd_markup::css::style::WhiteSpace::{BreakSpaces, Pre, PreWrap};
    matches!(style.text.white_space, Pre | PreWrap | BreakSpaces)
}

pub(crate) fn keeps_lines(style: &Style) -> bool {
    use convertd_markup::css::style::WhiteSpace::PreLine;
    keeps_spaces(style) || style.text.white_space == PreLine
}

pub(crate) fn wraps(style: &Style) -> bool {
    use convertd_markup::css::style::WhiteSpace::{Nowrap, Pre};
    !matches!(style.text.white_space, Pre | Nowrap)
}

/// A group of rows.
pub(crate) struct Group {
    pub part: Part,
    pub style: Rc<Style>,
    pub dom: Option<dom::NodeId>,
    pub rows: Vec<Row>,
}

/// Part of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Head,
    Body,
    Foot,
}

/// A row.
pub(crate) struct Row {
    pub style: Rc<Style>,
    pub cells: Vec<Cell>,
}

/// A cell, and where it stands.
pub(crate) struct Cell {
    pub id: BoxId,
    pub column: usize,
    pub columns: usize,
    pub rows: usize,
}

/// A table.
pub(crate) struct Table {
    pub captions: Vec<BoxId>,
    /// The styles of columns, as far as the table has elements for them.
    pub columns: Vec<Option<Rc<Style>>>,
    pub count: usize,
    pub groups: Vec<Group>,
}

/// All boxes of a page.
#[derive(Default)]
pub(crate) struct Boxes {
    nodes: Vec<BoxNode>,
}

impl Boxes {
    pub(crate) fn add(&mut self, style: Rc<Style>, kind: Kind, dom: Option<dom::NodeId>) -> BoxId {
        self.nodes.push(BoxNode {
            style,
            kind,
            dom,
            node: NodeId::DOCUMENT,
            marker: None,
            legend: None,
            column: None,
            anchor: None,
            outline: None,
            link: None,
        });
        BoxId(self.nodes.len() as u32 - 1)
    }

    pub(crate) fn get(&self, id: BoxId) -> &BoxNode {
        &self.nodes[id.0 as usize]
    }

    /// A box, if there is one of this number.
    pub(crate) fn find(&self, id: BoxId) -> Option<&BoxNode> {
        self.nodes.get(id.0 as usize)
    }

    pub(crate) fn get_mut(&mut self, id: BoxId) -> &mut BoxNode {
        &mut self.nodes[id.0 as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }
}
