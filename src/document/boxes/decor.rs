//! The outlines of what boxes are decorated with (CSS Backgrounds 3): backgrounds, borders, shadows, gradients. Paints nothing, and
//! knows no page.

use super::{fragment::Sides, tree::Marker};
use crate::document::{
    css::{
        colour::Rgba,
        style::{
            BOTTOM, BackgroundBox, BackgroundSize, Border, Gradient, GradientShape, Image, LEFT,
            Layer, LineStyle, RIGHT, Style, TOP,
        },
    },
    layout::item::{Area, Segment},
};
use std::{collections::HashMap, rc::Rc};

/// The distance of the control points of a quarter of a circle from its ends.
const ROUND: f32 = 0.552_284_8;
/// How many steps a gradient is drawn in, at most.
const STEPS: usize = 96;
/// The most copies of a background picture.
const MOST_TILES: usize = 4000;

/// Something that is drawn in a background.
pub(super) enum Drawn {
    Path(Vec<Segment>, Rgba),
    Picture(Area, usize),
}

/// A box with its border.
pub(super) struct Frame {
    pub(super) area: Area,
    pub(super) style: Rc<Style>,
    pub(super) border: Sides,
    pub(super) padding: Sides,
}

impl Frame {
    fn inner(&self, sides: &Sides, area: Area) -> Area {
        Area {
            x: area.x + sides[LEFT],
            y: area.y + sides[TOP],
            width: (area.width - sides[LEFT] - sides[RIGHT]).max(0.0),
            height: (area.height - sides[TOP] - sides[BOTTOM]).max(0.0),
        }
    }

    fn part(&self, part: BackgroundBox) -> Area {
        match part {
            BackgroundBox::Border => self.area,
            BackgroundBox::Padding => self.inner(&self.border, self.area),
            BackgroundBox::Content | BackgroundBox::Text => {
                let padding = self.inner(&self.border, self.area);
                self.inner(&self.padding, padding)
            }
        }
    }

    /// Where the background is seen.
    pub(super) fn clip(&self) -> Area {
        self.part(self.style.background_clip)
    }

    pub(super) fn is_round(&self) -> bool {
        self.style
            .radius
            .iter()
            .any(|(x, y)| x.of(100.0) > 0.0 && y.of(100.0) > 0.0)
    }

    /// The radii of the four corners of the border box, small enough that they fit (5.5).
    fn radii(&self) -> [(f32, f32); 4] {
        let Area { width, height, .. } = self.area;
        let mut radii: [(f32, f32); 4] = std::array::from_fn(|corner| {
            let (x, y) = &self.style.radius[corner];
            (x.of(width).max(0.0), y.of(height).max(0.0))
        });
        let sums = [
            (width, radii[0].0 + radii[1].0),
            (width, radii[3].0 + radii[2].0),
            (height, radii[0].1 + radii[3].1),
            (height, radii[1].1 + radii[2].1),
        ];
        let fits = |(side, sum): &(f32, f32)| if *sum > 0.0 { side / sum } else { 1.0 };
        let scale = sums.iter().map(fits).fold(1.0, f32::min);
        radii
            .iter_mut()
            .for_each(|radius| *radius = (radius.0 * scale, radius.1 * scale));
        radii
    }

    /// The outline of an area within the border box, with its corners rounded as they are there.
    pub(super) fn outline(&self, area: Area) -> Vec<Segment> {
        if !self.is_round() {
            return rectangle(area);
        }
        let insets = [
            area.y - self.area.y,
            self.area.x + self.area.width - area.x - area.width,
            self.area.y + self.area.height - area.y - area.height,
            area.x - self.area.x,
        ];
        let radii = self.radii();
        let sides = [(LEFT, TOP), (RIGHT, TOP), (RIGHT, BOTTOM), (LEFT, BOTTOM)];
        let radii = std::array::from_fn(|corner| {
            let (across, down) = sides[corner];
            (
                (radii[corner].0 - insets[across]).max(0.0),
                (radii[corner].1 - insets[down]).max(0.0),
            )
        });
        rounded(area, radii)
    }
}

