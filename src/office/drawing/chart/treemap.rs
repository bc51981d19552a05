//! Treemaps: nested rectangles whose areas are in proportion to values. Treemaps have no axes.
//!
//! Rectangles are placed in rows as in "Squarified treemaps" by Bruls, Huizing and van Wijk (2000): a row takes the
//! next category as long as that makes the worst ratio of its rectangles' sides closer to 1.

use super::{
    canvas::{Canvas, Outline},
    hierarchy::Branch,
    labels::write_lines,
    layout::Area,
    model::{Parents, Plot},
    pens::{Pen, Pens},
};
use crate::drawing::{Fill, Line, chart::canvas::Anchor};

/// Distance between the edge of a rectangle and its name, in points.
const INSET: f64 = 3.0;

/// Size of the letters of a branch relative to those of a leaf.
const LARGER: f64 = 1.4;

/// Draws the first series of a plot.
pub(super) fn draw(canvas: &mut Canvas, pens: &Pens<'_>, area: &Area, plot: &Plot) {
    let Some(series) = plot.series.first() else {
        return;
    };
    let whole = Branch::of(series);
    let mut letters = Pens::letters_on(series);
    let pen = pens.pen(&letters);
    letters.size = Some(pen.look.size * LARGER);
    let map = Map {
        line: pens.between(series),
        larger: pens.pen(&letters),
        pen,
        parents: series
            .extended
            .as_ref()
            .map(|own| own.parents)
            .unwrap_or_default(),
        named: series.labels.any(),
    };
    let colours = whole.colours();
    let places = rows(&whole.within, area);
    for ((branch, place), colour) in whole.within.iter().zip(places).zip(colours) {
        let fill = pens.branch(series, branch.point, colour);
        map.branch(canvas, branch, &place, &fill, true);
    }
}

/// Style of a treemap.
struct Map {
    /// Line around each rectangle.
    line: Line,
    /// Pen for the names of leaves and banners.
    pen: Pen,
    /// Pen for names across branches, with larger letters.
    larger: Pen,
    /// Position of the names of top branches.
    parents: Parents,
    /// Whether the chart shows names.
    named: bool,
}

impl Map {
    /// Draws a branch as a rectangle, and its children inside. The name of a top branch is a banner above the children,
    /// is written across them, or is left out, as the file states.
    fn branch(&self, canvas: &mut Canvas, branch: &Branch, area: &Area, fill: &Fill, top: bool) {
        let mut outline = Outline::default();
        outline.rectangle((area.left, area.top), (area.right, area.bottom));
        canvas.path(&outline, fill, Some(&self.line));
        if branch.within.is_empty() {
            self.name(canvas, branch, area);
            return;
        }
        // Height of a banner.
        let head = self.pen.line() + INSET;
        let mut inside = *area;
        if top && self.parents == Parents::Banner && area.height() > 2.0 * head {
            self.name(canvas, branch, area);
            inside.top += head;
        }
        for (own, place) in branch.within.iter().zip(rows(&branch.within, &inside)) {
            self.branch(canvas, own, &place, fill, false);
        }
        // Names across the children are drawn last, so that nothing covers them.
        if top && self.parents == Parents::Overlapping {
            self.parent(canvas, branch, area);
        }
    }

    /// Writes a name into the upper left corner of its rectangle, if the rectangle is large enough.
    fn name(&self, canvas: &mut Canvas, branch: &Branch, area: &Area) {
        let width = area.width() - 2.0 * INSET;
        if !self.named || area.height() < self.pen.line() + INSET {
            return;
        }
        let mut lines = self.pen.wrap(&branch.name, width);
        lines.truncate(((area.height() - INSET) / self.pen.line()) as usize);
        if lines.iter().all(|line| self.pen.width(line) <= width) {
            let at = (area.left + INSET, area.top + INSET);
            write_lines(canvas, &self.pen, &lines, at, Anchor::Start);
        }
    }

    /// Writes the name of a branch in larger letters across the middle of its children.
    fn parent(&self, canvas: &mut Canvas, branch: &Branch, area: &Area) {
        let pen = &self.larger;
        let fits = pen.width(&branch.name) < area.width() && pen.line() < area.height() / 2.0;
        if self.named && fits {
            let (x, y) = area.centre();
            let top = y - pen.line() / 2.0;
            write_lines(canvas, pen, &[&branch.name], (x, top), Anchor::Middle);
        }
    }
}

/// Divides an area into one rectangle for each category. The categories are in descending order of value.
fn rows(all: &[Branch], area: &Area) -> Vec<Area> {
    let total: f64 = all.iter().map(|own| own.value).sum();
    let mut places = Vec::with_capacity(all.len());
    let mut remaining = *area;
    // Square points for each unit of value.
    let scale = area.width() * area.height() / if total > 0.0 { total } else { 1.0 };
    let mut rest = all;
    while !rest.is_empty() {
        // A row is placed along the shorter side.
        let side = remaining.width().min(remaining.height()).max(0.01);
        let mut sum = 0.0;
        let mut worst = f64::INFINITY;
        let mut count = 0;
        // Add categories to the row while the worst ratio of sides improves.
        for own in rest {
            let new_sum = sum + own.value * scale;
            // Ratio of the sides of a rectangle with this area in the row; at least 1.
            let ratio = |size: f64| {
                (side * side * size / (new_sum * new_sum))
                    .max(new_sum * new_sum / (side * side * size))
            };
            let next = ratio(rest[0].value * scale).max(ratio(own.value * scale));
            if count > 0 && next > worst {
                break;
            }
            (sum, worst, count) = (new_sum, next, count + 1);
        }
        let (row, others) = rest.split_at(count.max(1));
        // Thickness that gives the row its area, within the remaining space.
        let thickness = (sum / side).min(remaining.width().max(remaining.height()));
        let upright = remaining.width() >= remaining.height();
        let mut from = if upright {
            remaining.top
        } else {
            remaining.left
        };
        for own in row {
            let length = if sum > 0.0 {
                own.value * scale / sum * side
            } else {
                0.0
            };
            let to = from + length;
            places.push(match upright {
                true => Area {
                    top: from,
                    bottom: to,
                    right: remaining.left + thickness,
                    ..remaining
                },
                false => Area {
                    left: from,
                    right: to,
                    bottom: remaining.top + thickness,
                    ..remaining
                },
            });
            from = to;
        }
        // Take the row's space from the remaining space.
        match upright {
            true => remaining.left += thickness,
            false => remaining.top += thickness,
        }
        rest = others;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangle_areas_equal_the_values() {
        let branches = [6.0, 6.0, 4.0, 3.0, 2.0, 2.0, 1.0].map(|value| Branch {
            value,
            ..Branch::default()
        });
        let area = Area {
            left: 10.0,
            top: 5.0,
            right: 16.0,
            bottom: 9.0,
        };
        for (own, place) in branches.iter().zip(rows(&branches, &area)) {
            assert!(
                (place.width() * place.height() - own.value).abs() < 1e-9,
                "{place:?}"
            );
            assert!(
                place.left >= 10.0 && place.right <= 16.0 + 1e-9,
                "{place:?}"
            );
            assert!(place.width() / place.height() < 4.0, "{place:?}");
        }
    }
}
