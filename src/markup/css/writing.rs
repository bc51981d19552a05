//! Rotation of boxes for vertical writing modes (CSS Writing Modes 4, 2 and 6). Does no layout.
//!
//! A box in another writing mode than its parent is laid out as horizontal text, and rotated as a
//! whole when it is painted. So the physical properties of its content, such as `margin-left`, are rotated the opposite
//! way before layout ([`Style::turned`]).

use super::{
    colour::Paint,
    rgba::Rgba,
    style::{
        BOTTOM, Border, Display, Float, Gradient, GradientShape, Image, LEFT, Overflow, Position,
        RIGHT, Size, Style, TOP, VerticalAlign, Writing,
    },
    value::Length,
};
use std::rc::Rc;

/// A unit vector of the page along an axis: 1 to the right or down, -1 the other way.
type Axis = (i8, i8);

/// Rotation of a box, as two axes of the box in the coordinates of the surrounding box. May also mirror the box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Direction from the left side of the box to its right side.
    pub across: Axis,
    /// Direction from the top of the box to its bottom.
    pub down: Axis,
}

impl Turn {
    /// Rotation of a box with this writing mode on the page.
    pub fn of(writing: Writing) -> Self {
        let (across, down) = match writing {
            Writing::Horizontal => ((1, 0), (0, 1)),
            Writing::VerticalRl | Writing::SidewaysRl => ((0, 1), (-1, 0)),
            Writing::VerticalLr => ((0, 1), (1, 0)),
            Writing::SidewaysLr => ((0, -1), (1, 0)),
        };
        Self { across, down }
    }

    /// Rotation relative to a box with the rotation `around`: both axes expressed in that box.
    pub fn within(self, around: Self) -> Self {
        let dot = |one: Axis, other: Axis| one.0 * other.0 + one.1 * other.1;
        let seen = |axis: Axis| (dot(axis, around.across), dot(axis, around.down));
        Self {
            across: seen(self.across),
            down: seen(self.down),
        }
    }

    /// Returns whether the box is also mirrored. In `vertical-lr`, letters are rotated clockwise, but lines follow each
    /// other to the right, and not to the left as after a rotation.
    pub fn mirrors(self) -> bool {
        self.across.0 * self.down.1 - self.across.1 * self.down.0 < 0
    }

    /// Returns whether the box is neither rotated nor mirrored.
    pub fn is_none(self) -> bool {
        self == Self::of(Writing::Horizontal)
    }

    /// Converts a size in the surrounding box to the rotated box: a quarter turn exchanges width and height.
    pub fn size(self, (width, height): (f32, f32)) -> (f32, f32) {
        match self.across.0 {
            0 => (height, width),
            _ => (width, height),
        }
    }

    /// Rotation of the letters: this one without mirroring.
    pub fn upright(self) -> Self {
        let (x, y) = self.down;
        match self.mirrors() {
            true => Self {
                down: (-x, -y),
                ..self
            },
            false => self,
        }
    }

    /// The same rotation inside a vertically mirrored box.
    pub fn upside_down(self) -> Self {
        Self {
            across: (self.across.0, -self.across.1),
            down: (self.down.0, -self.down.1),
        }
    }

    /// Maps a vector of the rotated box to the box around.
    pub fn outward(self, (x, y): (f32, f32)) -> (f32, f32) {
        let of = |across: i8, down: i8| x * f32::from(across) + y * f32::from(down);
        (
            of(self.across.0, self.down.0),
            of(self.across.1, self.down.1),
        )
    }

    /// Maps a vector of the box around to the rotated box.
    fn inward(self, (x, y): (f32, f32)) -> (f32, f32) {
        let along = |axis: Axis| x * f32::from(axis.0) + y * f32::from(axis.1);
        (along(self.across), along(self.down))
    }

    /// Side of the box around that a side of the rotated box becomes. The outward normal of the
    /// side is rotated, and points to the side that is asked for.
    fn side(self, side: usize) -> usize {
        // The y axis points downwards.
        let normal = match side {
            TOP => (0.0, -1.0),
            RIGHT => (1.0, 0.0),
            BOTTOM => (0.0, 1.0),
            _ => (-1.0, 0.0),
        };
        match self.outward(normal) {
            (_, y) if y < 0.0 => TOP,
            (_, y) if y > 0.0 => BOTTOM,
            (x, _) if x > 0.0 => RIGHT,
            _ => LEFT,
        }
    }

    /// Corner of the box around that a corner of the rotated box becomes. Corners are counted clockwise from the top
    /// left.
    fn corner(self, corner: usize) -> usize {
        const CORNERS: [(f32, f32); 4] = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let at = self.outward(CORNERS[corner]);
        CORNERS.iter().position(|own| *own == at).unwrap_or(corner)
    }
}

/// Permutes the values of four sides or corners of the box around for the rotated box; `of` maps a side of the latter
/// to one of the former.
fn moved<T: Clone>(all: &[T; 4], of: impl Fn(usize) -> usize) -> [T; 4] {
    std::array::from_fn(|own| all[of(own)].clone())
}

