//! Draws pie and doughnut charts. They have no axes.

use super::canvas::{Canvas, Outline};
use super::{
    labels::{LabelPosition, Own, Writer, clamped},
    layout::Area,
    model::{Chart, ChartType, Plot, Series},
    pens::Pens,
};
use std::f64::consts::TAU;

/// Max. number of slices of a ring.
const MAX_SLICES: usize = 2000;

/// A slice: its index, its value, and its start and end as shares of the circle.
type Slice = (usize, f64, f64, f64);

/// Draws the rings of a plot. A pie shows only its first series.
pub(super) fn draw(
    canvas: &mut Canvas,
    pens: &Pens<'_>,
    area: &Area,
    chart: &Chart,
    plot: &Plot,
    writer: &mut Writer,
) {
    let rings = match plot.kind {
        ChartType::Doughnut => &plot.series[..],
        _ => plot.series.get(..1).unwrap_or_default(),
    };
    // Space for slices that are moved outwards, and for labels outside.
    let centre = area.centre();
    let farthest = rings.iter().flat_map(|series| {
        let own = series.points.iter();
        let own = own.filter_map(|(_, point)| point.explosion);
        own.chain([series.explosion])
    });
    let farthest = farthest.fold(0.0, f64::max);
    let outside = rings.iter().any(|series| {
        let own = Own::of(pens, plot, series);
        own.is_some_and(|own| matches!(own.place(), Some("outEnd")))
    });
    let around = if outside && chart.place.is_none() {
        2.0 * pens.pen(&plot.labels.letters).line()
    } else {
        0.0
    };
    let radius = (area.width().min(area.height()) / 2.0 - around).max(2.0) / (1.0 + farthest);
    let hole = if plot.kind == ChartType::Doughnut {
        plot.hole
    } else {
        0.0
    };
    let thickness = radius * (1.0 - hole) / rings.len().max(1) as f64;
    for (nth, series) in rings.iter().enumerate() {
        let inner = radius * hole + thickness * nth as f64;
        let ring = Ring {
            centre,
            inner: if hole > 0.0 { inner } else { 0.0 },
            outer: inner + thickness,
            start: plot.first_angle / 360.0,
        };
        let slices = slices(series, plot.against_clock);
        for slice in &slices {
            let (fill, line) = pens.body(plot, series, slice.0);
            let shift = series.explosion(slice.0) * radius;
            let mut outline = Outline::default();
            ring.slice(&mut outline, slice, shift);
            canvas.path(&outline, &fill, line.as_ref());
        }
        let Some(own) = Own::of(pens, plot, series) else {
            continue;
        };
        for slice in &slices {
            let Some(text) = own.text(slice.0, slice.1) else {
                continue;
            };
            let width = own.pen().width(&text);
            // The length of the slice's outer arc, minus a margin, decides whether a label fits.
            let chord = (slice.3 - slice.2) * TAU * ring.outer * 0.7;
            let inside = match own.place() {
                _ if plot.kind == ChartType::Doughnut => Some(0.5),
                Some("ctr") => Some(0.5),
                Some("inEnd") => Some(0.8),
                Some("outEnd") => None,
                // By default, a label is inside the slice if it fits, and outside otherwise.
                _ => (chord > width.max(own.pen().line())).then_some(0.72),
            };
            let share = (slice.2 + slice.3) / 2.0;
            let (at, beside) = match inside {
                Some(part) => {
                    let distance = ring.inner + (ring.outer - ring.inner) * part;
                    (ring.at(share, distance), LabelPosition::Centre)
                }
                None => {
                    let (x, y) = ring.at(share, ring.outer + 4.0);
                    let across = x - centre.0;
                    match () {
                        () if across > radius * 0.3 => ((x, y), LabelPosition::Right),
                        () if across < -radius * 0.3 => ((x, y), LabelPosition::Left),
                        () if y < centre.1 => ((x, y), LabelPosition::Above),
                        () => ((x, y), LabelPosition::Below),
                    }
                }
            };
            let frame = Area {
                left: area.left.min(centre.0 - radius) - 60.0,
                right: area.right.max(centre.0 + radius) + 60.0,
                ..*area
            };
            writer.write(canvas, &own, &text, clamped(&frame, at), beside);
        }
    }
}

/// Returns the slices of a series. Negative values count by their absolute value, as in Office.
fn slices(series: &Series, against_clock: bool) -> Vec<Slice> {
    let values = (0..series.values.len()).filter_map(|at| Some((at, series.values.number(at)?)));
    let values: Vec<_> = values
        .filter(|(_, value)| *value != 0.0)
        .take(MAX_SLICES)
        .collect();
    let total: f64 = values.iter().map(|(_, value)| value.abs()).sum();
    let mut from = 0.0;
    let slices = values.into_iter().map(|(at, value)| {
        let begins = from;
        from += value.abs() / total;
        match against_clock {
            true => (at, value, 1.0 - from, 1.0 - begins),
            false => (at, value, begins, from),
        }
    });
    slices.filter(|slice| slice.3.is_finite()).collect()
}

/// A ring, or a disc if its inner radius is 0.
pub(super) struct Ring {
    pub(super) centre: (f64, f64),
    pub(super) inner: f64,
    pub(super) outer: f64,
    /// Start of the first slice, as a share of the circle, clockwise from the top.
    pub(super) start: f64,
}

impl Ring {
    /// Point at a share of the circle and a distance from the centre.
    pub(super) fn at(&self, share: f64, distance: f64) -> (f64, f64) {
        let (sin, cos) = ((share + self.start) * TAU).sin_cos();
        (
            self.centre.0 + sin * distance,
            self.centre.1 - cos * distance,
        )
    }

    /// Adds the outline of a slice, moved outwards by `shift` points. A full circle is not moved. It consists of two
    /// arcs, because an arc cannot end where it begins.
    pub(super) fn slice(&self, outline: &mut Outline, (.., from, to): &Slice, shift: f64) {
        let whole = to - from > 0.9999;
        let middle = (from + to) / 2.0;
        let (away_x, away_y) = self.at(middle, shift);
        let (dx, dy) = (away_x - self.centre.0, away_y - self.centre.1);
        let at = |share: f64, distance: f64| {
            let (x, y) = self.at(share, distance);
            (x + dx, y + dy)
        };
        if whole {
            outline.circle(self.centre, self.outer);
            if self.inner > 0.0 {
                // The inner circle has the opposite direction, so that it is a hole.
                let (x, y) = self.centre;
                let inner = (self.inner, self.inner);
                outline.move_to((x - self.inner, y));
                outline.arc_to(inner, false, false, (x + self.inner, y));
                outline.arc_to(inner, false, false, (x - self.inner, y));
                outline.close();
            }
            return;
        }
        let large = to - from > 0.5;
        let outer = (self.outer, self.outer);
        if self.inner > 0.0 {
            outline.move_to(at(*from, self.inner));
            outline.line_to(at(*from, self.outer));
            outline.arc_to(outer, large, true, at(*to, self.outer));
            outline.line_to(at(*to, self.inner));
            outline.arc_to(
                (self.inner, self.inner),
                large,
                false,
                at(*from, self.inner),
            );
        } else {
            outline.move_to((self.centre.0 + dx, self.centre.1 + dy));
            outline.line_to(at(*from, self.outer));
            outline.arc_to(outer, large, true, at(*to, self.outer));
        }
        outline.close();
    }
}
