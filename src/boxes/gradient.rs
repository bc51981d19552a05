//! Gradients as bands of solid colours (CSS Images 4, 3). Paints nothing.
//!
//! PDF shadings would be smaller, but pictures of pages are painted from the same items, so gradients become bands in
//! PDF as well. If all colours are opaque, each band overlaps the one painted before it, so that anti-aliased edges
//! show no seams. Otherwise, the bands adjoin, because overlapping colours would add up. Positions along a gradient are
//! fractions: 0 at the start of the gradient line and 1 at its end.

use super::outlines::{rectangle, rounded};
use convertd_layout::item::{Area, Segment};
use convertd_markup::css::{
    rgba::Rgba,
    style::{Extent, Gradient, GradientShape},
    value::Length,
};

/// Limit on the evenly spaced bands of a linear or radial gradient; colour stops add further ones. Repeating radial
/// gradients may have four times as many.
const STEPS: usize = 96;
/// Number of evenly spaced bands of a conic gradient, 2° each; colour stops add further ones.
const TURNS: usize = 180;

/// Limit on the colour stops along the line of a repeating gradient. If it has more, they get no exact edges.
const MAX_EDGES: f32 = 400.0;

/// A point in px.
type Point = (f32, f32);
/// A band: its filled outline and colour.
type Step = (Vec<Segment>, Rgba);

/// Bands of a gradient that fills an area. They may extend beyond the area. `current` is the value of `currentcolor`.
pub(crate) fn gradient(gradient: &Gradient, area: Area, current: Rgba) -> Vec<Step> {
    match &gradient.shape {
        // The gradient line is so long that the perpendiculars at its ends go through corners (CSS Images 3, 3.1).
        GradientShape::Angle(degrees) => {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let length = (area.width * sin).abs() + (area.height * cos).abs();
            linear(gradient, area, current, (sin, -cos), length)
        }
        GradientShape::Towards(x, y) => {
            let (x, y) = if *x != 0.0 && *y != 0.0 {
                // With `to top left` and similar directions, the line through the centre at 50 % joins the two other
                // corners (CSS Images 3, 3.1.1).
                let (x, y) = (x * area.height, y * area.width);
                let length = (x * x + y * y).sqrt().max(0.001);
                (x / length, y / length)
            } else {
                (*x, *y)
            };
            let length = (area.width * x).abs() + (area.height * y).abs();
            linear(gradient, area, current, (x, y), length)
        }
        GradientShape::Radial { circle, extent, at } => {
            let at = placed(at, area);
            let radius = reach(*circle, extent, at, area);
            radial(gradient, area, current, at, radius)
        }
        GradientShape::Conic { from, at } => {
            conic(gradient, area, current, *from, placed(at, area))
        }
    }
}

/// The point at a `<position>` in an area.
pub(crate) fn placed(at: &(Length, Length), area: Area) -> Point {
    (area.x + at.0.of(area.width), area.y + at.1.of(area.height))
}

/// Radii of the ending shape around its centre, in px (CSS Images 3, 3.2.2; CSS Shapes 1, 3.1).
pub(crate) fn reach(circle: bool, extent: &Extent, at: Point, area: Area) -> Point {
    let sides = |far: bool| {
        let pick = |one: f32, other: f32| match far {
            true => one.abs().max(other.abs()),
            false => one.abs().min(other.abs()),
        };
        (
            pick(at.0 - area.x, area.x + area.width - at.0),
            pick(at.1 - area.y, area.y + area.height - at.1),
        )
    };
    let to_corner = |(across, down): Point| match circle {
        true => {
            let radius = across.hypot(down);
            (radius, radius)
        }
        // The ellipse through the corner has the aspect ratio of the ellipse that touches the sides, so it is √2 times
        // as large.
        false => (
            across * std::f32::consts::SQRT_2,
            down * std::f32::consts::SQRT_2,
        ),
    };
    let to_side = |(across, down): Point, far: bool| match (circle, far) {
        (false, _) => (across, down),
        (true, true) => (across.max(down), across.max(down)),
        (true, false) => (across.min(down), across.min(down)),
    };
    match extent {
        Extent::FarthestCorner => to_corner(sides(true)),
        Extent::ClosestCorner => to_corner(sides(false)),
        Extent::FarthestSide => to_side(sides(true), true),
        Extent::ClosestSide => to_side(sides(false), false),
        Extent::Lengths(across, None) => {
            // A percentage of a circle's radius in `clip-path` refers to this length (CSS Shapes 1,
            // 3.1).
            let whole = area.width.hypot(area.height) / std::f32::consts::SQRT_2;
            let radius = across.of(whole).max(0.0);
            (radius, radius)
        }
        Extent::Lengths(across, Some(down)) => (
            across.of(area.width).max(0.0),
            down.of(area.height).max(0.0),
        ),
    }
}

/// Returns whether no colour is translucent.
fn is_opaque(stops: &[(f32, Rgba)]) -> bool {
    stops.iter().all(|(_, colour)| colour.alpha >= 1.0)
}