/// A rectangle as an outline.
pub(super) fn rectangle(area: Area) -> Vec<Segment> {
    let (right, bottom) = (area.x + area.width, area.y + area.height);
    vec![
        Segment::Move((area.x, area.y)),
        Segment::Line((right, area.y)),
        Segment::Line((right, bottom)),
        Segment::Line((area.x, bottom)),
        Segment::Close,
    ]
}

/// A rectangle with round corners.
fn rounded(area: Area, radii: [(f32, f32); 4]) -> Vec<Segment> {
    let (left, top) = (area.x, area.y);
    let (right, bottom) = (area.x + area.width, area.y + area.height);
    let [a, b, c, d] = radii;
    let k = 1.0 - ROUND;
    vec![
        Segment::Move((left + a.0, top)),
        Segment::Line((right - b.0, top)),
        Segment::Curve(
            (right - b.0 * k, top),
            (right, top + b.1 * k),
            (right, top + b.1),
        ),
        Segment::Line((right, bottom - c.1)),
        Segment::Curve(
            (right, bottom - c.1 * k),
            (right - c.0 * k, bottom),
            (right - c.0, bottom),
        ),
        Segment::Line((left + d.0, bottom)),
        Segment::Curve(
            (left + d.0 * k, bottom),
            (left, bottom - d.1 * k),
            (left, bottom - d.1),
        ),
        Segment::Line((left, top + a.1)),
        Segment::Curve(
            (left, top + a.1 * k),
            (left + a.0 * k, top),
            (left + a.0, top),
        ),
        Segment::Close,
    ]
}

/// What two areas have in common.
pub(super) fn common(one: Area, other: Area) -> Area {
    let x = one.x.max(other.x);
    let y = one.y.max(other.y);
    Area {
        x,
        y,
        width: ((one.x + one.width).min(other.x + other.width) - x).max(0.0),
        height: ((one.y + one.height).min(other.y + other.height) - y).max(0.0),
    }
}

/// An area that is larger on all sides.
pub(super) fn grown(area: Area, by: f32) -> Area {
    Area {
        x: area.x - by,
        y: area.y - by,
        width: (area.width + 2.0 * by).max(0.0),
        height: (area.height + 2.0 * by).max(0.0),
    }
}

/// The area that an outline is in.
pub(super) fn bounds(path: &[Segment]) -> Area {
    let points = path.iter().filter_map(|segment| match segment {
        Segment::Move(to) | Segment::Line(to) | Segment::Curve(_, _, to) => Some(*to),
        Segment::Close => None,
    });
    let (mut least, mut most) = ((f32::MAX, f32::MAX), (f32::MIN, f32::MIN));
    for (x, y) in points {
        least = (least.0.min(x), least.1.min(y));
        most = (most.0.max(x), most.1.max(y));
    }
    if most.0 < least.0 {
        return Area::default();
    }
    Area {
        x: least.0,
        y: least.1,
        width: most.0 - least.0,
        height: most.1 - least.1,
    }
}

/// Lighter and darker sides of borders that look raised or sunk.
fn shaded(colour: Rgba, style: LineStyle, side: usize) -> Rgba {
    let lit = matches!(side, TOP | LEFT);
    let dark = match style {
        LineStyle::Inset => lit,
        LineStyle::Outset => !lit,
        _ => return colour,
    };
    if !dark {
        // Black has no lighter side.
        return match colour.rgb {
            [0, 0, 0] => Rgba {
                rgb: [76, 76, 76],
                ..colour
            },
            _ => colour,
        };
    }
    Rgba {
        rgb: colour.rgb.map(|part| (f32::from(part) * 0.7) as u8),
        ..colour
    }
}

