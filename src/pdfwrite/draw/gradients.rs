//! Gradients: axial and radial shadings (ISO 32000-1, 8.7.4.5). Their colours are a stitching function (7.10.4) with
//! one linear piece between every two neighbouring stops.
//!
//! PDF has no repeating gradients, so the stops are repeated until they cover the painted area. Shadings have no
//! opacity either: if stops have one, a second shading in grey expresses it as a soft mask.

use super::{
    paint::{Ink, key},
    painter::Painter,
    paths::grown,
    sheet::{ResourceCategory, Sheet, number, part, row},
};
use crate::object as pdf;
use pdf_writer::{Finish as _, Name, Obj, Ref, types::MaskType};
use resvg::{
    tiny_skia::Point,
    usvg::{BaseGradient, LinearGradient, RadialGradient, Rect, SpreadMethod, Stop},
};
use std::sync::Arc;

/// Max. number of repetitions of a gradient.
const MAX_REPEATS: f32 = 1000.0;
/// Max. number of stops of a gradient, repetitions included.
const MAX_STOPS: usize = 5_000;
/// Approximate size of the function between two stops in the file, in bytes.
const PIECE: u64 = 100;

/// Gradient in the terms of PDF.
struct Shade<'g> {
    base: &'g BaseGradient,
    /// Shading type: 2 is axial, 3 is radial.
    kind: i32,
    /// Coordinates of one repetition: start and end, as `Coords` has them.
    once: Vec<f32>,
    /// Range of repetitions: index of the first one, and index after the last one. 0 is the gradient itself.
    repeats: (i32, i32),
}

impl Painter<'_, '_> {
    /// Returns the paint for a linear gradient: an axial shading (ISO 32000-1, 8.7.4.5.3). A repeated gradient is
    /// extended until it covers `area` or the limit is reached. `None` if the gradient cannot be painted.
    pub(super) fn linear(
        &mut self,
        sheet: &Sheet,
        gradient: &Arc<LinearGradient>,
        area: Rect,
    ) -> Option<Ink> {
        let (x1, y1, x2, y2) = (gradient.x1(), gradient.y1(), gradient.x2(), gradient.y2());
        let (dx, dy) = (x2 - x1, y2 - y1);
        let len = dx * dx + dy * dy;
        if len <= 0.0 {
            return last(gradient);
        }
        // Position of a point along the gradient vector: 0 at its start, and 1 at its end.
        let along = |point: Point| ((point.x - x1) * dx + (point.y - y1) * dy) / len;
        let corners = corners(gradient, area)?;
        let positions = corners.map(along);
        let shade = Shade {
            base: gradient,
            kind: 2,
            once: vec![x1, y1, x2, y2],
            repeats: repeats(gradient, positions),
        };
        Some(self.shade(sheet, key(gradient, sheet.matrix()), &shade, area))
    }

    /// Returns the paint for a radial gradient: a radial shading (ISO 32000-1, 8.7.4.5.4). A repeated gradient is
    /// extended until it covers `area` or the limit is reached. `None` if the gradient cannot be painted.
    pub(super) fn radial(
        &mut self,
        sheet: &Sheet,
        gradient: &Arc<RadialGradient>,
        area: Rect,
    ) -> Option<Ink> {
        let (from, to) = (
            (gradient.fx(), gradient.fy()),
            (gradient.cx(), gradient.cy()),
        );
        let (inner, outer) = (gradient.fr().get(), gradient.r().get());
        if outer <= 0.0 {
            return last(gradient);
        }
        // PDF draws nothing between two equal circles. Slightly different circles give the result of SVG, which paints
        // the inside in the first colour and the outside in the last.
        let inner = match inner == outer && from == to {
            true => inner * 0.999,
            false => inner,
        };
        let corners = corners(gradient, area)?;
        // Returns whether the circle at the end of this many repetitions contains the whole area.
        let holds = |times: f32| {
            let middle = (
                from.0 + (to.0 - from.0) * times,
                from.1 + (to.1 - from.1) * times,
            );
            let radius = inner + (outer - inner) * times;
            let is_within =
                |corner: &Point| (corner.x - middle.0).hypot(corner.y - middle.1) <= radius;
            corners.iter().all(is_within)
        };
        let mut times = 1.0;
        while times < MAX_REPEATS && !holds(times) {
            times *= 1.5;
        }
        let shade = Shade {
            base: gradient,
            kind: 3,
            once: vec![from.0, from.1, inner, to.0, to.1, outer],
            repeats: repeats(gradient, [0.0, 0.0, 0.0, times]),
        };
        Some(self.shade(sheet, key(gradient, sheet.matrix()), &shade, area))
    }

