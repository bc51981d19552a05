//! The pictures and gradients behind a box: how large each is, and where its copies stand (CSS Backgrounds 3, 2). Paints nothing.

use super::{decor::Frame, gradient::gradient};
use crate::document::{
    css::{
        colour::Rgba,
        style::{BackgroundSize, Image, Layer},
    },
    layout::item::{Area, Segment},
};
use std::{collections::HashMap, rc::Rc};

/// Something that is drawn in a background.
pub(super) enum Drawn {
    Path(Vec<Segment>, Rgba),
    Picture(Area, usize),
}

/// The most copies of a background picture.
pub(super) const MOST_TILES: usize = 4000;

/// One layer of a background.
pub(super) fn layer(
    frame: &Frame,
    layer: &Layer,
    sizes: &dyn Fn(usize) -> Option<(f32, f32)>,
    pictures: &HashMap<Rc<str>, usize>,
) -> Vec<Drawn> {
    let place = frame.part(frame.style.background_origin);
    let (number, own) = match &layer.image {
        Image::None => return Vec::new(),
        Image::Gradient(_) => (None, None),
        Image::Url(address) => match pictures.get(address) {
            Some(number) => (Some(*number), sizes(*number)),
            None => return Vec::new(),
        },
    };
    let (width, height) = tile(layer, place, own);
    if width < 0.05 || height < 0.05 {
        return Vec::new();
    }
    let x = place.x + offset(&layer.position.0, place.width - width);
    let y = place.y + offset(&layer.position.1, place.height - height);
    let clip = frame.clip();
    let steps = |at: f32, size: f32, from: f32, to: f32, repeats: bool| -> Vec<f32> {
        if !repeats {
            return vec![at];
        }
        let first = at - ((at - from) / size).ceil() * size;
        let count = (((to - first) / size).ceil().max(1.0) as usize).min(MOST_TILES);
        (0..count)
            .map(|index| first + index as f32 * size)
            .collect()
    };
    let across = steps(x, width, clip.x, clip.x + clip.width, layer.repeats.0);
    let down = steps(y, height, clip.y, clip.y + clip.height, layer.repeats.1);
    let mut drawn = Vec::new();
    for y in &down {
        for x in &across {
            if drawn.len() > MOST_TILES {
                return drawn;
            }
            let area = Area {
                x: *x,
                y: *y,
                width,
                height,
            };
            match (&layer.image, number) {
                (_, Some(number)) => drawn.push(Drawn::Picture(area, number)),
                (Image::Gradient(own), None) => {
                    gradient(own, area, frame.style.text.colour, &mut drawn)
                }
                _ => {}
            }
        }
    }
    drawn
}

/// A position: percentages are of the room that is left.
pub(super) fn offset(position: &crate::document::css::value::Length, room: f32) -> f32 {
    position.of(room)
}

pub(super) fn tile(layer: &Layer, place: Area, own: Option<(f32, f32)>) -> (f32, f32) {
    let whole = (place.width, place.height);
    let ratio = own.map(|own| own.0 / own.1.max(0.01));
    match (&layer.size, ratio) {
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
            match (width, height, ratio) {
                (Some(width), Some(height), _) => (width, height),
                (Some(width), None, Some(ratio)) => (width, width / ratio),
                (None, Some(height), Some(ratio)) => (height * ratio, height),
                (Some(width), None, None) => (width, whole.1),
                (None, Some(height), None) => (whole.0, height),
                (None, None, _) => own.unwrap_or(whole),
            }
        }
    }
}