/// The border of a box.
pub(super) fn borders(frame: &Frame) -> Vec<(Vec<Segment>, Rgba)> {
    let current = frame.style.text.colour;
    let border = &frame.style.border;
    let widths = frame.border;
    if widths.iter().all(|width| *width <= 0.0) {
        return Vec::new();
    }
    let area = frame.area;
    let inner = frame.inner(&widths, area);
    let drawn = |side: usize| widths[side] > 0.0 && is_drawn(border[side].style);
    let first = border[TOP];
    let alike = (0..4).all(|side| {
        drawn(side) && border[side].style == first.style && border[side].colour == first.colour
    });
    if alike
        && (frame.is_round() || first.style == LineStyle::Solid)
        && !matches!(first.style, LineStyle::Dashed | LineStyle::Dotted)
    {
        // Thin lines are drawn one by one: programs that show them keep a line at least a pixel wide, but not a ring.
        let thin = widths.iter().all(|width| *width < 3.0);
        if thin && !frame.is_round() {
            let sides = straight(area, inner).into_iter();
            let colour = first.colour.or(current);
            return sides.map(|side| (rectangle(side), colour)).collect();
        }
        let mut ring = frame.outline(area);
        ring.extend(frame.outline(inner));
        return vec![(ring, first.colour.or(current))];
    }
    let mut all = Vec::new();
    for side in 0..4 {
        if !drawn(side) {
            continue;
        }
        let colour = shaded(border[side].colour.or(current), border[side].style, side);
        let path = edge(area, inner, side);
        match border[side].style {
            LineStyle::Dashed | LineStyle::Dotted => {
                let dots = dashes(area, inner, side, widths[side], border[side].style);
                if !dots.is_empty() {
                    all.push((dots, colour));
                }
            }
            LineStyle::Double if widths[side] >= 3.0 => {
                let third = widths.map(|width| (width / 3.0).round());
                let outer = frame.inner(&third, area);
                let two = widths.map(|width| width - (width / 3.0).round());
                let within = frame.inner(&two, area);
                all.push((edge(area, outer, side), colour));
                all.push((edge(within, inner, side), colour));
            }
            LineStyle::Groove | LineStyle::Ridge => {
                let half = widths.map(|width| width / 2.0);
                let middle = frame.inner(&half, area);
                let (one, other) = match border[side].style {
                    LineStyle::Groove => (LineStyle::Inset, LineStyle::Outset),
                    _ => (LineStyle::Outset, LineStyle::Inset),
                };
                let plain = border[side].colour.or(current);
                all.push((edge(area, middle, side), shaded(plain, one, side)));
                all.push((edge(middle, inner, side), shaded(plain, other, side)));
            }
            _ => all.push((path, colour)),
        }
    }
    all
}

/// What is between two rectangles, as four that do not meet: above, below, to the left and to the right.
fn straight(outer: Area, inner: Area) -> [Area; 4] {
    let (right, bottom) = (inner.x + inner.width, inner.y + inner.height);
    let beside = |x: f32, end: f32| Area {
        x,
        width: end - x,
        ..inner
    };
    let across = |y: f32, end: f32| Area {
        y,
        height: end - y,
        ..outer
    };
    [
        across(outer.y, inner.y),
        across(bottom, outer.y + outer.height),
        beside(outer.x, inner.x),
        beside(right, outer.x + outer.width),
    ]
}

/// One side between two rectangles, with mitred ends.
fn edge(outer: Area, inner: Area, side: usize) -> Vec<Segment> {
    let corners = |area: Area| {
        [
            (area.x, area.y),
            (area.x + area.width, area.y),
            (area.x + area.width, area.y + area.height),
            (area.x, area.y + area.height),
        ]
    };
    let (out, within) = (corners(outer), corners(inner));
    let (one, other) = match side {
        TOP => (0, 1),
        RIGHT => (1, 2),
        BOTTOM => (2, 3),
        _ => (3, 0),
    };
    vec![
        Segment::Move(out[one]),
        Segment::Line(out[other]),
        Segment::Line(within[other]),
        Segment::Line(within[one]),
        Segment::Close,
    ]
}

