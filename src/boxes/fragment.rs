//! Fragments, the result of layout: a tree of rectangles, in px. Does no layout.
//!
//! The position of a fragment is stored in its parent, so one layout of a box can be shared by several parents (`Rc`),
//! for example by trial layouts and the final one.

use super::tree::{BoxId, Marker};
use convertd_layout::{item::Pen, structure::NodeId, word::Word};
use convertd_markup::css::{
    style::{Border, Style},
    writing::Turn,
};
use std::rc::Rc;

/// Widths of the four sides in px: top, right, bottom, left, as in CSS shorthands.
pub(super) type Sides = [f32; 4];

/// A laid out box, line, text or picture.
#[derive(Clone, Debug)]
pub(super) struct Fragment {
    /// Width of the border box in px.
    pub width: f32,
    /// Height of the border box in px.
    pub height: f32,
    pub kind: FragmentContent,
    pub children: Vec<Child>,
    /// First and last baseline, in px from the top edge.
    pub baselines: Option<(f32, f32)>,
    /// Absolutely positioned descendants whose containing block is an ancestor of this fragment's box, with their
    /// static positions.
    pub pending: Vec<Pending>,
}

/// A fragment at its position, relative to its parent's border box.
#[derive(Clone, Debug)]
pub(crate) struct Child {
    pub x: f32,
    pub y: f32,
    pub fragment: Rc<Fragment>,
}

/// Content of a multi-column container before it is divided into columns.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    /// All content as one fragment, as wide as a column.
    pub flow: Rc<Fragment>,
    /// Number of columns.
    pub count: usize,
    /// Width of a column in px.
    pub width: f32,
    /// Gap between two columns in px.
    pub gap: f32,
    /// Limit on the height of the columns in px, if `height` or `max-height` gives one.
    pub height: Option<f32>,
    /// Whether columns are balanced (`column-fill`).
    pub balanced: bool,
    /// Style of the rule between columns.
    pub rule: Option<Rc<Style>>,
}

/// Content of a fragment.
#[derive(Clone, Debug)]
pub(crate) enum FragmentContent {
    /// A box: its number in the box tree, its style, its used border and padding widths, and its role.
    Box {
        id: BoxId,
        style: Rc<Style>,
        border: Sides,
        padding: Sides,
        role: Role,
    },
    /// A line box.
    Line,
    /// Glyph runs on a baseline, which is the fragment's top edge. Words have their x offset.
    Text {
        pen: Pen,
        words: Vec<(f32, Rc<Word>)>,
        style: Rc<Style>,
        node: NodeId,
        link: Option<usize>,
    },
    /// The part of an inline box on one line: its background and border.
    Inline { style: Rc<Style>, border: Sides },
    /// A picture of the gallery.
    Picture {
        number: usize,
        node: NodeId,
        link: Option<usize>,
    },
    /// Frame that is drawn instead of a missing picture.
    Missing,
    /// An outside list marker.
    Marker { marker: Marker, style: Rc<Style> },
    /// The target of a link.
    Anchor(Rc<str>),
    /// Header or footer rows of a table, repeated on a further page.
    Repeated,
    /// Columns side by side, with the content they were made from.
    Columns(Rc<Columns>),
    /// A fragment in another writing mode, which is laid out horizontally and rotated when it is painted.
    Turned(Rc<Fragment>, Turn),
}

/// Role of a box in its formatting context, which decides how it may be broken.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Role {
    /// In-flow box.
    Flow,
    Float,
    /// Absolutely positioned box.
    Absolute,
    /// Atomic inline; it is never broken.
    Atomic,
    Table(TableRole),
}

/// Part of a table.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TableRole {
    /// The table grid. Pagination repeats its header and footer groups.
    Table,
    Head,
    Foot,
    Row,
    /// A cell. In the collapsing border model, it has the borders that won its conflicts.
    Cell(Option<Box<[Option<Border>; 4]>>),
}

/// An absolutely positioned box that waits for its containing block.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub id: BoxId,
    /// Left edge that the box would have in the flow (static position), relative to the fragment.
    pub x: f32,
    /// Top edge that the box would have in the flow, relative to the fragment.
    pub y: f32,
}

impl Fragment {
    /// Makes a fragment without children.
    pub(crate) fn new(kind: FragmentContent, width: f32, height: f32) -> Self {
        Self {
            width,
            height,
            kind,
            children: Vec::new(),
            baselines: None,
            pending: Vec::new(),
        }
    }

    /// Adds a child, and moves its pending boxes up to this fragment.
    pub(crate) fn add(&mut self, x: f32, y: f32, fragment: impl Into<Rc<Self>>) {
        let fragment = fragment.into();
        // Static positions move with the child.
        self.pending
            .extend(fragment.pending.iter().map(|pending| Pending {
                id: pending.id,
                x: pending.x + x,
                y: pending.y + y,
            }));
        self.children.push(Child { x, y, fragment });
    }

    /// Computed style of the fragment's box, if it has one.
    pub(crate) fn style(&self) -> Option<&Rc<Style>> {
        match &self.kind {
            FragmentContent::Box { style, .. }
            | FragmentContent::Text { style, .. }
            | FragmentContent::Inline { style, .. }
            | FragmentContent::Marker { style, .. } => Some(style),
            FragmentContent::Line
            | FragmentContent::Picture { .. }
            | FragmentContent::Missing
            | FragmentContent::Anchor(_)
            | FragmentContent::Repeated
            | FragmentContent::Columns(_)
            | FragmentContent::Turned(..) => None,
        }
    }

    /// Role of a box fragment.
    pub(crate) fn role(&self) -> Option<&Role> {
        match &self.kind {
            FragmentContent::Box { role, .. } => Some(role),
            _ => None,
        }
    }
}
