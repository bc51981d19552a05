//! Types of inline content before and during line breaking, which the steps pass on to each other. Has no logic.

use super::{
    fragment::Fragment,
    tree::{BoxId, Inlines},
};
use convertd_layout::atoms::Atom;
use convertd_markup::css::style::Style;
use std::{collections::BTreeMap, rc::Rc};

/// Excess width that a line may have for rounding, in px.
pub(crate) const TOLERANCE: f32 = 0.02;

/// Kind of a run of atoms.
#[derive(Clone)]
pub(crate) enum What {
    Text,
    /// Forced line break.
    Break,
    /// Start edge of the inline box with this span.
    Open(usize),
    /// End edge of the inline box with this span.
    Close(usize),
    /// Atomic inline.
    Atomic(BoxId),
    Float(BoxId),
    Absolute(BoxId),
    /// Link target.
    Anchor(Rc<str>),
}

/// Span of a run and its kind.
#[derive(Clone)]
pub(crate) struct Info {
    pub span: usize,
    pub what: What,
}

/// Measured inline content.
pub(super) struct Prepared {
    /// Distance between tab stops, in px.
    pub(super) tab: f32,
    pub atoms: Vec<Atom>,
    /// Whether the paragraph's base direction is right to left.
    pub backwards: bool,
    /// Kind and span of each run.
    pub infos: Vec<Info>,
    /// Computed style of each span, or its style on the first line.
    pub styles: Vec<Rc<Style>>,
}

/// A line during line breaking.
pub(crate) struct Filled {
    /// Index of the first atom of the line.
    pub start: usize,
    /// Index after the last atom of the line.
    pub end: usize,
    /// Left edge between the floats, in px from the content box.
    pub left: f32,
    /// Width between the floats, in px.
    pub width: f32,
    /// `text-indent` in px.
    pub indent: f32,
    /// Whether this is the first line of its block.
    pub is_first: bool,
}

/// Position and size of a block container's content box.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    /// Corner in the coordinates of the floats.
    pub origin: (f32, f32),
    /// Width in px.
    pub width: f32,
    /// Height in px, if it is definite.
    pub height: Option<f32>,
}

/// Extent of a span on one line.
#[derive(Clone, Copy, Default)]
pub(crate) struct SpanExtent {
    /// Whether the span is on the line at all.
    pub any: bool,
    /// Whether the span has text of its own on the line.
    pub text: bool,
    /// Left edge without the margin, in px.
    pub from: f32,
    /// Right edge without the margin, in px.
    pub to: f32,
    /// Whether the start edge of the span is on this line.
    pub begins: bool,
    /// Whether the end edge of the span is on this line.
    pub ends: bool,
}

/// Spans on a line by index; parents have smaller indexes than their children.
pub(super) type SpansOnLine = BTreeMap<usize, SpanExtent>;

/// Input of line layout that is the same for all lines of a block.
#[derive(Clone, Copy)]
pub(crate) struct Text<'a> {
    pub prepared: &'a Prepared,
    pub inlines: &'a Inlines,
    /// Fragments of the atomic inlines, by run.
    pub boxes: &'a [Option<Rc<Fragment>>],
    /// Style of the block container.
    pub block: &'a Style,
    pub room: Room,
}
