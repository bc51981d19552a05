//! Positions of glyphs: direction of the line, coordinates along and across it, and widths. Does not read characters.
//!
//! The transform of a glyph includes the font size and horizontal scaling. If the font is not embedded, it also
//! includes the stretching of the substitute's glyph to the width that the file specifies. This stretching does not
//! change the distance to the next glyph; size and scaling do. Files from scanners have a different scaling for every
//! word, so an error here puts spaces into words. Therefore widths are measured over a run: if the transforms of all
//! glyphs have the same ratio of horizontal to vertical scale, that ratio is the horizontal scaling; otherwise the
//! distances between them are measured.

use super::compare::by;
use hayro::{
    hayro_interpret::font::{Glyph, GlyphRun},
    kurbo::{Affine, Point, Vec2},
};

/// Tolerance for equal ratios of width to height.
const RATIO_TOLERANCE: f64 = 0.01;

/// Minimum number of glyphs for measuring a width.
const FEWEST: usize = 3;
/// Limit on the glyphs that are examined for measuring a width.
const MAX: usize = 64;

/// Smallest plausible ratio of a measured width to the width of the drawn glyphs.
const NARROWEST: f64 = 0.6;
/// Largest plausible ratio of a measured width to the width of the drawn glyphs.
const WIDEST: f64 = 1.5;

/// Writing direction of a line.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    /// Angle in degrees, clockwise from the right.
    pub(super) angle: i16,
    /// Unit vector of this direction.
    along: Vec2,
}

impl Turn {
    /// Direction of a vector, in whole degrees. A direction that is almost horizontal or vertical becomes exactly so.
    fn of(direction: Vec2) -> Self {
        let mut angle = direction.atan2().to_degrees().round() as i16;
        if angle <= -180 {
            angle += 360;
        }
        for straight in [-90, 0, 90, 180] {
            if (angle - straight).abs() <= 1 {
                angle = straight;
            }
        }
        Self {
            angle,
            along: Vec2::from_angle(f64::from(angle).to_radians()),
        }
    }

    /// Coordinates of a point along and across the line, in points.
    pub(super) fn place(&self, point: Point) -> (f64, f64) {
        let point = point.to_vec2();
        let across = Vec2::new(-self.along.y, self.along.x);
        (point.dot(self.along), point.dot(across))
    }
}

/// State carried over from previous glyphs.
#[derive(Default)]
pub(super) struct Places {
    /// Direction vector of the last glyph, with its line direction.
    turn: Option<(Vec2, Turn)>,
    /// Ratio of width to height of the last run.
    ratio: f64,
}

impl Places {
    /// Direction of a glyph, cached because most glyphs share it with the previous one.
    pub(super) fn turn(&mut self, direction: Vec2) -> Turn {
        match self.turn {
            Some((known, turn)) if known == direction => turn,
            _ => {
                let turn = Turn::of(direction);
                self.turn = Some((direction, turn));
                turn
            }
        }
    }

    /// Length on the page of 1000 units of width, if it differs from the font size and can be
    /// determined.
    pub(super) fn stretch(&mut self, run: &GlyphRun<'_, '_>, to_page: Affine) -> Option<f64> {
        let first = run.glyphs().first()?;
        let (along, up) = axes(to_page * first.transform());
        let length = along.hypot();
        let ratio = length / up.hypot();
        let before = std::mem::replace(&mut self.ratio, ratio);
        let is_same = |other: f64| (other - ratio).abs() < RATIO_TOLERANCE * ratio;
        // Without horizontal scaling, as usual, the font size is the length of 1000 units.
        if is_same(1.0) || !ratio.is_finite() || ratio == 0.0 {
            return None;
        }
        let glyphs = || run.glyphs().iter().take(MAX);
        let are_same = glyphs().all(|glyph| {
            let (along, up) = axes(to_page * glyph.transform());
            is_same(along.hypot() / up.hypot())
        });
        // One ratio throughout is horizontal scaling. In a short run it may be chance, unless the previous run had the
        // same ratio.
        if are_same && (run.glyphs().len() >= FEWEST || is_same(before)) {
            return Some(length);
        }
        // Otherwise the glyphs of a substitute are stretched individually: divide each distance between neighbouring
        // origins by the glyph's width (in 1000 units), and take the median.
        let mut lengths: Vec<f64> = glyphs()
            .zip(glyphs().skip(1))
            .filter_map(|(glyph, next)| {
                let place = |of: Affine| to_page * (of * Point::ZERO);
                let gap = place(next.transform()) - place(glyph.transform());
                let width = advance(glyph)? / 1000.0;
                (width > 0.0).then(|| gap.dot(along) / length / width)
            })
            .collect();
        lengths.sort_by(|a, b| by(*a as f32, *b as f32));
        let median = lengths.get(lengths.len() / 2)?;
        let is_plausible = (NARROWEST * length..WIDEST * length).contains(median);
        (lengths.len() >= FEWEST && is_plausible).then_some(*median)
    }
}

/// Advance width in thousandths of the font size, as specified by the file.
pub(crate) fn advance(glyph: &Glyph<'_>) -> Option<f64> {
    let advance = match glyph {
        Glyph::Outline(outline) => outline.advance_width(),
        Glyph::Type3(drawn) => drawn.advance_width(),
    };
    advance.map(f64::from)
}

/// Vectors on the page that correspond to 1000 units to the right and 1000 upwards.
pub(super) fn axes(to_page: Affine) -> (Vec2, Vec2) {
    let [a, b, c, d, ..] = to_page.as_coeffs();
    (1000.0 * Vec2::new(a, b), 1000.0 * Vec2::new(c, d))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearly_upright_lines_are_upright() {
        #[track_caller]
        fn check(degrees: f64, expected: i16) {
            let direction = 7.0 * Vec2::from_angle(degrees.to_radians());
            let mut places = Places::default();
            assert_eq!(places.turn(direction).angle, expected);
            assert_eq!(places.turn(direction).angle, expected);
        }
        check(0.0, 0);
        check(1.2, 0);
        check(-91.0, -90);
        check(27.3, 27);
        check(-180.0, 180);
    }
}
