//! The result of layout: strips, each as high as a line of text or a row of a table, with everything that is drawn on them. Decides
//! neither where lines end nor where pages do.
//!
//! Lengths are in points. In a strip, x runs from the left edge of the column, y from the upper edge of the strip downwards.

use super::{
    faces::{Chosen, Faces},
    look::Look,
    structure::NodeId,
    word::Word,
};
use convertd_tree::{Border, Colour, Position, Wrap};
use std::rc::Rc;

/// A rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Area {
    pub x: f32,
    pub y: f32,
    pub width: f32,
    pub height: f32,
}

/// The owner of content on a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Belongs {
    /// A structure element.
    To(NodeId),
    /// Nothing that would be read aloud: borders, backgrounds, repeated header rows.
    Layout,
}

/// A drawn item.
#[derive(Clone, Debug)]
pub enum Item {
    /// Words on one base line.
    Text {
        pen: Pen,
        /// Position of the baseline.
        y: f32,
        /// Words with their left edges.
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
    /// A straight row of dashes, or of dots.
    Dashes(Dashes),
    /// A picture, by its number among those of the document.
    Picture {
        area: Area,
        number: usize,
        belongs: Belongs,
    },
    /// The active area of a link, by the number of the link.
    Link { area: Area, link: usize },
    /// The destination of links to this name.
    Anchor { name: Rc<str>, y: f32 },
    /// The destination of an outline item, by its number.
    Outline { entry: usize, y: f32 },
    /// Items that are turned, made larger or smaller: x' = a·x + c·y + e, y' = b·x + d·y + f. Links among them stay where they are.
    Moved { matrix: [f32; 6], items: Vec<Item> },
    /// Items of which only what lies in the area is seen. Links among them reach as far as they do by themselves.
    Cut { area: Area, items: Vec<Item> },
    /// A filled outline. Where it crosses itself, every second part is empty.
    Path { path: Rc<[Segment]>, colour: Colour },
    /// Items that are only seen within an outline.
    Clipped {
        path: Rc<[Segment]>,
        items: Vec<Item>,
    },
    /// Items through which one sees what is behind them: from 0 for all of it, to 1 for nothing.
    Faded { opacity: f32, items: Vec<Item> },
}

/// A straight row of dashes, or of dots, along its middle. It begins and ends with a whole one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dashes {
    pub from: (f32, f32),
    pub to: (f32, f32),
    pub width: f32,
    /// The length of a dash.
    pub dash: f32,
    /// The distance between the ends of two dashes.
    pub gap: f32,
    /// Dashes are circles.
    pub round: bool,
    pub colour: Colour,
}

/// A piece of an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment {
    Move((f32, f32)),
    Line((f32, f32)),
    /// Two control points and the end of a Bézier curve.
    Curve((f32, f32), (f32, f32), (f32, f32)),
    Close,
}

impl Segment {
    fn shifted(self, x: f32, y: f32) -> Self {
        let at = |point: (f32, f32)| (point.0 + x, point.1 + y);
        match self {
            Self::Move(to) => Self::Move(at(to)),
            Self::Line(to) => Self::Line(at(to)),
            Self::Curve(one, other, to) => Self::Curve(at(one), at(other), at(to)),
            Self::Close => Self::Close,
        }
    }
}

impl Dashes {
    /// The limit on the dashes of an [outline](Self::outline).
    const MOST: usize = 5000;

    /// The dashes as one outline of rectangles.
    pub fn outline(&self) -> Vec<Segment> {
        let (dx, dy) = (self.to.0 - self.from.0, self.to.1 - self.from.1);
        let length = dx.hypot(dy);
        let step = (self.dash + self.gap).max(0.01);
        let count = ((length / step).ceil() as usize).min(Self::MOST);
        let (dx, dy) = (dx / length.max(0.01), dy / length.max(0.01));
        let (across, down) = (-dy * self.width / 2.0, dx * self.width / 2.0);
        let place = |at: f32, side: f32| {
            (
                self.from.0 + dx * at + across * side,
                self.from.1 + dy * at + down * side,
            )
        };
        let mut path = Vec::with_capacity(5 * count);
        for number in 0..count {
            let begin = number as f32 * step;
            let end = (begin + self.dash).min(length);
            path.extend([
                Segment::Move(place(begin, 1.0)),
                Segment::Line(place(end, 1.0)),
                Segment::Line(place(end, -1.0)),
                Segment::Line(place(begin, -1.0)),
                Segment::Close,
            ]);
        }
        path
    }
}

