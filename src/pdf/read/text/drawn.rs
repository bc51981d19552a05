//! Detects vector drawings on a page by their curves and oblique lines. Rules and borders of table cells have neither.
//! The drawings are dropped; a note reports that they are missing.

use hayro::kurbo::{Affine, BezPath, Line, PathSeg, Rect};

/// Minimum number of curves and oblique lines that make a drawing. A box with rounded corners has four.
const LEAST_BENDS: usize = 32;

/// Length in points of the longer side below which a path is a bullet or an outlined letter, which is not counted.
const LEAST_POINTS: f64 = 12.0;

/// Tolerance for horizontal and vertical lines, in points.
const STRAIGHT: f64 = 0.5;

/// Number of curves and oblique lines on a page, counted up to the limit.
#[derive(Debug, Default)]
pub(crate) struct Drawn(usize);

impl Drawn {
    /// Counts the curves and oblique lines of a painted path, unless its part inside `visible` is small.
    pub(super) fn add(&mut self, path: &BezPath, to_page: Affine, visible: Rect) {
        if self.is_drawing() {
            return;
        }
        let bounds = to_page.transform_rect_bbox(path.control_box());
        let seen = bounds.intersect(visible);
        // Rules without an area, and paths outside of the page, are skipped.
        if seen.area() <= 0.0 || seen.width().max(seen.height()) < LEAST_POINTS {
            return;
        }
        // Curves and oblique lines count; rules and boxes have neither.
        for segment in path.segments() {
            self.0 += usize::from(match to_page * segment {
                PathSeg::Line(Line { p0, p1 }) => {
                    (p0.x - p1.x).abs().min((p0.y - p1.y).abs()) > STRAIGHT
                }
                PathSeg::Quad(_) | PathSeg::Cubic(_) => true,
            });
            if self.is_drawing() {
                return;
            }
        }
    }

    /// Returns whether the page has a drawing.
    pub(crate) fn is_drawing(&self) -> bool {
        self.0 >= LEAST_BENDS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayro::kurbo::Shape;

    #[test]
    fn curves_and_slanting_lines_make_a_drawing_and_boxes_do_not() {
        const PAGE: Rect = Rect::new(0.0, 0.0, 600.0, 800.0);
        #[track_caller]
        fn check(path: &BezPath, to_page: Affine, expected: bool) {
            let mut drawn = Drawn::default();
            for _ in 0..16 {
                drawn.add(path, to_page, PAGE);
            }
            assert_eq!(drawn.is_drawing(), expected);
        }
        let slanting = BezPath::from_svg("M0 0 L100 50 L200 0 L300 90").unwrap();
        check(&slanting, Affine::IDENTITY, true);
        // The first path is far outside of the page, the second one as small as a bullet.
        check(&slanting, Affine::translate((900.0, 0.0)), false);
        check(&slanting, Affine::scale(0.01), false);
        check(
            &Rect::new(10.0, 10.0, 300.0, 200.0).to_path(0.1),
            Affine::IDENTITY,
            false,
        );
        let round = BezPath::from_svg("M0 0 C0 50 50 100 100 100 C150 100 200 50 200 0").unwrap();
        check(&round, Affine::IDENTITY, true);
    }
}