impl Style {
    /// Style of a box for layout in rotated coordinates: sides, corners, sizes, shadows and
    /// gradients are converted, so that layout and painting need not know of the rotation.
    pub fn turned(&self, turn: Turn) -> Self {
        let mut own = self.clone();
        own.margin = moved(&self.margin, |side| turn.side(side));
        own.padding = moved(&self.padding, |side| turn.side(side));
        own.border = moved(&self.border, |side| turn.side(side));
        own.inset = moved(&self.inset, |side| turn.side(side));
        own.radius = moved(&self.radius, |corner| turn.corner(corner));
        // A quarter turn exchanges width and height.
        if turn.across.0 == 0 {
            own.radius = own.radius.map(|(x, y)| (y, x));
            std::mem::swap(&mut own.width, &mut own.height);
            std::mem::swap(&mut own.min_width, &mut own.min_height);
            std::mem::swap(&mut own.max_width, &mut own.max_height);
        }
        for shadow in Rc::make_mut(&mut own.shadows) {
            (shadow.x, shadow.y) = turn.inward((shadow.x, shadow.y));
        }
        for layer in Rc::make_mut(&mut own.layers) {
            if let Image::Gradient(gradient) = &layer.image {
                layer.image = Image::Gradient(Rc::new(turned_gradient(gradient, turn)));
            }
        }
        own
    }

    /// Styles of a box that is rotated with its decoration, such as a picture or table: its own,
    /// and that of the box around it.
    pub fn turned_whole(&self, turn: Turn) -> (Self, Self) {
        let own = self.turned(turn);
        // The box around takes part in the layout of its parent; the box inside only has its
        // decoration.
        let plain = self.within_turned(Turn::of(Writing::Horizontal));
        let inside = Self {
            margin: plain.margin.clone(),
            position: Position::Static,
            float: Float::None,
            ..own
        };
        let around = Self {
            display: match self.is_inline_level() {
                true => Display::InlineBlock,
                false => Display::FlowRoot,
            },
            position: self.position,
            was_inline: self.was_inline,
            float: self.float,
            inset: self.inset.clone(),
            margin: self.margin.clone(),
            vertical_align: self.vertical_align.clone(),
            z_index: self.z_index,
            ..plain
        };
        (inside, around)
    }

    /// Style for the content of a box whose content alone is rotated: without the decoration and
    /// size of the box.
    pub fn within_turned(&self, turn: Turn) -> Self {
        Self {
            display: match self.display {
                Display::Flex | Display::InlineFlex => Display::Flex,
                Display::Grid | Display::InlineGrid => Display::Grid,
                _ => Display::FlowRoot,
            },
            position: Position::Static,
            was_inline: false,
            float: Float::None,
            width: Size::Auto,
            height: Size::Auto,
            min_width: Size::Auto,
            min_height: Size::Auto,
            max_width: Size::Auto,
            max_height: Size::Auto,
            margin: std::array::from_fn(|_| Size::Length(Length::ZERO)),
            padding: std::array::from_fn(|_| Length::ZERO),
            border: [Border::NONE; 4],
            radius: std::array::from_fn(|_| (Length::ZERO, Length::ZERO)),
            background: Paint::Rgba(Rgba::CLEAR),
            layers: Rc::new([]),
            overflow: Overflow::Visible,
            opacity: 1.0,
            z_index: None,
            vertical_align: VerticalAlign::Baseline,
            shadows: Rc::new([]),
            outline: Border::NONE,
            border_image: Rc::default(),
            clip_path: None,
            clip: None,
            transforms: Rc::new([]),
            perspective: None,
            aspect_ratio: None,
            // Everything else is the box's own style in rotated coordinates.
            ..self.turned(turn)
        }
    }
}

/// Rotates the direction of a gradient. Its angle is clockwise from upwards, hence the signs.
fn turned_gradient(gradient: &Gradient, turn: Turn) -> Gradient {
    let shape = match &gradient.shape {
        GradientShape::Angle(angle) => {
            // 0 degrees point upwards, and y grows downwards.
            let (sin, cos) = angle.to_radians().sin_cos();
            let (x, y) = turn.inward((sin, -cos));
            GradientShape::Angle(x.atan2(-y).to_degrees())
        }
        GradientShape::Towards(x, y) => {
            let (x, y) = turn.inward((*x, *y));
            GradientShape::Towards(x, y)
        }
        other => other.clone(),
    };
    Gradient {
        shape,
        ..gradient.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_and_corners_follow_the_writing_mode() {
        let sides = |writing| {
            let turn = Turn::of(writing);
            let sides = [TOP, RIGHT, BOTTOM, LEFT].map(|side| turn.side(side));
            (sides, turn.corner(0), turn.mirrors())
        };
        let down = ([RIGHT, BOTTOM, LEFT, TOP], 1, false);
        assert_eq!(sides(Writing::VerticalRl), down);
        let rightwards = ([LEFT, BOTTOM, RIGHT, TOP], 0, true);
        assert_eq!(sides(Writing::VerticalLr), rightwards);
        let up = ([LEFT, TOP, RIGHT, BOTTOM], 3, false);
        assert_eq!(sides(Writing::SidewaysLr), up);
    }

    #[test]
    fn a_turn_and_its_reverse_cancel_out() {
        let none = Turn::of(Writing::Horizontal);
        for writing in [
            Writing::VerticalRl,
            Writing::VerticalLr,
            Writing::SidewaysLr,
        ] {
            let turn = Turn::of(writing);
            assert_eq!(turn.within(turn), none);
            let back = none.within(turn);
            let style = Style {
                width: Size::MinContent,
                ..Style::default()
            };
            assert_eq!(style.turned(turn).turned(back), style);
        }
    }
}