/// Number of bands for a gradient of this length in px: one for each 0.75 px, but at least two, and at most [`STEPS`].
fn steps_for(length: f32) -> usize {
    STEPS.min((length / 0.75).ceil().max(2.0) as usize)
}

/// Bands across a gradient line through the centre of the area (CSS Images 3, 3.1). The first and
/// last band extend beyond the area.
fn linear(
    gradient: &Gradient,
    area: Area,
    current: Rgba,
    direction: Point,
    length: f32,
) -> Vec<Step> {
    if length <= 0.0 {
        return Vec::new();
    }
    let centre = (area.x + area.width / 2.0, area.y + area.height / 2.0);
    let stops = stops(gradient, length, current);
    let opaque = is_opaque(&stops);
    // Distance by which the bands extend beyond the area.
    let big = area.width + area.height;
    let start = (
        centre.0 - direction.0 * length / 2.0,
        centre.1 - direction.1 * length / 2.0,
    );
    let edges = sharp(&stops, steps_for(length), gradient.repeats);
    let bands = bands(&edges, &stops, gradient.repeats);
    let last = bands.len().saturating_sub(1);
    let mut all = Vec::with_capacity(bands.len());
    // Opaque bands extend to the end, so that the next band covers their edge.
    for (step, (from, to, colour)) in bands.into_iter().enumerate() {
        let begin = if step == 0 { -big } else { from * length };
        let end = match opaque || step == last {
            true => length + 2.0 * big,
            false => to * length,
        };
        // The point at the distance `along` on the gradient line, and the distance `aside` from the line.
        let point = |along: f32, aside: f32| {
            (
                start.0 + direction.0 * along - direction.1 * aside,
                start.1 + direction.1 * along + direction.0 * aside,
            )
        };
        let path = vec![
            Segment::Move(point(begin, -big)),
            Segment::Line(point(begin, big)),
            Segment::Line(point(end, big)),
            Segment::Line(point(end, -big)),
            Segment::Close,
        ];
        all.push((path, colour));
    }
    all
}

/// Elliptical rings around a centre (CSS Images 3, 3.2), painted from the outermost inwards.
fn radial(gradient: &Gradient, area: Area, current: Rgba, at: Point, radius: Point) -> Vec<Step> {
    // A gradient of size 0 becomes tiny, so that practically only the last colour is visible.
    let radius = (radius.0.max(0.01), radius.1.max(0.01));
    let stops = stops(gradient, radius.0, current);
    let opaque = is_opaque(&stops);
    // Distance to the farthest corner, to which a repeating gradient extends.
    let corner = (
        (at.0 - area.x)
            .abs()
            .max((area.x + area.width - at.0).abs()),
        (at.1 - area.y)
            .abs()
            .max((area.y + area.height - at.1).abs()),
    );
    // Stops beyond the ending shape enlarge the painted ellipse.
    let most = stops.last().map_or(1.0, |last| last.0);
    let times = match gradient.repeats {
        true => (corner.0 / radius.0)
            .hypot(corner.1 / radius.1)
            .clamp(1.0, 200.0),
        false => most.clamp(1.0, 1000.0),
    };
    // Edges of the bands, as multiples of the ending shape.
    let edges: Vec<f32> = match gradient.repeats {
        true => {
            let count = (STEPS * 4).min((radius.0 * times / 0.75).ceil().max(2.0) as usize);
            (0..=count)
                .map(|step| step as f32 * times / count as f32)
                .collect()
        }
        false => {
            let scaled: Vec<_> = stops
                .iter()
                .map(|(at, paint)| (at / times, *paint))
                .collect();
            let edges = sharp(&scaled, steps_for(radius.0.max(radius.1) * times), false);
            edges.into_iter().map(|edge| edge * times).collect()
        }
    };
    // The ending shape, scaled by `part`.
    let ring = |part: f32| {
        let size = (radius.0 * part, radius.1 * part);
        let around = Area {
            x: at.0 - size.0,
            y: at.1 - size.1,
            width: 2.0 * size.0,
            height: 2.0 * size.1,
        };
        rounded(around, [size; 4])
    };
    // Everything outside of the last ring has the last colour, or in a repeating gradient the colour at that ring.
    let last = stops.last().filter(|_| !gradient.repeats);
    let outermost = last.map_or_else(|| colour_at(&stops, times, true), |last| last.1);
    let outer = edges.last().copied().unwrap_or(1.0);
    let mut whole = rectangle(area);
    // Opaque rings are painted over each other. If a colour is translucent, each ring gets a hole, because overlapping
    // colours would add up.
    if !opaque {
        whole.extend(ring(outer));
    }
    let mut all = vec![(whole, outermost)];
    for (from, to, colour) in bands(&edges, &stops, gradient.repeats).into_iter().rev() {
        let mut path = ring(to);
        if !opaque && from > 0.0 {
            path.extend(ring(from));
        }
        all.push((path, colour));
    }
    all
}

