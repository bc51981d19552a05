//! Outlines of rectangles, with or without rounded corners. Paints nothing.

use convertd_layout::item::{Area, Segment};

/// Distance of the control points from the ends of a quarter circle of radius 1: 4/3·(√2 − 1), with
/// an error below 0.03 %.
const ROUND: f32 = 0.552_284_8;

/// Outline of a rectangle, clockwise.
pub(crate) fn rectangle(area: Area) -> Vec<Segment> {
    let (right, bottom) = (area.x + area.width, area.y + area.height);
    vec![
        Segment::Move((area.x, area.y)),
        Segment::Line((right, area.y)),
        Segment::Line((right, bottom)),
        Segment::Line((area.x, bottom)),
        Segment::Close,
    ]
}

/// Outline of a rectangle with elliptical corners, clockwise; radii begin at the top left.
pub(crate) fn rounded(area: Area, radii: [(f32, f32); 4]) -> Vec<Segment> {
    let (left, top) = (area.x, area.y);
    let (right, bottom) = (area.x + area.width, area.y + area.height);
    // Radii of the corners, clockwise. `k` is the distance of the control points from the corner, as a share of the
    // radius.
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
