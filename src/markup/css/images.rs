//! Computed values that are images: gradients, background layers, border images (CSS Images 4, CSS
//! Backgrounds 3). Loads and paints no images.

use super::{
    colour::Paint,
    keywords::{Fit, Repeat},
    value::Length,
};
use std::rc::Rc;

/// A gradient (CSS Images 4, 3).
#[derive(Clone, Debug, PartialEq)]
pub struct Gradient {
    pub shape: GradientShape,
    /// Colour stops with their positions, in order.
    pub stops: Vec<(Option<Length>, Paint)>,
    /// Whether the stops repeat over the whole area.
    pub repeats: bool,
}

/// Geometry of a gradient.
#[derive(Clone, Debug, PartialEq)]
pub enum GradientShape {
    /// Angle in degrees: 0 is upwards, clockwise.
    Angle(f32),
    /// Direction towards a side or corner: x to the right and y downwards, each -1, 0 or 1.
    Towards(f32, f32),
    /// Radial, with its centre.
    Radial {
        circle: bool,
        extent: Extent,
        at: (Length, Length),
    },
    /// Conic, from an angle in degrees around a point.
    Conic { from: f32, at: (Length, Length) },
}

/// Size of the ending shape of a radial gradient, or of a circle or ellipse.
#[derive(Clone, Debug, PartialEq)]
pub enum Extent {
    FarthestCorner,
    FarthestSide,
    ClosestCorner,
    ClosestSide,
    /// Horizontal and vertical radius; a circle has only the first.
    Lengths(Length, Option<Length>),
}

/// Inward offset of a border image slice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Slice {
    /// Pixels of the image.
    Pixels(f32),
    /// A fraction of the image's size.
    Part(f32),
}

/// Width or outset of a border image on one side.
#[derive(Clone, Debug, PartialEq)]
pub enum BorderSide {
    /// Size of the slice.
    Auto,
    /// Multiple of the border width.
    Times(f32),
    Length(Length),
}

/// A border image (CSS Backgrounds 3, 5). Arrays have the order top, right, bottom, left.
#[derive(Clone, Debug, PartialEq)]
pub struct BorderImage {
    pub source: Image,
    pub slices: [Slice; 4],
    /// Whether the middle part is drawn (`fill`).
    pub fill: bool,
    pub width: [BorderSide; 4],
    pub outset: [BorderSide; 4],
    /// Tiling, horizontal and vertical.
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

/// An image: a URL or a gradient.
#[derive(Clone, Debug, PartialEq)]
pub enum Image {
    None,
    Url(Rc<str>),
    Gradient(Rc<Gradient>),
}

/// Size of a background image; `None` is `auto`.
#[derive(Clone, Debug, PartialEq)]
pub enum BackgroundSize {
    Cover,
    Contain,
    Fixed(Option<Length>, Option<Length>),
}

/// A background layer: its image, position, size and tiling.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    pub image: Image,
    pub position: (Length, Length),
    pub size: BackgroundSize,
    /// Tiling, horizontal and vertical.
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