/// An outline at another place.
pub fn shifted(path: &[Segment], x: f32, y: f32) -> Rc<[Segment]> {
    path.iter().map(|segment| segment.shifted(x, y)).collect()
}

impl Item {
    /// Moves it.
    pub fn shift(&mut self, by_x: f32, by_y: f32) {
        match self {
            Self::Text { y, words, .. } => {
                *y += by_y;
                words.iter_mut().for_each(|(x, _)| *x += by_x);
            }
            Self::Fill { area, .. } | Self::Picture { area, .. } | Self::Link { area, .. } => {
                area.x += by_x;
                area.y += by_y;
            }
            Self::Line { from, to, .. } | Self::Dashes(Dashes { from, to, .. }) => {
                for end in [from, to] {
                    end.0 += by_x;
                    end.1 += by_y;
                }
            }
            Self::Anchor { y, .. } | Self::Outline { y, .. } => *y += by_y,
            Self::Moved { matrix, .. } => {
                matrix[4] += by_x;
                matrix[5] += by_y;
            }
            Self::Path { path, .. } => *path = shifted(path, by_x, by_y),
            Self::Clipped { path, items } => {
                *path = shifted(path, by_x, by_y);
                items.iter_mut().for_each(|item| item.shift(by_x, by_y));
            }
            Self::Faded { items, .. } => items.iter_mut().for_each(|item| item.shift(by_x, by_y)),
            Self::Cut { area, items } => {
                area.x += by_x;
                area.y += by_y;
                items.iter_mut().for_each(|item| item.shift(by_x, by_y));
            }
        }
    }

    /// Lets nothing of it be read aloud.
    pub fn silence(&mut self) {
        match self {
            Self::Text { belongs, .. } | Self::Picture { belongs, .. } => {
                *belongs = Belongs::Layout;
            }
            Self::Moved { items, .. }
            | Self::Clipped { items, .. }
            | Self::Cut { items, .. }
            | Self::Faded { items, .. } => {
                items.iter_mut().for_each(Self::silence);
            }
            Self::Fill { .. }
            | Self::Path { .. }
            | Self::Dashes(_)
            | Self::Line { .. }
            | Self::Link { .. }
            | Self::Anchor { .. }
            | Self::Outline { .. } => {}
        }
    }
}

/// Pen for words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pen {
    pub chosen: Chosen,
    pub size: f32,
    pub colour: Colour,
    /// Units of the font per em.
    pub units: f32,
    /// Horizontal scale of text; 1 is the font's own width.
    pub scale: f32,
    /// Horizontal scale of its glyphs: the text's scale, times that of the font that they stand in for.
    pub stretch: f32,
    /// Only the edges of letters are drawn.
    pub outlined: bool,
}

impl Pen {
    /// A pen with this face, in the size and the colour of the text's look.
    pub fn new(chosen: Chosen, look: &Look, faces: &Faces<'_>) -> Self {
        Self {
            chosen,
            size: look.size,
            colour: look.colour,
            units: faces.face(chosen.face).units(),
            scale: look.scale,
            stretch: look.scale * faces.measures(chosen).stretch,
            outlined: look.outlined,
        }
    }

    /// The width of a word in points.
    pub fn width(&self, word: &Word) -> f32 {
        word.advance as f32 * self.unit()
    }

    /// A unit of the font's advances in points.
    pub fn unit(&self) -> f32 {
        self.size / self.units * self.scale
    }
}

/// The background of a box, or a bar at its side, as high as the box.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub x: f32,
    pub width: f32,
    pub colour: Colour,
    /// Extent into the space above the strip.
    pub above: f32,
}

impl Frame {
    /// Item of the frame around a strip at `y` of this height and with this space `before` it.
    pub fn draw(&self, y: f32, height: f32, before: f32) -> Item {
        let above = self.above.min(before);
        Item::Fill {
            area: Area {
                x: self.x,
                y: y - above,
                width: self.width,
                height: height + above,
            },
            colour: self.colour,
        }
    }
}

