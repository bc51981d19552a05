//! Gradients, as steps of one colour each (CSS Images 3, 3). Paints nothing.

use super::{
    backdrop::Drawn,
    decor::{rectangle, rounded},
};
use crate::document::{
    css::{
        colour::Rgba,
        style::{Gradient, GradientShape},
    },
    layout::item::{Area, Segment},
};

/// A gradient in steps: each covers all that follows, so that there are no seams between them.
pub(super) fn gradient(gradient: &Gradient, area: Area, current: Rgba, drawn: &mut Vec<Drawn>) {
    let centre = (area.x + area.width / 2.0, area.y + area.height / 2.0);
    let (direction, length, radial) = match &gradient.shape {
        GradientShape::Angle(degrees) => {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let length = (area.width * sin).abs() + (area.height * cos).abs();
            ((sin, -cos), length, None)
        }
        GradientShape::Towards(x, y) => {
            let (x, y) = if *x != 0.0 && *y != 0.0 {
                // The colour in the middle runs from corner to corner.
                let (x, y) = (x * area.height, y * area.width);
                let length = (x * x + y * y).sqrt().max(0.001);
                (x / length, y / length)
            } else {
                (*x, *y)
            };
            (
                (x, y),
                (area.width * x).abs() + (area.height * y).abs(),
                None,
            )
        }
        GradientShape::Radial { circle, at } => {
            let at = (area.x + at.0.of(area.width), area.y + at.1.of(area.height));
            let far = (
                (at.0 - area.x)
                    .abs()
                    .max((area.x + area.width - at.0).abs()),
                (at.1 - area.y)
                    .abs()
                    .max((area.y + area.height - at.1).abs()),
            );
            let radius = match circle {
                true => {
                    let radius = (far.0 * far.0 + far.1 * far.1).sqrt();
                    (radius, radius)
                }
                false => (
                    far.0 * std::f32::consts::SQRT_2,
                    far.1 * std::f32::consts::SQRT_2,
                ),
            };
            ((1.0, 0.0), radius.0, Some((at, radius)))
        }
    };
    if length <= 0.0 {
        return;
    }
    let stops = stops(gradient, length, current);
    let steps = STEPS.min((length / 0.75).ceil().max(2.0) as usize);
    let big = area.width + area.height;
    let start = (
        centre.0 - direction.0 * length / 2.0,
        centre.1 - direction.1 * length / 2.0,
    );
    for step in 0..steps {
        let index = if radial.is_some() {
            steps - 1 - step
        } else {
            step
        };
        let part = (index as f32 + 0.5) / steps as f32;
        let colour = colour_at(&stops, part, gradient.repeats);
        let path = match radial {
            Some((at, radius)) if step > 0 => {
                let scale = (index + 1) as f32 / steps as f32;
                let size = (radius.0 * scale, radius.1 * scale);
                let around = Area {
                    x: at.0 - size.0,
                    y: at.1 - size.1,
                    width: 2.0 * size.0,
                    height: 2.0 * size.1,
                };
                rounded(around, [size; 4])
            }
            Some(_) => rectangle(area),
            None if step == 0 => rectangle(area),
            None => {
                let at = index as f32 / steps as f32 * length;
                let from = (start.0 + direction.0 * at, start.1 + direction.1 * at);
                let side = (-direction.1 * big, direction.0 * big);
                let ahead = (direction.0 * big * 2.0, direction.1 * big * 2.0);
                vec![
                    Segment::Move((from.0 - side.0, from.1 - side.1)),
                    Segment::Line((from.0 + side.0, from.1 + side.1)),
                    Segment::Line((from.0 + side.0 + ahead.0, from.1 + side.1 + ahead.1)),
                    Segment::Line((from.0 - side.0 + ahead.0, from.1 - side.1 + ahead.1)),
                    Segment::Close,
                ]
            }
        };
        drawn.push(Drawn::Path(path, colour));
    }
}

/// The stops of a gradient in order, as parts of its length (CSS Images 3, 3.5.1).
pub(super) fn stops(gradient: &Gradient, length: f32, current: Rgba) -> Vec<(f32, Rgba)> {
    let count = gradient.stops.len();
    let mut places: Vec<Option<f32>> = gradient
        .stops
        .iter()
        .map(|(at, _)| at.as_ref().map(|at| at.of(length) / length))
        .collect();
    if let Some(first) = places.first_mut() {
        first.get_or_insert(0.0);
    }
    if let Some(last) = places.last_mut() {
        last.get_or_insert(1.0);
    }
    let mut highest = f32::MIN;
    for place in places.iter_mut().flatten() {
        *place = place.max(highest);
        highest = *place;
    }
    let mut at = 0;
    while at < count {
        if places[at].is_none() {
            let next = (at..count)
                .find(|next| places[*next].is_some())
                .unwrap_or(count - 1);
            let (from, to) = (places[at - 1].unwrap_or(0.0), places[next].unwrap_or(1.0));
            let gap = (next - at + 1) as f32;
            for (nth, place) in places[at..next].iter_mut().enumerate() {
                *place = Some(from + (to - from) * (nth + 1) as f32 / gap);
            }
            at = next;
        }
        at += 1;
    }
    let colours = gradient.stops.iter().map(|(_, paint)| paint.or(current));
    places
        .into_iter()
        .map(|place| place.unwrap_or(0.0))
        .zip(colours)
        .collect()
}

pub(super) fn colour_at(stops: &[(f32, Rgba)], part: f32, repeats: bool) -> Rgba {
    let (Some(first), Some(last)) = (stops.first(), stops.last()) else {
        return Rgba::CLEAR;
    };
    let mut part = part;
    if repeats && last.0 > first.0 {
        part = first.0 + (part - first.0).rem_euclid(last.0 - first.0);
    }
    if part <= first.0 {
        return first.1;
    }
    let Some(next) = stops.iter().position(|(at, _)| *at >= part) else {
        return last.1;
    };
    let ((from, one), (to, other)) = (stops[next.max(1) - 1], stops[next.max(1)]);
    let mix = if to > from {
        (part - from) / (to - from)
    } else {
        1.0
    };
    let alpha = one.alpha + (other.alpha - one.alpha) * mix;
    // Colours are mixed as far as they are seen.
    let rgb = std::array::from_fn(|index| {
        let (a, b) = (
            f32::from(one.rgb[index]) * one.alpha,
            f32::from(other.rgb[index]) * other.alpha,
        );
        let mixed = a + (b - a) * mix;
        if alpha > 0.0 {
            (mixed / alpha).round() as u8
        } else {
            0
        }
    });
    Rgba { rgb, alpha }
}

/// How many steps a gradient is drawn in, at most.
pub(super) const STEPS: usize = 96;
