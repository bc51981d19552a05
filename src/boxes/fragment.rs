//! Fragments, the result of layout: rectangles with places, in px. Decides nothing.
//!
//! A fragment's place is kept by the one around it, so that one layout of a box can serve several times.

use super::tree::{BoxId, Marker};
use convertd_layout::{item::Pen, structure::NodeId, word::Word};
use convertd_markup::css::{
    style::{Border, Style},
    writing::Turn,
};
use std::rc::Rc;

/// The widths of four sides: top, right, bottom, left.
pub(super) type Sides = [f32; 4];

/// A fragment.
#[derive(Clone, Debug)]
pub(super) struct Fragment {
    pub width: f32,
    pub height: f32,
    pub kind: Kind,
    pub children: Vec<Child>,
    /// The base lines of its first and its last line, from its upper edge.
    pub baselines: Option<(f32, f32)>,
    /// Boxes that are placed by themselves, by somebody further out.
    pub pending: Vec<Pending>,
}

/// A fragment in another one.
#[derive(Clone, Debug)]
pub(crate) struct Child {
    pub x: f32,
    pub y: f32,
    pub fragment: Rc<Fragment>,
}

/// A strip of content, and the columns that it is to fill.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    pub strip: Rc<Fragment>,
    /// Number, width and gap of columns, in px.
    pub count: usize,
    pub width: f32,
    pub gap: f32,
    /// The height that was asked for, or may not be passed.
    pub height: Option<f32>,
    /// Whether they are made equally high.
    pub balanced: bool,
    /// The style of the lines between them.
    pub rule: Option<Rc<Style>>,
}

/// Kind of a fragment.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// A box with its border and padding.
    Box {
        id: BoxId,
        style: Rc<Style>,
        border: Sides,
        padding: Sides,
        role: Role,
    },
    Line,
    /// Words on the base line at the fragment's upper edge.
    Text {
        pen: Pen,
        words: Vec<(f32, Rc<Word>)>,
        style: Rc<Style>,
        node: NodeId,
        link: Option<usize>,
    },
    /// A part of an element on one line: its background and border.
    Inline {
        style: Rc<Style>,
        border: Sides,
    },
    Picture {
        number: usize,
        node: NodeId,
        link: Option<usize>,
    },
    /// The sign for a picture that is not there.
    Missing,
    Marker {
        marker: Marker,
        style: Rc<Style>,
    },
    Anchor(Rc<str>),
    /// The head or foot of a table on a further page.
    Repeated,
    /// Columns side by side.
    Columns(Rc<Columns>),
    /// A fragment that is laid out as if text ran to the right, and painted turned.
    Turned(Rc<Fragment>, Turn),
}

/// Role of a box among the boxes around it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Role {
    /// In the flow.
    Flow,
    Float,
    /// Placed by itself.
    Absolute,
    /// Set like a letter: it is not broken.
    Atomic,
    Table(TableRole),
}

/// A part of a table.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TableRole {
    /// Its rows; heads and feet are repeated on every page.
    Table,
    Head,
    Foot,
    Row,
    /// With the borders that it has in a table whose borders collapse.
    Cell(Option<Box<[Option<Border>; 4]>>),
}

/// A box that is placed by itself.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub id: BoxId,
    /// Static position in the flow, from the upper left corner of the fragment.
    pub x: f32,
    pub y: f32,
}

impl Fragment {
    pub(crate) fn new(kind: Kind, width: f32, height: f32) -> Self {
        Self {
            width,
            height,
            kind,
            children: Vec::new(),
            baselines: None,
            pending: Vec::new(),
        }
    }

    /// Adds a fragment at a place, and takes over what is pending in it.
    pub(crate) fn add(&mut self, x: f32, y: f32, fragment: impl Into<Rc<Self>>) {
        let fragment = fragment.into();
        self.pending
            .extend(fragment.pending.iter().map(|pending| Pending {
                id: pending.id,
                x: pending.x + x,
                y: pending.y + y,
            }));
        self.children.push(Child { x, y, fragment });
    }

    pub(crate) fn style(&self) -> Option<&Rc<Style>> {
        match &self.kind {
            Kind::Box { style, .. }
            | Kind::Text { style, .. }
            | Kind::Inline { style, .. }
            | Kind::Marker { style, .. } => Some(style),
            Kind::Line
            | Kind::Picture { .. }
            | Kind::Missing
            | Kind::Anchor(_)
            | Kind::Repeated
            | Kind::Columns(_)
            | Kind::Turned(..) => None,
        }
    }

    pub(crate) fn role(&self) -> Option<&Role> {
        match &self.kind {
            Kind::Box { role, .. } => Some(role),
            _ => None,
        }
    }
}