/// Wedges around a centre, clockwise from the angle `from` in degrees (CSS Images 4, 3.3).
fn conic(gradient: &Gradient, area: Area, current: Rgba, from: f32, at: Point) -> Vec<Step> {
    let stops = stops(gradient, 1.0, current);
    let far = area.width + area.height;
    // Edges are fractions of the turn.
    let edges = sharp(&stops, TURNS, gradient.repeats);
    let point = |part: f32| {
        let (sin, cos) = (from + part * 360.0).to_radians().sin_cos();
        (at.0 + sin * far, at.1 - cos * far)
    };
    let opaque = is_opaque(&stops);
    let wedge = |(from, to, colour): (f32, f32, Rgba)| {
        // An opaque wedge overlaps the next one a little, to hide the seam.
        let end = if opaque { (to + 0.004).min(1.0) } else { to };
        let mut path = vec![Segment::Move(at), Segment::Line(point(from))];
        // The outer edge of a wide wedge needs further points that lie outside the area.
        let corners = ((end - from) * 8.0).ceil().max(1.0) as usize;
        for corner in 1..=corners {
            let part = from + (end - from) * corner as f32 / corners as f32;
            path.push(Segment::Line(point(part)));
        }
        path.push(Segment::Close);
        (path, colour)
    };
    let all = bands(&edges, &stops, gradient.repeats);
    all.into_iter().map(wedge).collect()
}

/// Bands between consecutive edges: start, end and the colour at the middle. Bands of equal colour
/// are merged.
fn bands(edges: &[f32], stops: &[(f32, Rgba)], repeats: bool) -> Vec<(f32, f32, Rgba)> {
    let mut all: Vec<(f32, f32, Rgba)> = Vec::with_capacity(edges.len());
    // The colour at the middle of a band represents the whole band.
    for ends in edges.windows(2) {
        let colour = colour_at(stops, (ends[0] + ends[1]) / 2.0, repeats);
        match all.last_mut() {
            Some((_, to, known)) if *known == colour => *to = ends[1],
            _ => all.push((ends[0], ends[1], colour)),
        }
    }
    all
}

/// Edges of the bands from 0 to 1: evenly spaced, with further edges at the colour stops so that sharp transitions stay
/// sharp, unless a repeated pattern is too fine.
fn sharp(stops: &[(f32, Rgba)], count: usize, repeats: bool) -> Vec<f32> {
    let mut edges: Vec<f32> = (0..=count).map(|step| step as f32 / count as f32).collect();
    // Stops of each repetition within the line.
    if repeats {
        let (first, last) = (stops.first(), stops.last());
        // Length of a repetition.
        let period = first
            .zip(last)
            .map_or(0.0, |(first, last)| last.0 - first.0);
        // A pattern that is finer than these limits gets no exact edges.
        if period > 0.01 && stops.len() as f32 / period < MAX_EDGES {
            let begin = first.map_or(0.0, |first| first.0);
            let from = ((0.0 - begin) / period).floor() as i32;
            for turn in from..=from + (1.0 / period).ceil() as i32 + 1 {
                edges.extend(stops.iter().map(|stop| stop.0 + turn as f32 * period));
            }
        }
    } else {
        edges.extend(stops.iter().map(|stop| stop.0));
    }
    edges.retain(|edge| (0.0..=1.0).contains(edge));
    edges.sort_by(f32::total_cmp);
    edges.dedup_by(|one, other| (*one - *other).abs() < 1e-5);
    edges
}

/// Colour stops with their positions as fractions of the length (CSS Images 3, 3.4.3). Missing positions are spread
/// evenly, and no stop is before its predecessor.
fn stops(gradient: &Gradient, length: f32, current: Rgba) -> Vec<(f32, Rgba)> {
    let count = gradient.stops.len();
    // A position in px or percent becomes a fraction of the gradient line.
    let mut places: Vec<Option<f32>> = gradient
        .stops
        .iter()
        .map(|(at, _)| at.as_ref().map(|at| at.of(length) / length))
        .collect();
    // Missing positions at the ends are 0 and 1.
    if let Some(first) = places.first_mut() {
        first.get_or_insert(0.0);
    }
    if let Some(last) = places.last_mut() {
        last.get_or_insert(1.0);
    }
    // No stop lies before an earlier one.
    let mut highest = f32::MIN;
    for place in places.iter_mut().flatten() {
        *place = place.max(highest);
        highest = *place;
    }
    // Runs of missing positions are spread evenly between their neighbours.
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

/// Colour of the gradient at a position.
fn colour_at(stops: &[(f32, Rgba)], part: f32, repeats: bool) -> Rgba {
    let (Some(first), Some(last)) = (stops.first(), stops.last()) else {
        return Rgba::CLEAR;
    };
    // A repeated gradient continues with the period of its stops.
    let mut part = part;
    if repeats && last.0 > first.0 {
        part = first.0 + (part - first.0).rem_euclid(last.0 - first.0);
    }
    // The colour of the first stop applies before it, and the colour of the last stop after it.
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
    // Interpolation uses premultiplied colours (CSS Images 3, 3.4.2).
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
