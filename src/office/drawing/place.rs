//! Transforms of shapes (ECMA-376 part 1, 20.1.7): a rectangle, turned about its centre and flipped, in the coordinates
//! of its group. Reads nothing but transforms.

use super::{flag, number};
use crate::containers::xml::Node;

/// A rectangle in English Metric Units from the upper left corner of whatever it is on, before it is turned about its
/// centre.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
    /// Clockwise, in degrees.
    pub turn: f64,
    /// Whether left and right, and whether top and bottom are exchanged, before it is turned.
    pub flips: (bool, bool),
}

impl Place {
    /// Reads an `a:xfrm` or `p:xfrm`.
    pub fn read(transform: &Node<'_>) -> Option<Self> {
        let (x, y) = pair(transform, "off", ["x", "y"])?;
        let (width, height) = pair(transform, "ext", ["cx", "cy"])?;
        let turn = number(transform, "rot").unwrap_or(0) as f64 / 60_000.0;
        let is = |name| flag(transform, name).unwrap_or(false);
        Some(Self {
            x,
            y,
            width: width.abs(),
            height: height.abs(),
            turn: turn.rem_euclid(360.0),
            flips: (is("flipH"), is("flipV")),
        })
    }
}

/// The space in which the shapes of a group are placed, and how it lies on the sheet: a slide, or the rectangle of a
/// drawing.
#[derive(Clone, Copy, Debug)]
pub struct Space {
    /// From a point of the group to one of the sheet: x' = a·x + c·y + e, y' = b·x + d·y + f.
    matrix: [f64; 6],
    /// Scale of widths and heights.
    scale: (f64, f64),
    turn: f64,
    flips: (bool, bool),
}

impl Space {
    /// The sheet itself.
    pub const SHEET: Self = Self {
        matrix: [1.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        scale: (1.0, 1.0),
        turn: 0.0,
        flips: (false, false),
    };

    /// The space of a group in this one, by its `a:xfrm`.
    pub fn group(&self, transform: &Node<'_>) -> Self {
        let (Some(place), Some((x, y)), Some((width, height))) = (
            Place::read(transform),
            pair(transform, "chOff", ["x", "y"]),
            pair(transform, "chExt", ["cx", "cy"]),
        ) else {
            return *self;
        };
        self.inside(place, (x, y), (width, height))
    }

    /// The space of a group at this place in this one, whose own coordinates begin at a corner and have this extent.
    pub fn inside(&self, place: Place, (x, y): (f64, f64), (width, height): (f64, f64)) -> Self {
        let ratio = |of: f64, to: f64| if to == 0.0 { 1.0 } else { of / to };
        let (across, down) = (ratio(place.width, width), ratio(place.height, height));
        let centre = (place.x + place.width / 2.0, place.y + place.height / 2.0);
        let sign = |flipped: bool| if flipped { -1.0 } else { 1.0 };
        let (flip_x, flip_y) = (sign(place.flips.0), sign(place.flips.1));
        let (sin, cos) = place.turn.to_radians().sin_cos();
        // First to the group's rectangle, then flipped and turned about its centre.
        let [a, b, c, d] = [
            cos * flip_x * across,
            sin * flip_x * across,
            -sin * flip_y * down,
            cos * flip_y * down,
        ];
        let from = (
            place.x - x * across - centre.0,
            place.y - y * down - centre.1,
        );
        let e = cos * flip_x * from.0 - sin * flip_y * from.1 + centre.0;
        let f = sin * flip_x * from.0 + cos * flip_y * from.1 + centre.1;
        let turn = if self.flips.0 == self.flips.1 {
            place.turn
        } else {
            -place.turn
        };
        Self {
            matrix: joined(self.matrix, [a, b, c, d, e, f]),
            scale: (self.scale.0 * across, self.scale.1 * down),
            turn: self.turn + turn,
            flips: (self.flips.0 != place.flips.0, self.flips.1 != place.flips.1),
        }
    }

    /// The same space with another origin, given on the sheet.
    pub fn moved(&self, x: f64, y: f64) -> Self {
        let mut own = Self::SHEET;
        own.matrix[4] = x;
        own.matrix[5] = y;
        own.scale = self.scale;
        own
    }

    /// The place on the sheet of a frame in this space.
    pub fn on_sheet(&self, place: Place) -> Place {
        let [a, b, c, d, e, f] = self.matrix;
        let (x, y) = (place.x + place.width / 2.0, place.y + place.height / 2.0);
        let (x, y) = (a * x + c * y + e, b * x + d * y + f);
        // A frame that lies on its side is stretched by the other factor.
        let lies = matches!(place.turn.rem_euclid(180.0), turn if (45.0..135.0).contains(&turn));
        let (across, down) = match lies {
            true => (self.scale.1, self.scale.0),
            false => self.scale,
        };
        let (width, height) = (place.width * across.abs(), place.height * down.abs());
        let turn = if self.flips.0 == self.flips.1 {
            place.turn
        } else {
            -place.turn
        };
        Place {
            x: x - width / 2.0,
            y: y - height / 2.0,
            width,
            height,
            turn: (self.turn + turn).rem_euclid(360.0),
            flips: (place.flips.0 != self.flips.0, place.flips.1 != self.flips.1),
        }
    }
}

/// The transform of `inner` and then `outer`, each a matrix by columns: `[a, b, c, d, e, f]` takes x to ax + cy + e.
pub(super) fn joined(outer: [f64; 6], inner: [f64; 6]) -> [f64; 6] {
    let [a, b, c, d, e, f] = outer;
    let [g, h, i, j, k, l] = inner;
    [
        a * g + c * h,
        b * g + d * h,
        a * i + c * j,
        b * i + d * j,
        a * k + c * l + e,
        b * k + d * l + f,
    ]
}

fn pair(transform: &Node<'_>, name: &str, [x, y]: [&str; 2]) -> Option<(f64, f64)> {
    let node = transform.child("a", name)?;
    Some((number(node, x)? as f64, number(node, y)? as f64))
}