    /// Writes a shading pattern with a soft mask for transparent stops. A gradient that is used again with the same
    /// transform shares the pattern, unless it is repeated, because its extent then depends on the area.
    fn shade(
        &mut self,
        sheet: &Sheet,
        key: (usize, [u32; 6]),
        shade: &Shade<'_>,
        area: Rect,
    ) -> Ink {
        let repeats = shade.base.spread_method() != SpreadMethod::Pad;
        let known = self.paints.get(&key).filter(|_| !repeats);
        let pattern = match known {
            Some(known) => *known,
            None => {
                let (pattern, shading) = (self.file.next(), self.file.next());
                let times = i64::from(shade.repeats.1) - i64::from(shade.repeats.0);
                let pieces = (shade.base.stops().len() as u64 + 1) * times.unsigned_abs();
                self.written += PIECE * pieces;
                let colours = |stop: &Stop| {
                    let colour = stop.color();
                    vec![part(colour.red), part(colour.green), part(colour.blue)]
                };
                pdf::small(self.file, shading, |object| {
                    shade.write(object, b"DeviceRGB", &colours);
                });
                let matrix = sheet.matrix().pre_concat(shade.base.transform());
                pdf::small(self.file, pattern, |object| {
                    let mut dictionary = object.dict();
                    dictionary.pair(Name(b"Type"), Name(b"Pattern"));
                    dictionary.pair(Name(b"PatternType"), 2);
                    dictionary.pair(Name(b"Shading"), shading);
                    dictionary
                        .insert(Name(b"Matrix"))
                        .array()
                        .items(row(matrix));
                });
                self.paints.insert(key, pattern);
                pattern
            }
        };
        let stops = shade.base.stops();
        let is_opaque = stops.iter().all(|stop| stop.opacity().get() >= 1.0);
        let mask = (!is_opaque).then(|| self.opacity(sheet, shade, area));
        Ink::pattern(pattern, mask)
    }

    /// Writes the opacity of a gradient as a soft mask.
    fn opacity(&mut self, sheet: &Sheet, shade: &Shade<'_>, area: Rect) -> Ref {
        let shading = self.file.next();
        pdf::small(self.file, shading, |object| {
            shade.write(object, b"DeviceGray", &|stop| vec![stop.opacity().get()]);
        });
        let mut inner = self.enter(sheet);
        inner.transform(shade.base.transform());
        let name = inner.name(ResourceCategory::Shading, shading);
        inner.content.shading(Name(&name));
        let form = self.form_of(inner, grown(area), b"DeviceGray");
        self.soft_mask(form, MaskType::Luminosity)
    }
}

