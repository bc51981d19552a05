//! Straight lines of a page, candidates for the rules of tables: strokes, edges of rectangles, and
//! thin filled rectangles.

use super::compare::by;
use hayro::{
    hayro_interpret::{DrawMode, Paint},
    kurbo::{Affine, BezPath, PathEl, Point, Rect},
};

/// Limit on the lines and backgrounds of a page; a page with more is a drawing.
const MAX: usize = 20_000;

/// Limit on the elements of a path; a path with more is a drawing.
const MAX_PARTS: usize = 1000;

/// Largest thickness of a filled rectangle that counts as a line, in points.
const THICK: f64 = 3.0;

/// Smallest length of a rule, in points.
const SHORTEST: f64 = 3.0;

/// Smallest side of a joint, in points. A joint is the square at which rules meet, which some programs draw separately.
const LEAST_JOINT: f64 = 0.2;

/// Number of recent backgrounds that are searched for the one under a white rule.
const MAX_SEARCHED: usize = 64;

/// Tolerance for straight lines: the offset between their ends, in points.
const STRAIGHT: f64 = 0.5;

/// Component value from which a colour counts as white.
const LIGHT: u8 = 250;

/// A horizontal or vertical line, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rule {
    /// Position from the top, or from the left.
    pub(crate) at: f32,
    /// Left end of a horizontal line, or upper end of a vertical line.
    pub(crate) from: f32,
    /// Right end of a horizontal line, or lower end of a vertical line.
    pub(crate) to: f32,
}

/// Lines and coloured backgrounds of a page, in points of the upright page.
#[derive(Debug, Default)]
pub(crate) struct Rules {
    /// Horizontal lines.
    pub(crate) across: Vec<Rule>,
    /// Vertical lines.
    pub(crate) down: Vec<Rule>,
    /// Coloured backgrounds, in drawing order.
    pub(crate) grounds: Vec<Ground>,
    /// Whether the limit was exceeded; then all lines and backgrounds are dropped.
    is_full: bool,
}

/// A coloured background: a filled rectangle that is too thick for a rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ground {
    /// Left and right edge.
    pub(crate) x: (f32, f32),
    /// Top and bottom edge.
    pub(crate) y: (f32, f32),
}

impl Rules {
    /// Adds the lines and backgrounds of a painted path.
    pub(crate) fn add(
        &mut self,
        path: &BezPath,
        to_page: Affine,
        paint: &Paint<'_>,
        mode: &DrawMode,
    ) {
        let parts = path.elements().len();
        if self.is_full || parts > MAX_PARTS {
            return;
        }
        let Some(ink) = Ink::of(paint) else { return };
        match mode {
            DrawMode::Fill(_) => self.fill(path, to_page, ink),
            DrawMode::Stroke(_) => self.stroke(path, to_page, ink),
            DrawMode::FillAndStroke(..) => {
                self.fill(path, to_page, ink);
                self.stroke(path, to_page, ink);
            }
            DrawMode::Invisible => {}
        }
        if self.across.len() + self.down.len() + self.grounds.len() > MAX {
            *self = Self {
                is_full: true,
                ..Self::default()
            };
        }
    }

    /// Adds the straight segments of a stroked path.
    fn stroke(&mut self, path: &BezPath, to_page: Affine, ink: Ink) {
        let (mut start, mut last) = (Point::ZERO, Point::ZERO);
        for element in path.elements() {
            match *element {
                PathEl::MoveTo(to) => (start, last) = (to_page * to, to_page * to),
                PathEl::LineTo(to) => {
                    let to = to_page * to;
                    self.line(last, to, ink);
                    last = to;
                }
                PathEl::QuadTo(_, to) | PathEl::CurveTo(_, _, to) => last = to_page * to,
                PathEl::ClosePath => {
                    self.line(last, start, ink);
                    last = start;
                }
            }
        }
    }

    /// Adds a segment if it is horizontal or vertical, and long enough.
    fn line(&mut self, from: Point, to: Point, ink: Ink) {
        let (across, down) = ((to.x - from.x).abs(), (to.y - from.y).abs());
        if !self.is_seen(from.midpoint(to), ink) {
            return;
        }
        if down <= STRAIGHT && across >= SHORTEST {
            self.across.push(rule(0.5 * (from.y + to.y), from.x, to.x));
        } else if across <= STRAIGHT && down >= SHORTEST {
            self.down.push(rule(0.5 * (from.x + to.x), from.y, to.y));
        }
    }

    /// Adds the rectangles of a filled path. Subpaths with curves are ignored, because curves are not rules.
    fn fill(&mut self, path: &BezPath, to_page: Affine, ink: Ink) {
        let mut corners: Vec<Point> = Vec::new();
        let mut has_curve = false;
        for element in path.elements() {
            match *element {
                PathEl::MoveTo(to) => {
                    if !std::mem::take(&mut has_curve) {
                        self.area(&corners, ink);
                    }
                    corners.clear();
                    corners.push(to_page * to);
                }
                PathEl::LineTo(to) => corners.push(to_page * to),
                PathEl::QuadTo(..) | PathEl::CurveTo(..) => has_curve = true,
                PathEl::ClosePath => {}
            }
        }
        if !has_curve {
            self.area(&corners, ink);
        }
    }