/// The dashes or dots of one side.
fn dashes(outer: Area, inner: Area, side: usize, width: f32, style: LineStyle) -> Vec<Segment> {
    let along = matches!(side, TOP | BOTTOM);
    let length = if along { outer.width } else { outer.height };
    let dash = match style {
        LineStyle::Dotted => width,
        _ if width >= 3.0 => 2.0 * width,
        _ => 3.0 * width,
    };
    let gap = match style {
        LineStyle::Dotted => width,
        _ if width >= 3.0 => width,
        _ => 2.0 * width,
    };
    let count = (((length + gap) / (dash + gap)).round().max(1.0) as usize).min(5000);
    let gap = if count > 1 {
        (length - dash * count as f32) / (count - 1) as f32
    } else {
        0.0
    };
    let mut path = Vec::new();
    for index in 0..count {
        let at = index as f32 * (dash + gap);
        let area = match side {
            TOP => Area {
                x: outer.x + at,
                y: outer.y,
                width: dash,
                height: width,
            },
            BOTTOM => Area {
                x: outer.x + at,
                y: inner.y + inner.height,
                width: dash,
                height: width,
            },
            LEFT => Area {
                x: outer.x,
                y: outer.y + at,
                width,
                height: dash,
            },
            _ => Area {
                x: inner.x + inner.width,
                y: outer.y + at,
                width,
                height: dash,
            },
        };
        if style == LineStyle::Dotted && width > 1.5 {
            let radius = (area.width / 2.0, area.height / 2.0);
            path.extend(rounded(area, [radius; 4]));
        } else {
            path.extend(rectangle(area));
        }
    }
    path
}

/// The borders of a cell that shares them with those beside it: half of each is in it.
pub(super) fn collapsed(
    area: Area,
    borders: &[Option<Border>; 4],
    current: Rgba,
) -> Vec<(Vec<Segment>, Rgba)> {
    let mut all = Vec::new();
    let half = |side: usize| borders[side].map_or(0.0, |border| border.width() / 2.0);
    for side in [LEFT, RIGHT, TOP, BOTTOM] {
        let Some(border) = borders[side] else {
            continue;
        };
        let width = border.width();
        if width <= 0.0 || !is_drawn(border.style) {
            continue;
        }
        let (right, bottom) = (area.x + area.width, area.y + area.height);
        let line = match side {
            TOP => Area {
                x: area.x - half(LEFT),
                y: area.y - width / 2.0,
                width: area.width + half(LEFT) + half(RIGHT),
                height: width,
            },
            BOTTOM => Area {
                x: area.x - half(LEFT),
                y: bottom - width / 2.0,
                width: area.width + half(LEFT) + half(RIGHT),
                height: width,
            },
            LEFT => Area {
                x: area.x - width / 2.0,
                y: area.y,
                width,
                height: area.height,
            },
            _ => Area {
                x: right - width / 2.0,
                y: area.y,
                width,
                height: area.height,
            },
        };
        let colour = border.colour.or(current);
        match border.style {
            LineStyle::Dashed | LineStyle::Dotted => {
                let nothing = Area {
                    x: line.x + width,
                    y: line.y + width,
                    width: (line.width - 2.0 * width).max(0.0),
                    height: (line.height - 2.0 * width).max(0.0),
                };
                let along = if matches!(side, TOP | BOTTOM) {
                    TOP
                } else {
                    LEFT
                };
                all.push((dashes(line, nothing, along, width, border.style), colour));
            }
            _ => all.push((rectangle(line), colour)),
        }
    }
    all
}

/// The outline around a box.
pub(super) fn outline(frame: &Frame) -> Vec<Segment> {
    let style = &frame.style;
    let inner = grown(frame.area, style.outline_offset);
    let mut ring = rectangle(grown(inner, style.outline.width()));
    ring.extend(rectangle(inner));
    ring
}

