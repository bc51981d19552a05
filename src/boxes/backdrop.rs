//! Background layers of a box (CSS Backgrounds 3, 2): the size of each image and the positions of its tiles. Paints
//! nothing.
//!
//! A layer is computed in three steps: `background-size` gives the size of one tile, `background-position` and
//! `background-repeat` place the tiles relative to the positioning area (`background-origin`), and only tiles that meet
//! the painting area (`background-clip`) are returned. The painter clips them. The two axes work alike, so [`Axis`]
//! computes one axis and is used twice.

use super::{decor::Frame, gradient::gradient};
use convertd_layout::{
    item::{Area, Segment},
    pictures::Natural,
};
use convertd_markup::css::{
    rgba::Rgba,
    style::{BackgroundSize, Image, Layer, Repeat},
    value::Length,
};
use std::{collections::HashMap, rc::Rc};

/// A tile of a background, ready to be painted.
pub(crate) enum Drawn {
    /// The outlines of a gradient and the position of its tile. The outlines may extend beyond the tile; the painter
    /// clips them.
    Gradient(Area, Vec<(Vec<Segment>, Rgba)>),
    /// The position of a picture and its number in the gallery.
    Picture(Area, usize),
}

/// Pictures that style sheets name, and their natural sizes.
#[derive(Clone, Copy)]
pub(super) struct Album<'a> {
    /// Picture numbers by URL, as written in the style sheet.
    pub numbers: &'a HashMap<Rc<str>, usize>,
    /// Returns the natural size of a picture; `None` if it could not be read.
    pub sizes: &'a dyn Fn(usize) -> Option<Natural>,
}

/// An image of a style sheet, resolved: a gradient, or a picture with its number and natural size.
pub(crate) enum Found<'i> {
    Gradient(&'i convertd_markup::css::style::Gradient),
    Picture(usize, Option<Natural>),
}

impl Album<'_> {
    /// Resolves the image of a style. Returns `None` for `none` and for a picture that was not
    /// loaded.
    pub(crate) fn find<'i>(&self, image: &'i Image) -> Option<Found<'i>> {
        match image {
            Image::None => None,
            Image::Gradient(gradient) => Some(Found::Gradient(gradient)),
            Image::Url(address) => {
                let number = *self.numbers.get(address)?;
                Some(Found::Picture(number, (self.sizes)(number)))
            }
        }
    }
}

impl Found<'_> {
    /// Natural size of the image. Gradients have no natural size (CSS Images 3, 5.1).
    pub(crate) fn natural(&self) -> Option<Natural> {
        match self {
            Self::Gradient(_) => None,
            Self::Picture(_, natural) => *natural,
        }
    }

    /// Makes the tile that fills `area`. `current` is the value of `currentcolor` in a gradient.
    pub(crate) fn drawn(&self, area: Area, current: Rgba) -> Drawn {
        match self {
            Self::Gradient(own) => Drawn::Gradient(area, gradient(own, area, current)),
            Self::Picture(number, _) => Drawn::Picture(area, *number),
        }
    }
}

/// Limit on the tiles of one layer. A 1 px picture on a large page would need millions; the rest of
/// such a layer stays unpainted.
const MAX_TILES: usize = 4000;

/// Computes the tiles of one background layer, row by row.
///
/// Tiles below 0.05 px a side are invisible, and their number would be unbounded, so such a layer
/// is left out.
pub(crate) fn layer(frame: &Frame, layer: &Layer, album: &Album<'_>) -> Vec<Drawn> {
    let place = frame.part(frame.style.background_origin);
    let Some(found) = album.find(&layer.image) else {
        return Vec::new();
    };
    let (width, height) = tile(layer, place, found.natural());
    // A layer of invisible tiles is left out.
    if width < 0.05 || height < 0.05 {
        return Vec::new();
    }
    let clip = frame.clip();
    let across = Axis {
        repeat: layer.repeats.0,
        size: width,
        position: &layer.position.0,
        place: (place.x, place.width),
        clip: (clip.x, clip.width),
    };
    let down = Axis {
        repeat: layer.repeats.1,
        size: height,
        position: &layer.position.1,
        place: (place.y, place.height),
        clip: (clip.y, clip.height),
    };
    let mut drawn = Vec::new();
    let columns = across.copies();
    for y in down.copies() {
        for x in columns.iter().copied() {
            if drawn.len() > MAX_TILES {
                return drawn;
            }
            let area = Area {
                x,
                y,
                width,
                height,
            };
            drawn.push(found.drawn(area, frame.style.text.colour));
        }
    }
    drawn
}

