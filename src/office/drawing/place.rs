//! Transforms of shapes (ECMA-376 part 1, 20.1.7): rectangles that are rotated about their centres and flipped, in the
//! coordinates of groups. Reads only transforms.

use super::{flag, number};
use crate::containers::xml::Node;
use convertd_tree::Length;

/// Rectangle before its rotation about its centre, in English Metric Units from the upper left corner of the sheet or
/// group.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
    /// Rotation, in degrees clockwise.
    pub turn: f64,
    /// Whether the shape is flipped horizontally and vertically. Flipping comes before the rotation.
    pub flips: (bool, bool),
}

impl Place {
    /// Reads an `a:xfrm` or `p:xfrm`.
    pub fn read(transform: &Node<'_>) -> Option<Self> {
        let (x, y) = pair(transform, "off", ["x", "y"])?;
        let (width, height) = pair(transform, "ext", ["cx", "cy"])?;
        // Angles are in 60000ths of a degree.
        let turn = number(transform, "rot").unwrap_or(0) as f64 / 60_000.0;
        let is_set = |name| flag(transform, name).unwrap_or(false);
        Some(Self {
            x,
            y,
            width: width.abs(),
            height: height.abs(),
            turn: turn.rem_euclid(360.0),
            flips: (is_set("flipH"), is_set("flipV")),
        })
    }

    /// Middle of the rectangle, about which it is rotated.
    pub fn middle(&self) -> (f64, f64) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    /// The middle as a frame states it ([`Frame::pivot`](convertd_tree::Frame::pivot)).
    pub fn pivot(&self) -> (Length, Length) {
        let (x, y) = self.middle();
        (Length::emu(x as i64), Length::emu(y as i64))
    }
}

/// Rounds a rotation in degrees to quarter turns clockwise, from 0 to 3.
pub fn quarter_turns(degrees: f64) -> u8 {
    (degrees / 90.0).round().rem_euclid(4.0) as u8
}

/// Returns whether a rotation in degrees differs from quarter turns by more than one degree. Pictures can be shown in
/// quarter turns themselves; any other angle needs a drawing.
pub fn is_tilted(degrees: f64) -> bool {
    (degrees - 90.0 * (degrees / 90.0).round()).abs() > 1.0
}

/// Coordinate system of a group, and its transform to the sheet. The sheet is a slide, or the rectangle of a drawing.
#[derive(Clone, Copy, Debug)]
pub struct Space {
    /// Conversion from a point of the group to a point of the sheet: x' = a·x + c·y + e, y' = b·x + d·y + f.
    matrix: [f64; 6],
    /// Scale of widths and heights.
    scale: (f64, f64),
    /// Rotation, in degrees clockwise.
    turn: f64,
    /// Whether the group is flipped horizontally and vertically.
    flips: (bool, bool),
}

impl Space {
    /// Coordinate system of the sheet.
    pub const SHEET: Self = Self {
        matrix: [1.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        scale: (1.0, 1.0),
        turn: 0.0,
        flips: (false, false),
    };

    /// Returns the coordinate system of a group that is inside this coordinate system, by the `a:xfrm` of the group. If
    /// the `a:xfrm` is incomplete, it is this coordinate system.
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

    /// Returns the coordinate system of a group that is inside this coordinate system. The group is at `place`; its own
    /// coordinates begin at `(x, y)` and have the extent `(width, height)`.
    pub fn inside(&self, place: Place, (x, y): (f64, f64), (width, height): (f64, f64)) -> Self {
        let ratio = |of: f64, to: f64| if to == 0.0 { 1.0 } else { of / to };
        let (across, down) = (ratio(place.width, width), ratio(place.height, height));
        let centre = place.middle();
        let sign = |flipped: bool| if flipped { -1.0 } else { 1.0 };
        let (flip_x, flip_y) = (sign(place.flips.0), sign(place.flips.1));
        let (sin, cos) = place.turn.to_radians().sin_cos();
        // Scale to the rectangle of the group, then flip and rotate about its centre.
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
        // If the space is flipped in one direction only, rotations are in the opposite direction.
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

    /// Returns a coordinate system with this origin on the sheet, neither rotated nor flipped. It scales widths and
    /// heights as this coordinate system does, but not positions.
    pub fn moved(&self, x: f64, y: f64) -> Self {
        let mut own = Self::SHEET;
        own.matrix[4] = x;
        own.matrix[5] = y;
        own.scale = self.scale;
        own
    }

    /// Returns the place on the sheet of a rectangle in this coordinate system.
    pub fn on_sheet(&self, place: Place) -> Place {
        let [a, b, c, d, e, f] = self.matrix;
        let (x, y) = place.middle();
        let (x, y) = (a * x + c * y + e, b * x + d * y + f);
        // The width of a rectangle that is rotated by about 90 or 270 degrees is scaled vertically, and its height
        // horizontally.
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

/// Returns the transform that applies `inner` and then `outer`. `[a, b, c, d, e, f]` converts x to a·x + c·y + e, and y
/// to b·x + d·y + f.
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

/// Reads two attributes of a child, such as a position.
fn pair(transform: &Node<'_>, name: &str, [x, y]: [&str; 2]) -> Option<(f64, f64)> {
    let node = transform.child("a", name)?;
    Some((number(node, x)? as f64, number(node, y)? as f64))
}
