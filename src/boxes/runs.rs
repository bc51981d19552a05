//! Lines before they are filled, and while they are. Decides nothing.

use super::tree::BoxId;
use convertd_layout::atoms::Atom;
use convertd_markup::css::style::Style;
use std::rc::Rc;

/// The excess that a line may have, in px, to allow for rounding.
pub(crate) const TOLERANCE: f32 = 0.02;

/// Kind of a run.
#[derive(Clone)]
pub(crate) enum What {
    Text,
    Break,
    Open(usize),
    Close(usize),
    Atomic(BoxId),
    Float(BoxId),
    Absolute(BoxId),
    Anchor(Rc<str>),
}

/// Kind of a run, and the span that it is in.
#[derive(Clone)]
pub(crate) struct Info {
    pub span: usize,
    pub what: What,
    /// It ends with a soft hyphen, which is seen where a line ends with it.
    pub hyphen: bool,
}

/// Lines before they are filled.
pub(super) struct Prepared {
    pub atoms: Vec<Atom>,
    pub backwards: bool,
    /// Kinds and spans of all runs.
    pub infos: Vec<Info>,
    /// Computed style of each span, here or on the first line.
    pub styles: Vec<Rc<Style>>,
}

/// A line that is being filled.
pub(crate) struct Filled {
    pub start: usize,
    pub end: usize,
    pub left: f32,
    pub width: f32,
    pub indent: f32,
    /// No line stands above it.
    pub is_first: bool,
}
