//! Outlines of box shadows (CSS Backgrounds 3, 6.1). Paints nothing, and does not depend on pages.
//!
//! Page items have no blur, so a blurred shadow is approximated by eight translucent outlines of
//! decreasing size, whose sum fades over the blur distance.

use super::{
    decor::{Frame, grown, within},
    outlines::{rectangle, rounded},
};
use convertd_layout::item::{Area, Segment};
use convertd_markup::css::{rgba::Rgba, style::Shadow};

/// Limit on the painted shadows of a box, each of which may be eight outlines.
const MAX_SHADOWS: usize = 128;
/// Number of outlines of a blurred shadow.
const RINGS: usize = 8;

/// Outer or inner shadows that are painted, bottom first. If there are more than the limit, only the topmost ones are
/// painted.
fn drawn(frame: &Frame, inset: bool) -> impl Iterator<Item = &Shadow> {
    let all = frame.style.shadows.iter();
    let own = all.filter(|shadow| shadow.inset == inset);
    let uppermost: Vec<_> = own.take(MAX_SHADOWS).collect();
    uppermost.into_iter().rev()
}

/// Outlines of the outer shadows, which lie below the box.
pub(crate) fn outer(frame: &Frame) -> Vec<(Vec<Segment>, Rgba)> {
    let current = frame.style.text.colour;
    let own = frame.radii();
    let mut all = Vec::new();
    for shadow in drawn(frame, false) {
        let colour = shadow.colour.or(current);
        if colour.is_clear() {
            continue;
        }
        let rings = if shadow.blur > 0.5 { RINGS } else { 1 };
        // The outlines go from the largest one inwards, over half the blur distance on either side of the edge.
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
            // Without blur, square corners stay square.
            let soft = if rings > 1 { shadow.blur / 2.0 } else { 0.0 };
            let grow = |radius: f32| match radius > 0.0 || rings > 1 {
                true => (radius + by.max(0.0)).max(soft),
                false => 0.0,
            };
            let radii = own.map(|(x, y)| (grow(x), grow(y)));
            let most = (area.width / 2.0, area.height / 2.0);
            let path = rounded(area, radii.map(|(x, y)| (x.min(most.0), y.min(most.1))));
            // The alphas of all outlines add up to that of the shadow.
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

/// Outlines of the inner shadows. Each is a frame between a rectangle outside of the padding box and the hole of the
/// shadow.
pub(crate) fn inset(frame: &Frame) -> Vec<(Vec<Segment>, Rgba)> {
    let inner = within(frame.area, &frame.border);
    let own = frame.radii_within(inner);
    let mut all = Vec::new();
    for shadow in drawn(frame, true) {
        let colour = shadow.colour.or(frame.style.text.colour);
        let rings = if shadow.blur > 0.5 { RINGS } else { 1 };
        for ring in 0..rings {
            // The hole shrinks by the spread, plus or minus half the blur.
            let part = (ring as f32 + 0.5) / rings as f32 - 0.5;
            let by = shadow.spread + if rings > 1 { part * shadow.blur } else { 0.0 };
            let hole = Area {
                x: inner.x + shadow.x,
                y: inner.y + shadow.y,
                ..inner
            };
            let hole = grown(hole, -by);
            let radii = own.map(|(x, y)| match x > 0.0 && y > 0.0 {
                true => ((x - by).max(0.0), (y - by).max(0.0)),
                false => (0.0, 0.0),
            });
            // The outer rectangle must be outside of the padding box even if the hole is moved.
            let reach = by.abs() + shadow.x.abs() + shadow.y.abs();
            let mut path = rectangle(grown(inner, reach + 1.0));
            path.extend(rounded(hole, radii));
            let faint = Rgba {
                alpha: colour.alpha / rings as f32,
                ..colour
            };
            all.push((path, faint));
        }
    }
    all
}

/// Clip for outer shadows: the area outside of the border box. In the border box no shadow is painted even if the box
/// is translucent.
pub(crate) fn outside(frame: &Frame) -> Vec<Segment> {
    let mut path = rectangle(grown(frame.area, 2_000.0));
    // The outline is reversed, so that it is a hole under both fill rules.
    path.extend(reversed(&frame.outline(frame.area)));
    path
}

/// Reverses a closed outline.
fn reversed(path: &[Segment]) -> Vec<Segment> {
    let end = |segment: &Segment| match segment {
        Segment::Move(to) | Segment::Line(to) | Segment::Curve(_, _, to) => Some(*to),
        Segment::Close => None,
    };
    let open: Vec<&Segment> = path
        .iter()
        .filter(|segment| end(segment).is_some())
        .collect();
    let Some(last) = open.last().and_then(|last| end(last)) else {
        return Vec::new();
    };
    let mut back = vec![Segment::Move(last)];
    // Each segment is walked from its end to the end of the segment before, so the control points of a curve are
    // exchanged.
    for pair in open.windows(2).rev() {
        let Some(to) = end(pair[0]) else { continue };
        back.push(match pair[1] {
            Segment::Curve(one, other, _) => Segment::Curve(*other, *one, to),
            _ => Segment::Line(to),
        });
    }
    back.push(Segment::Close);
    back
}
