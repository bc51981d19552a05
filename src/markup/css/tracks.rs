//! Values of grid properties: tracks and lines (CSS Grid 2, 7 and 8). Does not compute the sizes of tracks.

use super::{style::Size, value::Length};
use std::rc::Rc;

/// Sizing function of a track.
#[derive(Clone, Debug, PartialEq)]
pub enum Track {
    Size(Size),
    /// Number of `fr`, which are shares of the free space.
    Fraction(f32),
    MinMax(Box<Track>, Box<Track>),
    FitContent(Length),
}

/// Part of a track list.
#[derive(Clone, Debug, PartialEq)]
pub enum Tracks {
    One(Track),
    /// `repeat()`: number of repetitions (`None` for as many as fit), whether it is `auto-fit`
    /// instead of `auto-fill`, and the tracks.
    Repeat(Option<u16>, bool, Vec<Track>),
    /// Names of a line.
    Names(Vec<Rc<str>>),
}

/// Line at which an item starts or ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum GridLine {
    #[default]
    Auto,
    /// Number of the line, from 1; negative numbers count from the end.
    Line(i16),
    /// Number of tracks spanned.
    Span(u16),
    /// Name of a line or area, and the number of the line among those with this name.
    Named(Rc<str>, i16),
}
