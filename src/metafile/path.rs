//! Outlines in units of the device, built from points in logical units. Paints nothing.

use super::page::{Matrix, round};
use std::fmt::Write as _;

/// Largest length of the path data of an outline, in bytes.
const MAX_LEN: usize = 4 << 20;

/// An outline as SVG path data.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline {
    pub(super) data: String,
    /// Bounding box: left, top, right, bottom.
    pub(super) bounds: Option<[f64; 4]>,
}

impl Outline {
    /// Extends the bounding box to a point, and returns the point rounded for output.
    fn note(&mut self, (x, y): (f64, f64)) -> (f64, f64) {
        let [left, top, right, bottom] = self.bounds.unwrap_or([x, y, x, y]);
        self.bounds = Some([left.min(x), top.min(y), right.max(x), bottom.max(y)]);
        (round(x), round(y))
    }

    /// Returns whether path data may still grow. Beyond the limit, segments are dropped.
    fn has_room(&self) -> bool {
        self.data.len() < MAX_LEN
    }

    pub(super) fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// Begins a subpath at a point. The matrix converts logical units to those of the device.
    pub(super) fn move_to(&mut self, to: Matrix, point: (f64, f64)) {
        let (x, y) = self.note(to.apply(point));
        if self.has_room() {
            let _ = write!(self.data, "M{x} {y}");
        }
    }

    /// Adds a line.
    pub(super) fn line_to(&mut self, to: Matrix, point: (f64, f64)) {
        let (x, y) = self.note(to.apply(point));
        if self.has_room() {
            let _ = write!(self.data, "L{x} {y}");
        }
    }

    /// Adds a cubic Bézier curve.
    pub(super) fn curve_to(&mut self, to: Matrix, points: [(f64, f64); 3]) {
        let [(a, b), (c, d), (x, y)] = points.map(|point| to.apply(point));
        let [(a, b), (c, d), (x, y)] = [(a, b), (c, d), (x, y)].map(|point| self.note(point));
        if self.has_room() {
            let _ = write!(self.data, "C{a} {b} {c} {d} {x} {y}");
        }
    }

    /// Closes the current subpath.
    pub(super) fn close(&mut self) {
        if !self.data.is_empty() {
            self.data.push('Z');
        }
    }

    /// Adds lines through points, closed or not.
    pub(super) fn polyline(&mut self, to: Matrix, points: &[(f64, f64)], closed: bool) {
        let [first, rest @ ..] = points else {
            return;
        };
        self.move_to(to, *first);
        rest.iter().for_each(|point| self.line_to(to, *point));
        if closed {
            self.close();
        }
    }

    /// Adds cubic Bézier curves of three points each, from the current position.
    pub(super) fn curves(&mut self, to: Matrix, points: &[(f64, f64)]) {
        for three in points.as_chunks::<3>().0 {
            self.curve_to(to, *three);
        }
    }

    /// Adds a rectangle.
    pub(super) fn rectangle(&mut self, to: Matrix, [left, top, right, bottom]: [f64; 4]) {
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        self.polyline(to, &corners, true);
    }

    /// Adds a rectangle with elliptical corners of this width and height, which are limited to its sides.
    pub(super) fn round_rectangle(
        &mut self,
        to: Matrix,
        [left, top, right, bottom]: [f64; 4],
        (width, height): (f64, f64),
    ) {
        let (rx, ry) = ((width / 2.0).abs(), (height / 2.0).abs());
        let (rx, ry) = (
            rx.min((right - left).abs() / 2.0),
            ry.min((bottom - top).abs() / 2.0),
        );
        let (rx, ry) = (rx * (right - left).signum(), ry * (bottom - top).signum());
        /// Distance of the control points from the ends of a quarter circle, as a fraction of its radius.
        const BEND: f64 = 0.552_284_75;
        let (bx, by) = (rx * (1.0 - BEND), ry * (1.0 - BEND));
        self.move_to(to, (left + rx, top));
        self.line_to(to, (right - rx, top));
        self.curve_to(
            to,
            [(right - bx, top), (right, top + by), (right, top + ry)],
        );
        self.line_to(to, (right, bottom - ry));
        self.curve_to(
            to,
            [
                (right, bottom - by),
                (right - bx, bottom),
                (right - rx, bottom),
            ],
        );
        self.line_to(to, (left + rx, bottom));
        self.curve_to(
            to,
            [
                (left + bx, bottom),
                (left, bottom - by),
                (left, bottom - ry),
            ],
        );
        self.line_to(to, (left, top + ry));
        self.curve_to(to, [(left, top + by), (left + bx, top), (left + rx, top)]);
        self.close();
    }

    /// Adds an arc of the ellipse in a box, from the angle `start` by the angle `sweep`, both in radians. If `joined`,
    /// a line leads from the current position to the start of the arc.
    pub(super) fn arc(
        &mut self,
        to: Matrix,
        around: [f64; 4],
        start: f64,
        sweep: f64,
        joined: bool,
    ) {
        let [left, top, right, bottom] = around;
        let (x, y) = ((left + right) / 2.0, (top + bottom) / 2.0);
        let (rx, ry) = ((right - left) / 2.0, (bottom - top) / 2.0);
        let at = |angle: f64| (x + rx * angle.cos(), y + ry * angle.sin());
        // Each quarter of a turn, or less, becomes one curve; its error is invisible.
        let pieces = (sweep.abs() / std::f64::consts::FRAC_PI_2)
            .ceil()
            .clamp(1.0, 8.0);
        let step = sweep / pieces;
        let bend = 4.0 / 3.0 * (step / 4.0).tan();
        if joined {
            self.line_to(to, at(start));
        } else {
            self.move_to(to, at(start));
        }
        for piece in 0..pieces as usize {
            let from = start + step * piece as f64;
            let end = from + step;
            let ((fx, fy), (ex, ey)) = (at(from), at(end));
            let one = (fx - rx * from.sin() * bend, fy + ry * from.cos() * bend);
            let other = (ex + rx * end.sin() * bend, ey - ry * end.cos() * bend);
            self.curve_to(to, [one, other, (ex, ey)]);
        }
    }
}

/// Start and sweep of an arc in a box, which runs from the direction of one point to the direction of another. It runs
/// anticlockwise on the page unless `clockwise`. Equal directions mean the whole ellipse.
pub(super) fn angles(
    around: [f64; 4],
    from: (f64, f64),
    to: (f64, f64),
    clockwise: bool,
) -> (f64, f64) {
    let [left, top, right, bottom] = around;
    let (x, y) = ((left + right) / 2.0, (top + bottom) / 2.0);
    let (rx, ry) = ((right - left) / 2.0, (bottom - top) / 2.0);
    let safe = |radius: f64| if radius == 0.0 { 1.0 } else { radius };
    let angle = |(px, py): (f64, f64)| ((py - y) / safe(ry)).atan2((px - x) / safe(rx));
    let (start, end) = (angle(from), angle(to));
    let turn = std::f64::consts::TAU;
    let sweep = match clockwise {
        true => (end - start).rem_euclid(turn),
        false => -((start - end).rem_euclid(turn)),
    };
    (start, if sweep == 0.0 { turn } else { sweep })
}
