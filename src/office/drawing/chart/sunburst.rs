//! Draws sunburst charts: one ring for each level of categories, in which the angle of each slice is in proportion to
//! its value. The charts have no axes.

use super::{
    canvas::{Canvas, Outline},
    hierarchy::Branch,
    labels::write_turned,
    layout::Area,
    model::Plot,
    pens::{Pen, Pens},
    pie::Ring,
};
use crate::drawing::{Fill, Line};

/// Radius of the hole in the middle, relative to the thickness of a ring.
const HOLE: f64 = 0.5;

/// Draws the first series of a plot.
pub(super) fn draw(canvas: &mut Canvas, pens: &Pens<'_>, area: &Area, plot: &Plot) {
    let Some(series) = plot.series.first() else {
        return;
    };
    let whole = Branch::of(series);
    let radius = area.width().min(area.height()) / 2.0;
    let burst = Burst {
        centre: area.centre(),
        thickness: radius / (whole.depth().max(1) as f64 + HOLE),
        line: pens.between(series),
        pen: series
            .labels
            .any()
            .then(|| pens.pen(&Pens::letters_on(series))),
    };
    // Shares of the circle, clockwise from the top.
    let mut from = 0.0;
    for (branch, colour) in whole.within.iter().zip(whole.colours()) {
        let fill = pens.branch(series, branch.point, colour);
        let to = from + branch.value / whole.value;
        burst.branch(canvas, branch, (from, to), 0, &fill);
        from = to;
    }
}

/// Geometry and style of a sunburst chart.
struct Burst {
    centre: (f64, f64),
    /// Thickness of a ring, in points.
    thickness: f64,
    /// Line around each slice.
    line: Line,
    /// Pen for names. `None` if the chart does not show names.
    pen: Option<Pen>,
}

impl Burst {
    /// Draws a branch as a slice in the ring of its depth. Its children follow in the next ring, and divide its angle.
    fn branch(
        &self,
        canvas: &mut Canvas,
        branch: &Branch,
        (from, to): (f64, f64),
        depth: usize,
        fill: &Fill,
    ) {
        let inner = self.thickness * (depth as f64 + HOLE);
        let ring = Ring {
            centre: self.centre,
            inner,
            outer: inner + self.thickness,
            start: 0.0,
        };
        let mut outline = Outline::default();
        ring.slice(&mut outline, &(0, branch.value, from, to), 0.0);
        canvas.path(&outline, fill, Some(&self.line));
        self.name(canvas, branch, &ring, (from, to));
        // Shares of the circle for the children.
        let mut begins = from;
        for own in &branch.within {
            let ends = begins + (to - from) * own.value / branch.value;
            self.branch(canvas, own, (begins, ends), depth + 1, fill);
            begins = ends;
        }
    }

    /// Writes a name along the radius or, if it does not fit there, along the ring. Names are never upside down. A name
    /// that fits in neither direction is left out.
    fn name(&self, canvas: &mut Canvas, branch: &Branch, ring: &Ring, (from, to): (f64, f64)) {
        let Some(pen) = &self.pen else {
            return;
        };
        let middle = (from + to) / 2.0;
        let distance = (ring.inner + ring.outer) / 2.0;
        // Length of the inner arc of the slice, which counts as at most half a circle.
        let chord = (to - from).min(0.5) * std::f64::consts::TAU * ring.inner.max(0.1);
        let (width, line) = (pen.width(&branch.name), pen.line());
        let turn = if width + 4.0 < self.thickness && chord > line {
            // Names in the left half are turned by 180 degrees to be readable.
            let turn = middle * 360.0 - 90.0;
            if middle > 0.5 { turn - 180.0 } else { turn }
        } else if width + 4.0 < chord && line < self.thickness {
            let turn = middle * 360.0;
            if (0.25..0.75).contains(&middle) {
                turn - 180.0
            } else {
                turn
            }
        } else {
            return;
        };
        write_turned(canvas, pen, &branch.name, ring.at(middle, distance), turn);
    }
}
