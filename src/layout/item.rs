//! The result of layout: slices, and the items that are drawn in them. A slice is as high as a line box or a table row.
//! Decides neither line breaks nor page breaks.
//!
//! Lengths are in points. In a slice, x runs from the left edge of the column, y from the upper
//! edge of the slice downwards.

use super::{
    faces::{Chosen, Faces},
    structure::NodeId,
    text_format::TextFormat,
    word::Word,
};
use convertd_tree::{Border, Colour, NoteId, Position, Wrap};
use std::rc::Rc;

/// A rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Area {
    pub x: f32,
    pub y: f32,
    pub width: f32,
    pub height: f32,
}

/// The owner of content on a page, for tagged PDF (ISO 32000-2, 14.8.2.2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Owner {
    /// A structure element.
    To(NodeId),
    /// An artifact, which is not read aloud: borders, backgrounds, repeated header rows.
    Layout,
}

/// An item: an object that is drawn, the area of a link, or a destination.
#[derive(Clone, Debug)]
pub enum Item {
    /// Words on one baseline.
    Text {
        pen: Pen,
        /// Distance of the baseline from the upper edge of the slice.
        y: f32,
        /// Words, each with its left edge.
        words: Vec<(f32, Rc<Word>)>,
        belongs: Owner,
    },
    /// A filled rectangle.
    Fill { area: Area, colour: Colour },
    /// A straight line in the style of a border. `from` and `to` are the ends of its centre line.
    Line {
        from: (f32, f32),
        to: (f32, f32),
        border: Border,
    },
    /// A straight row of dashes or dots.
    Dashes(Dashes),
    /// A picture, by its index among the document's resources.
    Picture {
        area: Area,
        number: usize,
        belongs: Owner,
    },
    /// The active area of a link, by the index of the link.
    Link { area: Area, link: usize },
    /// The destination of links to this name.
    Anchor { name: Rc<str>, y: f32 },
    /// The destination of an outline item, by its index.
    Outline { entry: usize, y: f32 },
    /// Transformed items: x' = a·x + c·y + e, y' = b·x + d·y + f. Links among them are not
    /// transformed.
    Moved { matrix: [f32; 6], items: Vec<Item> },
    /// Items clipped to a rectangle. Links among them are not clipped.
    Cut { area: Area, items: Vec<Item> },
    /// A filled path, by the even-odd rule.
    Path { path: Rc<[Segment]>, colour: Colour },
    /// Items clipped to a path.
    Clipped {
        path: Rc<[Segment]>,
        items: Vec<Item>,
    },
    /// Items with an opacity, from 0 (invisible) to 1.
    Faded { opacity: f32, items: Vec<Item> },
}

/// A straight row of dashes or dots along its centre line. It begins with a whole dash; the last dash may be cut at the
/// end of the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dashes {
    /// Start of the centre line.
    pub from: (f32, f32),
    /// End of the centre line.
    pub to: (f32, f32),
    /// Thickness of the line.
    pub width: f32,
    /// Length of a dash.
    pub dash: f32,
    /// Distance from the end of a dash to the start of the next one.
    pub gap: f32,
    /// Whether dashes are circles instead of rectangles.
    pub round: bool,
    pub colour: Colour,
}

/// A segment of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment {
    /// Begins a subpath.
    Move((f32, f32)),
    /// A straight line from the current point.
    Line((f32, f32)),
    /// A cubic Bézier curve: two control points and the end.
    Curve((f32, f32), (f32, f32), (f32, f32)),
    /// A straight line back to the start of the subpath.
    Close,
}

impl Segment {
    /// The segment after a translation by `x` and `y`.
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
    /// Limit on the dashes of an [outline](Self::outline).
    const MAX: usize = 5000;

