//! Values of grids: the tracks of rows and columns, and the lines between them (CSS Grid 1, 7 and 8). Sizes none of them.

use super::{style::Size, value::Length};
use std::rc::Rc;

/// The size of a track of a grid.
#[derive(Clone, Debug, PartialEq)]
pub enum Track {
    Size(Size),
    Fraction(f32),
    MinMax(Box<Track>, Box<Track>),
    FitContent(Length),
}

/// A part of the list of tracks of a grid.
#[derive(Clone, Debug, PartialEq)]
pub enum Tracks {
    One(Track),
    /// Repeated so often, or as often as there is room (`None`), fitting instead of filling if it says so.
    Repeat(Option<u16>, bool, Vec<Track>),
    /// The names of a line.
    Names(Vec<Rc<str>>),
}

/// A line of a grid, where an item begins or ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum GridLine {
    #[default]
    Auto,
    Line(i16),
    Span(u16),
    Named(Rc<str>, i16),
}
