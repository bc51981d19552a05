//! The pictures and gradients behind a box: how large each is, and where its copies stand (CSS Backgrounds 3, 2). Paints nothing.

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

/// Something that is drawn in a background.
pub(crate) enum Drawn {
    /// Outlines that fill an area, which they may reach beyond.
    Gradient(Area, Vec<(Vec<Segment>, Rgba)>),
    Picture(Area, usize),
}

/// Source of pictures.
#[derive(Clone, Copy)]
pub(super) struct Album<'a> {
    /// The numbers of pictures, by their addresses.
    pub numbers: &'a HashMap<Rc<str>, usize>,
    /// The sizes that they have by themselves.
    pub sizes: &'a dyn Fn(usize) -> Option<Natural>,
}

/// A picture or a gradient that can be drawn.
pub(crate) enum Found<'i> {
    Gradient(&'i convertd_markup::css::style::Gradient),
    Picture(usize, Option<Natural>),
}

impl Album<'_> {
    /// Picture that a style names. `None` if it is missing.
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
    pub(crate) fn natural(&self) -> Option<Natural> {
        match self {
            Self::Gradient(_) => None,
            Self::Picture(_, natural) => *natural,
        }
    }

    pub(crate) fn drawn(&self, area: Area, current: Rgba) -> Drawn {
        match self {
            Self::Gradient(own) => Drawn::Gradient(area, gradient(own, area, current)),
            Self::Picture(number, _) => Drawn::Picture(area, *number),
        }
    }
}

/// The most copies of a background picture.
const MOST_TILES: usize = 4000;

/// Draws a layer of a background.
pub(crate) fn layer(frame: &Frame, layer: &Layer, album: &Album<'_>) -> Vec<Drawn> {
    let place = frame.part(frame.style.background_origin);
    let Some(found) = album.find(&layer.image) else {
        return Vec::new();
    };
    let (width, height) = tile(layer, place, found.natural());
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
            if drawn.len() > MOST_TILES {
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

/// The copies of a picture along one axis. Areas are begins and lengths.
struct Axis<'l> {
    repeat: Repeat,
    size: f32,
    position: &'l Length,
    /// Positioning area (`background-origin`).
    place: (f32, f32),
    /// Painting area (`background-clip`).
    clip: (f32, f32),
}

impl Axis<'_> {
    fn copies(&self) -> Vec<f32> {
        let room = self.place.1 - self.size;
        let at = self.place.0 + self.position.of(room);
        match self.repeat {
            Repeat::No => vec![at],
            Repeat::Tile | Repeat::Round => self.spaced(at, self.size),
            Repeat::Space => {
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

    /// Copies that begin so far from one another, as far as they are seen.
    fn spaced(&self, at: f32, step: f32) -> Vec<f32> {
        let (from, length) = self.clip;
        let first = at - ((at - from) / step).ceil() * step;
        let count = (((from + length - first) / step).ceil().max(1.0) as usize).min(MOST_TILES);
        (0..count)
            .map(|index| first + index as f32 * step)
            .collect()
    }
}

/// Size of a copy (`background-size`).
fn tile(layer: &Layer, place: Area, natural: Option<Natural>) -> (f32, f32) {
    let whole = (place.width, place.height);
    let ratio = natural.and_then(|own| own.ratio);
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
    // A whole number of copies fits (3.4); the other side follows if nothing says how large it is.
    let fitted = |size: f32, room: f32| room / (room / size.max(0.05)).round().max(1.0);
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