/// A note after layout.
#[derive(Clone, Debug)]
pub struct SetNote {
    pub strips: Vec<Strip>,
}

impl SetNote {
    pub fn of(strips: &[Strip]) -> Self {
        Self {
            strips: strips.to_vec(),
        }
    }
}

/// Place where a strip may stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Begins {
    /// Below what stands before it.
    #[default]
    Anywhere,
    /// In a new column.
    Column,
    /// On a new page, without the space above it.
    Page,
    /// On a new page, below the space above it.
    PageWithSpace,
}

/// A part of a column that is not broken.
#[derive(Clone, Debug, Default)]
pub struct Strip {
    pub begins: Begins,
    /// The space above, which is omitted at the top of a page.
    pub before: f32,
    pub height: f32,
    /// Part of the height that may hang out of the page, at its end.
    pub spare: f32,
    /// Backgrounds, which are behind everything else.
    pub frames: Vec<Frame>,
    pub items: Vec<Item>,
    /// Frames that are anchored in it, and stand elsewhere on the page.
    pub floats: Vec<Float>,
    /// Footnotes that are referred to in it.
    pub notes: Vec<SetNote>,
    /// The base line of a line that is counted where lines have numbers.
    pub line: Option<f32>,
    /// It stays on the same page as the next strip.
    pub keep: bool,
    /// The cells of a row, which may be broken between their lines where the row does not fit.
    pub row: Option<Box<Row>>,
    /// Rows that are repeated above this one, if it begins a page.
    pub head: Option<Rc<Vec<Strip>>>,
}

impl Strip {
    /// Whether nothing of it is seen.
    pub fn is_blank(&self) -> bool {
        self.frames.is_empty()
            && self.items.is_empty()
            && self.floats.is_empty()
            && self.notes.is_empty()
            && self.row.is_none()
            && self.head.is_none()
    }
}

/// The cells of one row of a table.
#[derive(Clone, Debug, Default)]
pub struct Row {
    pub cells: Vec<SetCell>,
    /// At least this high, all in all.
    pub least: f32,
    /// And not higher, whatever is in it.
    pub exact: bool,
}

/// A cell after layout.
#[derive(Clone, Debug, Default)]
pub struct SetCell {
    pub x: f32,
    pub width: f32,
    pub background: Option<Colour>,
    pub top: Option<Border>,
    pub bottom: Option<Border>,
    pub left: Option<Border>,
    pub right: Option<Border>,
    /// Room above and below its content.
    pub above: f32,
    pub below: f32,
    /// Share of the free height above the content: 0 for the top, 0.5 for the middle, 1 for the bottom.
    pub lowered: f32,
    /// It continues from the row above, and has no upper border here.
    pub(crate) from_above: bool,
    /// It continues in the next row, and has no lower border here.
    pub goes_on: bool,
    /// Extent of its background below the row: over the rows that keep with this one and that its text reaches into.
    pub further: f32,
    /// Its content. Strips in cells have no rows of their own.
    pub strips: Vec<Strip>,
}

impl SetCell {
    /// Height of its content, without padding.
    pub fn content(&self) -> f32 {
        height(&self.strips)
    }
}

/// Height of strips together, at the top of a page.
pub fn height(strips: &[Strip]) -> f32 {
    let all: f32 = strips.iter().map(|strip| strip.before + strip.height).sum();
    all - strips.first().map_or(0.0, |strip| strip.before)
}

/// Moves everything down.
pub fn lower(items: &mut [Item], by: f32) {
    items.iter_mut().for_each(|item| item.shift(0.0, by));
}

/// A frame after layout.
#[derive(Clone, Debug)]
pub struct Float {
    /// Its number, in the order in which frames were set.
    pub number: usize,
    pub horizontal: Position,
    pub vertical: Position,
    pub wrap: Wrap,
    pub behind: bool,
    pub order: i64,
    /// The room that text leaves at the top, on the right, at the bottom and on the left.
    pub distances: [f32; 4],
    pub width: f32,
    pub height: f32,
    /// Items, from its upper left corner.
    pub items: Vec<Item>,
    /// Footnotes that are referred to in it.
    pub notes: Vec<SetNote>,
    /// Whether it stays with its paragraph even if there is no room on the page.
    pub apart: bool,
}
