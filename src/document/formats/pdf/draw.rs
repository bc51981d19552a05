//! What layout hands on: strips, each as high as a line of text or a row of a table, with what is drawn on it. Decides neither
//! where lines end nor where pages do.
//!
//! Lengths are in points. In a strip, x runs from the left edge of the column, y from the upper edge of the strip downwards.

use super::{faces::Chosen, structure::NodeId, word::Word};
use crate::document::tree::{Border, Colour, Length};
use std::rc::Rc;

/// A rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Area {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) width: f32,
    pub(super) height: f32,
}

/// What a mark on paper belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Belongs {
    /// To a piece of the document.
    To(NodeId),
    /// To nothing that a reader would read aloud: borders, backgrounds, repeated heads.
    Layout,
}

/// One thing that is drawn.
#[derive(Clone, Debug)]
pub(super) enum Draw {
    /// Words on one base line.
    Text {
        pen: Pen,
        /// Of the base line.
        y: f32,
        /// Where each begins.
        words: Vec<(f32, Rc<Word>)>,
        belongs: Belongs,
    },
    /// A filled rectangle.
    Fill { area: Area, colour: Colour },
    /// A line from one point to another, along an edge.
    Line {
        from: (f32, f32),
        to: (f32, f32),
        border: Border,
    },
    /// A picture, by its number among those of the document.
    Picture {
        area: Area,
        number: usize,
        belongs: Belongs,
    },
    /// What a link reacts to, by the number of the link.
    Link { area: Area, link: usize },
    /// The place that links to this name lead to.
    Anchor { name: Rc<str>, y: f32 },
    /// The place of an entry in the outline, by its number.
    Outline { entry: usize, y: f32 },
}

/// How words are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pen {
    pub(super) chosen: Chosen,
    pub(super) size: f32,
    pub(super) colour: Colour,
    /// Units of the face in its size.
    pub(super) units: f32,
}

impl Pen {
    /// How wide a word is, in points.
    pub(super) fn width(&self, word: &Word) -> f32 {
        word.advance as f32 * self.size / self.units
    }
}

/// A background or a bar at the side of everything in a box, as high as the box is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) x: f32,
    pub(super) width: f32,
    pub(super) colour: Colour,
    /// How far it reaches above the strip, into the space there.
    pub(super) above: f32,
}

/// A note, set.
#[derive(Clone, Debug)]
pub(super) struct SetNote {
    pub(super) strips: Vec<Strip>,
}

/// Where a strip may stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Begins {
    /// Below what stands before it.
    #[default]
    Anywhere,
    /// On a new page.
    Page,
}

/// A part of a column that is not broken.
#[derive(Clone, Debug, Default)]
pub(super) struct Strip {
    pub(super) begins: Begins,
    /// Room above, unless it stands at the top of a page.
    pub(super) before: f32,
    pub(super) height: f32,
    /// Behind everything else.
    pub(super) frames: Vec<Frame>,
    pub(super) draws: Vec<Draw>,
    /// Footnotes that are referred to in it.
    pub(super) notes: Vec<SetNote>,
    /// Stands on the same page as the next one.
    pub(super) keep: bool,
    /// The cells of a row, which may be broken between their lines where the row does not fit.
    pub(super) row: Option<Box<Row>>,
    /// Rows that are repeated above this one, if it begins a page.
    pub(super) head: Option<Rc<Vec<Strip>>>,
}

/// The cells of one row of a table.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub(super) cells: Vec<SetCell>,
    /// At least this high, all in all.
    pub(super) least: f32,
}

/// A cell, set.
#[derive(Clone, Debug, Default)]
pub(super) struct SetCell {
    pub(super) x: f32,
    pub(super) width: f32,
    pub(super) background: Option<Colour>,
    pub(super) top: Option<Border>,
    pub(super) bottom: Option<Border>,
    pub(super) left: Option<Border>,
    pub(super) right: Option<Border>,
    /// Room above and below its content.
    pub(super) above: f32,
    pub(super) below: f32,
    /// How much of the room that is left stands above the content: 0 for the top, 0.5 for the middle, 1 for the bottom.
    pub(super) lowered: f32,
    /// Reaches here from the row above: has no upper edge.
    pub(super) from_above: bool,
    /// Reaches into the next row: has no lower edge.
    pub(super) goes_on: bool,
    /// How far its background reaches below the row: over the rows that keep with this one and that its text reaches into.
    pub(super) further: f32,
    /// Its content. Strips in cells have no rows of their own.
    pub(super) strips: Vec<Strip>,
}

impl SetCell {
    /// How high its content is, without padding.
    pub(super) fn content(&self) -> f32 {
        height(&self.strips)
    }
}

/// How high strips are together, at the top of a page.
pub(super) fn height(strips: &[Strip]) -> f32 {
    let all: f32 = strips.iter().map(|strip| strip.before + strip.height).sum();
    all - strips.first().map_or(0.0, |strip| strip.before)
}

/// A length of the tree in points.
pub(super) fn points(length: Length) -> f32 {
    length.to_points() as f32
}

/// Moves everything down.
pub(super) fn lower(draws: &mut [Draw], by: f32) {
    for draw in draws {
        match draw {
            Draw::Text { y, .. } | Draw::Anchor { y, .. } | Draw::Outline { y, .. } => *y += by,
            Draw::Fill { area, .. } | Draw::Picture { area, .. } | Draw::Link { area, .. } => {
                area.y += by
            }
            Draw::Line { from, to, .. } => {
                from.1 += by;
                to.1 += by;
            }
        }
    }
}