/// The shadows of a box. A soft one is drawn in rings, each fainter than the one within.
pub(super) fn shadows(frame: &Frame) -> Vec<(Vec<Segment>, Rgba)> {
    const RINGS: usize = 8;
    let current = frame.style.text.colour;
    let mut all = Vec::new();
    for shadow in frame
        .style
        .shadows
        .iter()
        .rev()
        .filter(|shadow| !shadow.inset)
    {
        let colour = shadow.colour.or(current);
        if colour.is_clear() {
            continue;
        }
        let rings = if shadow.blur > 0.5 { RINGS } else { 1 };
        for ring in 0..rings {
            let part = (ring as f32 + 0.5) / rings as f32 - 0.5;
            let by = shadow.spread - if rings > 1 { part * shadow.blur } else { 0.0 };
            let area = grown(
                Area {
                    x: frame.area.x + shadow.x,
                    y: frame.area.y + shadow.y,
                    ..frame.area
                },
                by,
            );
            let radii = frame.radii().map(|(x, y)| {
                let soft = if rings > 1 { shadow.blur / 2.0 } else { 0.0 };
                ((x + by.max(0.0)).max(soft), (y + by.max(0.0)).max(soft))
            });
            let most = (area.width / 2.0, area.height / 2.0);
            let path = rounded(area, radii.map(|(x, y)| (x.min(most.0), y.min(most.1))));
            let faint = Rgba {
                alpha: colour.alpha / rings as f32,
                ..colour
            };
            if by >= 0.0 || shadow.x != 0.0 || shadow.y != 0.0 {
                all.push((path, faint));
            }
        }
    }
    all
}

/// All around a box but the box itself, as a clip: nothing of a shadow is seen through the box.
pub(super) fn outside(area: Area) -> Vec<Segment> {
    let mut path = rectangle(grown(area, 2_000.0));
    let (right, bottom) = (area.x + area.width, area.y + area.height);
    // The other way round, so that it is a hole.
    path.extend([
        Segment::Move((area.x, area.y)),
        Segment::Line((area.x, bottom)),
        Segment::Line((right, bottom)),
        Segment::Line((right, area.y)),
        Segment::Close,
    ]);
    path
}

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
fn offset(position: &crate::document::css::value::Length, room: f32) -> f32 {
    position.of(room)
}

fn tile(layer: &Layer, place: Area, own: Option<(f32, f32)>) -> (f32, f32) {
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

/// A gradient in steps: each covers all that follows, so that there are no seams between them.
fn gradient(gradient: &Gradient, area: Area, current: Rgba, drawn: &mut Vec<Drawn>) {
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
fn stops(gradient: &Gradient, length: f32, current: Rgba) -> Vec<(f32, Rgba)> {
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

fn colour_at(stops: &[(f32, Rgba)], part: f32, repeats: bool) -> Rgba {
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

/// A line below or through text.
pub(super) fn line(area: Area, style: LineStyle) -> Vec<Area> {
    match style {
        LineStyle::Double => vec![
            area,
            Area {
                y: area.y + 2.0 * area.height,
                ..area
            },
        ],
        LineStyle::Dotted | LineStyle::Dashed => {
            let dash = if style == LineStyle::Dotted {
                area.height
            } else {
                3.0 * area.height
            };
            let step = (2.0 * dash).max(0.5);
            let count = ((area.width / step) as usize).min(2000);
            (0..=count)
                .map(|index| {
                    let x = area.x + index as f32 * step;
                    Area {
                        x,
                        width: dash.min(area.x + area.width - x).max(0.0),
                        ..area
                    }
                })
                .collect()
        }
        _ => vec![area],
    }
}

/// The mark in front of an item of a list.
pub(super) fn marker(area: Area, marker: &Marker) -> Vec<Segment> {
    let radius = (area.width / 2.0, area.height / 2.0);
    match marker {
        Marker::Square => rectangle(area),
        Marker::Circle => {
            let mut ring = rounded(area, [radius; 4]);
            let inner = grown(area, -1.0);
            ring.extend(rounded(inner, [(inner.width / 2.0, inner.height / 2.0); 4]));
            ring
        }
        Marker::Disc | Marker::Text(_) => rounded(area, [radius; 4]),
    }
}

/// The sign for a picture that is not there.
pub(super) fn missing(area: Area) -> Vec<(Vec<Segment>, Rgba)> {
    let grey = Rgba::opaque(0xc0, 0xc0, 0xc0);
    let mut ring = rectangle(area);
    ring.extend(rectangle(grown(area, -1.0)));
    vec![(ring, grey)]
}

/// Whether a border is drawn.
pub(super) fn is_drawn(style: LineStyle) -> bool {
    !matches!(style, LineStyle::None | LineStyle::Hidden)
}