    /// Adds a filled rectangle. The lengths of its sides decide whether it is a rule, a joint or a background.
    fn area(&mut self, corners: &[Point], ink: Ink) {
        let is_straight = |pair: &[Point]| {
            (pair[0].x - pair[1].x).abs() <= STRAIGHT || (pair[0].y - pair[1].y).abs() <= STRAIGHT
        };
        if !(4..=5).contains(&corners.len()) || !corners.windows(2).all(is_straight) {
            return;
        }
        // The corners may come in any order; their bounding box is the area.
        let area = corners
            .iter()
            .fold(Rect::from_points(corners[0], corners[2]), |area, corner| {
                area.union_pt(*corner)
            });
        let (width, height) = (area.width(), area.height());
        if !self.is_seen(area.center(), ink) {
            return;
        }
        if width <= THICK && height <= THICK && width.min(height) >= LEAST_JOINT {
            // A joint continues rules in both directions.
            self.across.push(rule(area.center().y, area.x0, area.x1));
            self.down.push(rule(area.center().x, area.y0, area.y1));
        } else if height <= THICK && width >= SHORTEST.max(height) {
            self.across.push(rule(area.center().y, area.x0, area.x1));
        } else if width <= THICK && height >= SHORTEST {
            self.down.push(rule(area.center().x, area.y0, area.y1));
        } else if width > THICK && height > THICK && ink == Ink::Colour {
            self.grounds.push(Ground {
                x: (area.x0 as f32, area.x1 as f32),
                y: (area.y0 as f32, area.y1 as f32),
            });
        }
    }

    /// Returns whether ink is visible at a point. White ink is visible only on a coloured background.
    fn is_seen(&self, at: Point, ink: Ink) -> bool {
        let (x, y) = (at.x as f32, at.y as f32);
        let is_on = |ground: &Ground| {
            (ground.x.0..=ground.x.1).contains(&x) && (ground.y.0..=ground.y.1).contains(&y)
        };
        match ink {
            Ink::Colour => true,
            Ink::White => self.grounds.iter().rev().take(MAX_SEARCHED).any(is_on),
        }
    }
}

/// Rule with ordered ends.
fn rule(at: f64, from: f64, to: f64) -> Rule {
    Rule {
        at: at as f32,
        from: from.min(to) as f32,
        to: from.max(to) as f32,
    }
}

/// Visible paint of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ink {
    Colour,
    White,
}

impl Ink {
    /// Classifies paint; `None` if it is transparent.
    fn of(paint: &Paint<'_>) -> Option<Self> {
        let Paint::Color(colour) = paint else {
            return Some(Self::Colour);
        };
        let [r, g, b, alpha] = colour.to_rgba().to_rgba8();
        let is_white = r.min(g).min(b) >= LIGHT;
        // An alpha of at most 2 % is invisible.
        (alpha > 5).then_some(if is_white { Self::White } else { Self::Colour })
    }
}

/// Joins lines that overlap or adjoin within `near` points. Drops lines that are shorter than a rule. The result is
/// sorted by position.
pub(crate) fn joined(mut rules: Vec<Rule>, near: f32) -> Vec<Rule> {
    rules.retain(|rule| rule.at.is_finite() && rule.from.is_finite() && rule.to.is_finite());
    rules.sort_by(|a, b| by(a.at, b.at));
    let mut joined: Vec<Rule> = Vec::new();
    let mut rest = &rules[..];
    while let Some(first) = rest.first() {
        // Rules within `near` of the first one are collinear, at their mean position.
        let count = rest
            .iter()
            .take_while(|rule| rule.at <= first.at + near)
            .count();
        let mut level = rest[..count].to_vec();
        rest = &rest[count..];
        let at = level.iter().map(|rule| rule.at).sum::<f32>() / count as f32;
        // On this level, a rule extends the one before it if they touch.
        level.sort_by(|a, b| by(a.from, b.from));
        let start = joined.len();
        for rule in level {
            match joined[start..].last_mut() {
                Some(last) if rule.from <= last.to + near => last.to = last.to.max(rule.to),
                _ => joined.push(Rule { at, ..rule }),
            }
        }
    }
    joined.retain(|rule| rule.to - rule.from >= SHORTEST as f32);
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayro::kurbo::Shape;

    #[test]
    fn rectangles_of_a_path_are_found_beside_curves() {
        let mut path = BezPath::from_svg("M0 0C1 0 9 9 5 5L0 5Z").expect("a path");
        path.extend(Rect::new(0.0, 20.0, 100.0, 21.0).path_elements(0.1));
        let mut rules = Rules::default();
        rules.fill(&path, Affine::IDENTITY, Ink::Colour);
        assert_eq!(rules.across, [rule(20.5, 0.0, 100.0)]);
        assert!(rules.down.is_empty() && rules.grounds.is_empty());
    }
}
