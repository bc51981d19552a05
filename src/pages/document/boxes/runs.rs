//! Lines before they are filled, and while they are. Decides nothing.

use super::tree::BoxId;
use convertd_layout::atoms::Atom;
use convertd_markup::css::style::Style;
use std::rc::Rc;

/// The excess that a line may have, in px, to allow for rounding.
pub(super) const TOLERANCE: f32 = 0.02;

/// Kind of a run.
#[derive(Clone)]
pub(super) enum What {
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
pub(super) struct Info {
    pub(super) span: usize,
    pub(super) what: What,
    /// It ends with a soft hyphen, which is seen where a line ends with it.
    pub(super) hyphen: bool,
}

/// Lines before they are filled.
pub(super) struct Prepared {
    pub(super) atoms: Vec<Atom>,
    pub(super) backwards: bool,
    /// Kinds and spans of all runs.
    pub(super) infos: Vec<Info>,
    /// Computed style of each span, here or on the first line.
    pub(super) styles: Vec<Rc<Style>>,
}

/// A line that is being filled.
pub(super) struct Filled {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) left: f32,
    pub(super) width: f32,
    pub(super) indent: f32,
    /// No line stands above it.
    pub(super) is_first: bool,
}
