//! Values that are pictures: gradients, layers of backgrounds, pictures of borders. Fetches and paints none.

use super::{
    colour::Paint,
    keywords::{Fit, Repeat},
    value::Length,
};
use std::rc::Rc;

/// A gradient.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradient {
    pub shape: GradientShape,
    pub stops: Vec<(Option<Length>, Paint)>,
    pub repeats: bool,
}

/// The direction of a gradient.
#[derive(Clone, Debug, PartialEq)]
pub enum GradientShape {
    /// In degrees, 0 upwards, clockwise.
    Angle(f32),
    /// To a side or a corner: -1, 0 or 1 to the right and downwards.
    Towards(f32, f32),
    /// From a point outwards; a circle, or as wide and high as its box.
    Radial {
        circle: bool,
        extent: Extent,
        at: (Length, Length),
    },
    /// Around a point, from an angle in degrees on.
    Conic { from: f32, at: (Length, Length) },
}

/// Radii of a circle or an ellipse.
#[derive(Clone, Debug, PartialEq)]
pub enum Extent {
    FarthestCorner,
    FarthestSide,
    ClosestCorner,
    ClosestSide,
    /// Across and down; a circle has one.
    Lengths(Length, Option<Length>),
}

/// Slice of a border image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Slice {
    Pixels(f32),
    Part(f32),
}

/// Width or outset of a border image at one side.
#[derive(Clone, Debug, PartialEq)]
pub enum BorderSide {
    /// As wide as it is in the picture.
    Auto,
    /// So many times the width of the border.
    Times(f32),
    Length(Length),
}

/// The picture of a border.
#[derive(Clone, Debug, PartialEq)]
pub struct BorderImage {
    pub source: Image,
    pub slices: [Slice; 4],
    /// Its middle is drawn, too.
    pub fill: bool,
    pub width: [BorderSide; 4],
    pub outset: [BorderSide; 4],
    /// Across, and down.
    pub fits: (Fit, Fit),
}

impl Default for BorderImage {
    fn default() -> Self {
        Self {
            source: Image::None,
            slices: [Slice::Part(1.0); 4],
            fill: false,
            width: std::array::from_fn(|_| BorderSide::Times(1.0)),
            outset: std::array::from_fn(|_| BorderSide::Times(0.0)),
            fits: (Fit::Stretch, Fit::Stretch),
        }
    }
}

/// The picture of a background.
#[derive(Clone, Debug, PartialEq)]
pub enum Image {
    None,
    Url(Rc<str>),
    Gradient(Rc<Gradient>),
}

/// Size of a background image.
#[derive(Clone, Debug, PartialEq)]
pub enum BackgroundSize {
    Cover,
    Contain,
    Fixed(Option<Length>, Option<Length>),
}

/// A layer of a background.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    pub image: Image,
    pub position: (Length, Length),
    pub size: BackgroundSize,
    /// Across, and down.
    pub repeats: (Repeat, Repeat),
}

impl Default for Layer {
    fn default() -> Self {
        Self {
            image: Image::None,
            position: (Length::ZERO, Length::ZERO),
            size: BackgroundSize::Fixed(None, None),
            repeats: (Repeat::Tile, Repeat::Tile),
        }
    }
}