/// Tiling along one axis. Each area is given as its start and its length, in px.
struct Axis<'l> {
    /// Repeat style of this axis.
    repeat: Repeat,
    /// Length of a tile.
    size: f32,
    /// `background-position`; a percentage refers to the space that a tile leaves free (2.6).
    position: &'l Length,
    /// Positioning area (`background-origin`).
    place: (f32, f32),
    /// Painting area (`background-clip`).
    clip: (f32, f32),
}

impl Axis<'_> {
    /// Starts of the tiles along this axis (`background-repeat`, 2.4).
    ///
    /// `round` has already rescaled the tile in [`tile`], so here it tiles like `repeat`. `space` spreads as many whole
    /// tiles as fit; if fewer than two fit, one tile is shown at the given position.
    fn copies(&self) -> Vec<f32> {
        // Free space along the axis, which percentages of the position refer to.
        let room = self.place.1 - self.size;
        let at = self.place.0 + self.position.of(room);
        match self.repeat {
            Repeat::No => vec![at],
            Repeat::Tile | Repeat::Round => self.spaced(at, self.size),
            Repeat::Space => {
                // Rounding must not exclude a tile that is exactly as long as the area.
                let count = ((self.place.1 + 0.01) / self.size).floor();
                if count < 2.0 {
                    return vec![at];
                }
                self.spaced(
                    self.place.0,
                    self.size + (self.place.1 - count * self.size) / (count - 1.0),
                )
            }
        }
    }

    /// Starts of the tiles that meet the painting area. The tiles are `step` px apart, and aligned so that one of them
    /// would start at `at`.
    fn spaced(&self, at: f32, step: f32) -> Vec<f32> {
        // The first tile starts at or before the start of the painting area.
        let (from, length) = self.clip;
        let first = at - ((at - from) / step).ceil() * step;
        let count = (((from + length - first) / step).ceil().max(1.0) as usize).min(MAX_TILES);
        (0..count)
            .map(|index| first + index as f32 * step)
            .collect()
    }
}

/// Size of a tile (`background-size`, 2.9).
///
/// With `cover` and `contain`, the tile has the natural aspect ratio, or fills the positioning area if the image has no
/// ratio. If only one side is `auto`, it follows from the ratio or the natural size. Last, `round` rescales the tile so
/// that a whole number of tiles fits (2.4).
fn tile(layer: &Layer, place: Area, natural: Option<Natural>) -> (f32, f32) {
    let whole = (place.width, place.height);
    let ratio = natural.and_then(|own| own.ratio);
    // `cover` is the smallest tile of this ratio that covers the area, and `contain` the largest that fits inside.
    let (mut width, mut height) = match (&layer.size, ratio) {
        (BackgroundSize::Cover | BackgroundSize::Contain, None) => whole,
        (BackgroundSize::Cover, Some(ratio)) => {
            let width = whole.0.max(whole.1 * ratio);
            (width, width / ratio)
        }
        (BackgroundSize::Contain, Some(ratio)) => {
            let width = whole.0.min(whole.1 * ratio);
            (width, width / ratio)
        }
        (BackgroundSize::Fixed(width, height), ratio) => {
            let width = width.as_ref().map(|width| width.of(whole.0));
            let height = height.as_ref().map(|height| height.of(whole.1));
            let own = |side: fn(&Natural) -> Option<f32>| natural.as_ref().and_then(side);
            // The cases are, in this order: the style gives both sides, one side of an image with a ratio, one side of
            // an image without a ratio, or neither side.
            match (width, height, ratio) {
                (Some(width), Some(height), _) => (width, height),
                (Some(width), None, Some(ratio)) => (width, width / ratio),
                (None, Some(height), Some(ratio)) => (height * ratio, height),
                (Some(width), None, None) => (width, own(|own| own.height).unwrap_or(whole.1)),
                (None, Some(height), None) => (own(|own| own.width).unwrap_or(whole.0), height),
                (None, None, _) => natural.map_or(whole, |own| own.in_room(whole)),
            }
        }
    };
    // `round` rescales a side. If the other side is `auto`, it follows by the ratio, unless `round` rescales it as
    // well.
    let fitted = |size: f32, room: f32| room / (room / size.max(0.05)).round().max(1.0);
    // Whether the width (or height) is `auto`, so that it may follow the other side.
    let free = |width: bool| {
        let BackgroundSize::Fixed(across, down) = &layer.size else {
            return false;
        };
        if width {
            across.is_none()
        } else {
            down.is_none()
        }
    };
    if layer.repeats.0 == Repeat::Round {
        width = fitted(width, whole.0);
        if let (true, Some(ratio)) = (free(false) && layer.repeats.1 != Repeat::Round, ratio) {
            height = width / ratio;
        }
    }
    if layer.repeats.1 == Repeat::Round {
        height = fitted(height, whole.1);
        if let (true, Some(ratio)) = (free(true) && layer.repeats.0 != Repeat::Round, ratio) {
            width = height * ratio;
        }
    }
    (width, height)
}