impl Shade<'_> {
    /// Writes the dictionary of a shading: coordinates from the first to the last repetition, and the colours in
    /// between.
    fn write(&self, object: Obj<'_>, space: &[u8], colours: &dyn Fn(&Stop) -> Vec<f32>) {
        let (before, after) = self.repeats;
        let mut dictionary = object.dict();
        dictionary.pair(Name(b"ShadingType"), self.kind);
        dictionary.pair(Name(b"ColorSpace"), Name(space));
        let half = self.once.len() / 2;
        let at = |times: i32| {
            let coordinate = |nth: usize| {
                let (from, to) = (self.once[nth], self.once[half + nth]);
                number(from + (to - from) * times as f32)
            };
            (0..half).map(coordinate).collect::<Vec<f32>>()
        };
        let mut coordinates = dictionary.insert(Name(b"Coords")).array();
        coordinates.items(at(before)).items(at(after));
        coordinates.finish();
        let domain = [before as f32, after as f32];
        dictionary.insert(Name(b"Domain")).array().items(domain);
        dictionary
            .insert(Name(b"Extend"))
            .array()
            .items([true, true]);
        stitched(
            dictionary.insert(Name(b"Function")),
            domain,
            &self.points(colours),
        );
    }

    /// Positions and colours of all stops in all repetitions. Every second repetition of a reflected gradient runs
    /// backwards.
    fn points(&self, colours: &dyn Fn(&Stop) -> Vec<f32>) -> Vec<(f32, Vec<f32>)> {
        let (before, after) = self.repeats;
        let stops: Vec<(f32, Vec<f32>)> = self
            .base
            .stops()
            .iter()
            .map(|stop| (stop.offset().get(), colours(stop)))
            .collect();
        let (Some(first), Some(last)) = (stops.first(), stops.last()) else {
            return Vec::new();
        };
        let ends = ((0.0, first.1.clone()), (1.0, last.1.clone()));
        let mut points = Vec::new();
        for time in before..after {
            let is_back =
                self.base.spread_method() == SpreadMethod::Reflect && time.rem_euclid(2) == 1;
            let once = [&ends.0].into_iter().chain(&stops).chain([&ends.1]);
            let placed = |(offset, colour): &(f32, Vec<f32>)| {
                let offset = if is_back { 1.0 - offset } else { *offset };
                (time as f32 + offset, colour.clone())
            };
            let from = points.len();
            points.extend(once.map(placed));
            if is_back {
                points[from..].reverse();
            }
        }
        points
    }
}

/// Writes a function that interpolates linearly between points: a stitching function (type 3) of exponential functions
/// (type 2) with exponent 1.
fn stitched(object: Obj<'_>, domain: [f32; 2], points: &[(f32, Vec<f32>)]) {
    let pieces: Vec<_> = points
        // Stops at the same position are a hard edge; a piece without length is not allowed.
        .windows(2)
        .filter(|pair| pair[1].0 > pair[0].0)
        .collect();
    let mut function = object.dict();
    function.pair(Name(b"FunctionType"), 3);
    function.insert(Name(b"Domain")).array().items(domain);
    let bounds = pieces.iter().skip(1).map(|pair| pair[0].0);
    function.insert(Name(b"Bounds")).array().items(bounds);
    let encode = pieces.iter().flat_map(|_| [0.0_f32, 1.0]);
    function.insert(Name(b"Encode")).array().items(encode);
    let mut functions = function.insert(Name(b"Functions")).array();
    for pair in pieces {
        let mut piece = functions.push().dict();
        piece.pair(Name(b"FunctionType"), 2);
        piece.insert(Name(b"Domain")).array().items([0.0_f32, 1.0]);
        piece
            .insert(Name(b"C0"))
            .array()
            .items(pair[0].1.iter().copied());
        piece
            .insert(Name(b"C1"))
            .array()
            .items(pair[1].1.iter().copied());
        piece.pair(Name(b"N"), 1);
    }
}

/// Paint for a gradient without extent: its last colour, as SVG defines.
fn last(gradient: &BaseGradient) -> Option<Ink> {
    gradient
        .stops()
        .last()
        .map(|stop| Ink::colour(stop.color()))
}

/// Corners of an area, in the gradient's coordinates.
fn corners(gradient: &BaseGradient, area: Rect) -> Option<[Point; 4]> {
    let back = gradient.transform().invert()?;
    let area = grown(area);
    let mut corners = [
        Point::from_xy(area.left(), area.top()),
        Point::from_xy(area.right(), area.top()),
        Point::from_xy(area.left(), area.bottom()),
        Point::from_xy(area.right(), area.bottom()),
    ];
    back.map_points(&mut corners);
    Some(corners)
}

/// Range of repetitions that reaches all of these positions, limited in number. 0 is the beginning of the gradient, and
/// 1 its end.
fn repeats(gradient: &BaseGradient, positions: [f32; 4]) -> (i32, i32) {
    if gradient.spread_method() == SpreadMethod::Pad {
        return (0, 1);
    }
    let stops = gradient.stops().len() + 2;
    let most = MAX_REPEATS.min((MAX_STOPS / stops) as f32).max(1.0) / 2.0;
    let least = positions.iter().copied().fold(0.0, f32::min).max(-most);
    let greatest = positions
        .iter()
        .copied()
        .fold(1.0, f32::max)
        .min(most.max(1.0));
    (least.floor() as i32, greatest.ceil() as i32)
}
