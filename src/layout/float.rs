//! Floats: frames after layout, and the position of each on its page (ECMA-376 part 1, 20.4.2). Does not make text flow
//! around them; see [`layers`](super::layers).

use super::{
    item::{Area, Float, Item, Slice},
    units::points,
};
use convertd_tree::{At, Base, Extent, Frame, Length, Wrap};

/// Reference areas for positions on a page, in points from the corner that lengths are counted from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReferenceAreas {
    /// The upper left corner of the page. It is not 0 if lengths are counted from another corner, as in headers.
    pub origin: (f32, f32),
    /// Width and height of the page. A height of 0 means that the height is unknown.
    pub page: (f32, f32),
    /// The page without its margins.
    pub margin: Area,
    /// Left edge and width of the column.
    pub column: (f32, f32),
    /// The upper edge of the paragraph that a frame is anchored in.
    pub paragraph: f32,
    /// Whether the page is a left page of a book, where inside is right.
    pub even: bool,
}

impl ReferenceAreas {
    /// Reference areas inside a cell or another frame. All of them have this left edge and width, and an unknown
    /// height.
    pub fn within(left: f32, width: f32) -> Self {
        Self {
            origin: (left, 0.0),
            page: (width, 0.0),
            margin: Area {
                x: left,
                width,
                ..Area::default()
            },
            column: (left, width),
            ..Self::default()
        }
    }

    /// Start and length of a horizontal reference area.
    fn across(&self, base: Base) -> (f32, f32) {
        let margin = &self.margin;
        let right = margin.x + margin.width;
        match base {
            Base::Page => (self.origin.0, self.page.0),
            Base::Margin => (margin.x, margin.width),
            Base::StartMargin => (self.origin.0, margin.x - self.origin.0),
            Base::EndMargin => (right, (self.origin.0 + self.page.0 - right).max(0.0)),
            // The position of a character is known only after its line is set. The column is used instead, because most
            // such characters are the first of their paragraph.
            Base::Column | Base::Paragraph | Base::Line | Base::Character => self.column,
        }
    }

    /// Start and length of a vertical reference area.
    fn down(&self, base: Base) -> (f32, f32) {
        let margin = &self.margin;
        let bottom = margin.y + margin.height;
        match base {
            Base::Page => (self.origin.1, self.page.1),
            Base::Margin | Base::Column => (margin.y, margin.height),
            Base::StartMargin => (self.origin.1, margin.y - self.origin.1),
            Base::EndMargin => (bottom, (self.origin.1 + self.page.1 - bottom).max(0.0)),
            Base::Paragraph | Base::Line | Base::Character => (self.paragraph, 0.0),
        }
    }

    /// Width of a frame in points. `None` if its content determines it.
    pub fn width(&self, extent: Extent) -> Option<f32> {
        length(extent, |base| self.across(base).1)
    }

    /// Height of a frame in points, for content of this height.
    pub fn height(&self, extent: Extent, content: f32) -> f32 {
        match extent {
            Extent::AtLeast(least) => content.max(points(least)),
            _ => length(extent, |base| self.down(base).1).unwrap_or(content),
        }
    }
}

/// The largest side of a frame, in points.
pub const MAX: f32 = 14_400.0;

/// A specified length, or a share of a reference area, in points. `None` if the content determines the length.
fn length(extent: Extent, whole: impl Fn(Base) -> f32) -> Option<f32> {
    let length = match extent {
        Extent::Content | Extent::AtLeast(_) => return None,
        Extent::Exactly(length) => points(length),
        Extent::Share(share, base) => share * whole(base),
    };
    Some(length.clamp(1.0, MAX))
}

impl Float {
    /// A float of this size. Positions of its items are relative to its upper left corner.
    pub fn new(
        number: usize,
        frame: &Frame,
        (width, height): (f32, f32),
        items: Vec<Item>,
    ) -> Self {
        let distance = |length: Length| points(length).clamp(0.0, 1000.0);
        let edges = &frame.distances;
        Self {
            number,
            horizontal: frame.horizontal,
            vertical: frame.vertical,
            wrap: frame.wrap,
            behind: frame.behind,
            order: frame.order,
            distances: [edges.top, edges.right, edges.bottom, edges.left].map(distance),
            width,
            height,
            items,
            notes: Vec::new(),
            apart: frame.apart,
        }
    }

    /// Height below the top of the float's paragraph that must be free, in points. 0 if the paragraph may be anywhere.
    pub fn need(&self) -> f32 {
        let needs = match self.wrap {
            Wrap::None => false,
            Wrap::TopAndBottom => true,
            Wrap::Around(_) => !self.apart,
        };
        match self.vertical.at {
            At::Offset(offset) if needs && self.follows() => points(offset).max(0.0) + self.height,
            _ => 0.0,
        }
    }

    /// Adds the items of the float to a slice, at this position in the slice.
    pub fn inlay(mut self, slice: &mut Slice, (x, y): (f32, f32)) {
        self.items.iter_mut().for_each(|item| item.shift(x, y));
        if self.behind {
            self.items.append(&mut slice.items);
            slice.items = self.items;
        } else {
            slice.items.append(&mut self.items);
        }
    }

    /// Returns whether the float's vertical position depends on the paragraph that the float is anchored in.
    pub fn follows(&self) -> bool {
        matches!(
            self.vertical.base,
            Base::Paragraph | Base::Line | Base::Character
        )
    }

    /// Position of the float's upper left corner, from its alignments or offsets in these reference areas.
    pub fn corner(&self, areas: &ReferenceAreas) -> (f32, f32) {
        let x = placed(
            self.horizontal.at,
            areas.across(self.horizontal.base),
            self.width,
            areas.even,
        );
        let mut y = placed(
            self.vertical.at,
            areas.down(self.vertical.base),
            self.height,
            false,
        );
        // Frames that exclude text do not extend above or below the page, as in Word.
        if self.wrap != Wrap::None && areas.page.1 > 0.0 {
            let (top, bottom) = (areas.origin.1, areas.origin.1 + areas.page.1);
            y = y.min(bottom - self.height).max(top);
        }
        (x.clamp(-MAX, MAX), y.clamp(-MAX, MAX))
    }

    /// The exclusion of a float at this corner: the rectangle of the float, extended by the distances between the float
    /// and the text around it.
    pub fn room(&self, (x, y): (f32, f32)) -> Area {
        let [top, right, bottom, left] = self.distances;
        Area {
            x: x - left,
            y: y - top,
            width: self.width + left + right,
            height: self.height + top + bottom,
        }
    }
}

/// Start of a float of this length in a reference area. On `even` pages, inside and outside are exchanged.
fn placed(at: At, (begin, whole): (f32, f32), length: f32, even: bool) -> f32 {
    let end = begin + whole - length;
    match at {
        At::Offset(offset) => begin + points(offset),
        At::Share(share) => begin + share * whole,
        At::Start => begin,
        At::Middle => (begin + end) / 2.0,
        At::End => end,
        At::Inside if even => end,
        At::Inside => begin,
        At::Outside if even => begin,
        At::Outside => end,
    }
}