    /// The dashes as one path of rectangles along the line, even if they are `round`.
    pub fn outline(&self) -> Vec<Segment> {
        let (dx, dy) = (self.to.0 - self.from.0, self.to.1 - self.from.1);
        let length = dx.hypot(dy);
        let step = (self.dash + self.gap).max(0.01);
        let count = ((length / step).ceil() as usize).min(Self::MAX);
        let (dx, dy) = (dx / length.max(0.01), dy / length.max(0.01));
        // Vector across the line, half as long as the line is thick.
        let (across, down) = (-dy * self.width / 2.0, dx * self.width / 2.0);
        // Point at the distance `at` along the line, on one side (`side` is 1) or the other (-1).
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

/// A path after a translation by `x` and `y`.
pub fn shifted(path: &[Segment], x: f32, y: f32) -> Rc<[Segment]> {
    path.iter().map(|segment| segment.shifted(x, y)).collect()
}

impl Item {
    /// Moves the item.
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
            // The items keep their coordinates. The transformation moves them.
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

    /// Makes the item an artifact, with all items in it.
    pub fn silence(&mut self) {
        match self {
            Self::Text { belongs, .. } | Self::Picture { belongs, .. } => {
                *belongs = Owner::Layout;
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

/// Properties of the text that words are drawn with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pen {
    /// Face, and the styles that are synthesised from it.
    pub chosen: Chosen,
    /// Font size in points.
    pub size: f32,
    pub colour: Colour,
    /// Units of the font per em.
    pub units: f32,
    /// Horizontal scale of text; 1 is the font's own width.
    pub scale: f32,
    /// Horizontal scale of the glyphs: the scale of the text, multiplied by the factor that makes the glyphs as wide as
    /// those of the font that they replace.
    pub stretch: f32,
    /// Whether only the outlines of letters are drawn.
    pub outlined: bool,
}

impl Pen {
    /// A pen for text with this formatting in a chosen face.
    pub fn new(chosen: Chosen, text_format: &TextFormat, faces: &Faces<'_>) -> Self {
        Self {
            chosen,
            size: text_format.size,
            colour: text_format.colour,
            units: faces.face(chosen.face).units(),
            scale: text_format.scale,
            stretch: text_format.scale * faces.measures(chosen).stretch,
            outlined: text_format.outlined,
        }
    }

    /// Advance of a word in points.
    pub fn width(&self, word: &Word) -> f32 {
        word.advance as f32 * self.unit()
    }

    /// Width of one font unit, in points.
    pub fn unit(&self) -> f32 {
        self.size / self.units * self.scale
    }
}

/// The part of a box's background, or of a bar at its side, that belongs to one slice.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Left edge in the column, in points.
    pub x: f32,
    /// Width, in points.
    pub width: f32,
    pub colour: Colour,
    /// Height of the frame above the slice, so that there are no gaps between the slices of a box.
    pub above: f32,
}

impl Frame {
    /// The frame as an item, for a slice at `y` with this height and with the space `before` above it.
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
    /// Lines of the note.
    pub slices: Vec<Slice>,
}

impl SetNote {
    /// A note with these slices as its lines.
    pub fn of(slices: &[Slice]) -> Self {
        Self {
            slices: slices.to_vec(),
        }
    }
}

/// Demand for a new column or page in front of a slice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BreakBefore {
    /// No demand: the slice follows the one before it.
    #[default]
    Anywhere,
    /// A new column.
    Column,
    /// A new page, without the space above.
    Page,
    /// A new page, with the space above.
    PageWithSpace,
}

/// A part of a column that is never broken: a line box, or a table row.
#[derive(Clone, Debug, Default)]
pub struct Slice {
    /// Demand for a new column or page.
    pub begins: BreakBefore,
    /// The note whose first line this slice is.
    pub note: Option<NoteId>,
    /// The space above, which is usually omitted or reduced at the top of a column.
    pub before: f32,
    /// Height without the space above.
    pub height: f32,
    /// The part of the height, at the lower end, that may overflow the page.
    pub spare: f32,
    /// Backgrounds, behind everything else.
    pub frames: Vec<Frame>,
    /// Content, in painting order.
    pub items: Vec<Item>,
    /// Frames that are anchored in the slice, but have positions of their own on the page.
    pub floats: Vec<Float>,
    /// Footnotes that are referred to in the slice.
    pub notes: Vec<SetNote>,
    /// The baseline, if the slice is a line that line numbers count.
    pub line: Option<f32>,
    /// Whether the slice must be on the same page as the next slice.
    pub keep: bool,
    /// The cells, if the slice is a table row. A row that does not fit on a page may be broken between the lines of its
    /// cells.
    pub row: Option<Box<Row>>,
    /// Header rows, which are repeated above this row if it begins a page.
    pub head: Option<Rc<Vec<Slice>>>,
    /// Style and text of the paragraph that begins in the slice, if a header or footer repeats the text.
    pub running: Option<Rc<(Box<str>, String)>>,
}

impl Slice {
    /// Returns whether nothing in the slice is visible.
    pub fn is_blank(&self) -> bool {
        self.frames.is_empty()
            && self.items.is_empty()
            && self.floats.is_empty()
            && self.notes.is_empty()
            && self.row.is_none()
            && self.head.is_none()
    }
}

/// A table row.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Cells in any order, because each has a position of its own.
    pub cells: Vec<SetCell>,
    /// Smallest height of the row, in points.
    pub least: f32,
    /// Whether the row is exactly `least` high, whatever its content needs.
    pub exact: bool,
}

/// A cell after layout.
#[derive(Clone, Debug, Default)]
pub struct SetCell {
    /// Left edge in the column.
    pub x: f32,
    /// Width, with padding.
    pub width: f32,
    pub background: Option<Colour>,
    /// Upper border, centred on the upper edge of the cell.
    pub top: Option<Border>,
    /// Lower border, centred on the lower edge.
    pub bottom: Option<Border>,
    /// Left border, centred on the left edge.
    pub left: Option<Border>,
    /// Right border, centred on the right edge.
    pub right: Option<Border>,
    /// Padding above the content.
    pub above: f32,
    /// Padding below the content.
    pub below: f32,
    /// Share of the free height above the content: 0 for top, 0.5 for middle, 1 for bottom
    /// alignment.
    pub lowered: f32,
    /// Whether the cell continues from the row above (vertical span), so that it has no upper border here.
    pub(crate) from_above: bool,
    /// Whether the cell continues in the next row, so that it has no lower border here.
    pub goes_on: bool,
    /// Height of the following rows that the cell's background also covers. These rows hold more of the cell's text,
    /// and are on the same page.
    pub further: f32,
    /// Content. Slices in cells have no rows of their own.
    pub slices: Vec<Slice>,
}

impl SetCell {
    /// Height of the cell's content, without padding.
    pub fn content(&self) -> f32 {
        height(&self.slices)
    }
}

/// Total height of slices at the top of a page, where the space above the first one is omitted.
pub fn height(slices: &[Slice]) -> f32 {
    let all: f32 = slices.iter().map(|slice| slice.before + slice.height).sum();
    all - slices.first().map_or(0.0, |slice| slice.before)
}

/// Moves items down.
pub fn lower(items: &mut [Item], by: f32) {
    items.iter_mut().for_each(|item| item.shift(0.0, by));
}

/// A frame after layout, before it gets its position on the page.
#[derive(Clone, Debug)]
pub struct Float {
    /// Number, in the order in which frames were set.
    pub number: usize,
    /// Horizontal position: a reference area, and an alignment or offset in this area.
    pub horizontal: Position,
    /// Vertical position: a reference area, and an alignment or offset in this area.
    pub vertical: Position,
    /// The way in which text flows around the frame.
    pub wrap: Wrap,
    /// Whether the frame is painted behind the text.
    pub behind: bool,
    /// Painting order among floats. Those with a higher number are in front.
    pub order: i64,
    /// Distances from the text: top, right, bottom and left.
    pub distances: [f32; 4],
    pub width: f32,
    pub height: f32,
    /// Content, from its upper left corner.
    pub items: Vec<Item>,
    /// Footnotes that are referred to in the frame.
    pub notes: Vec<SetNote>,
    /// Whether the content is separate from the main text. If so, and if text flows around the frame, the paragraph of
    /// the frame is placed even on a page where the frame does not fit.
    pub apart: bool,
}
