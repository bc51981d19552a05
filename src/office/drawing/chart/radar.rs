//! Radar charts: values on spokes around a centre. They have no other axes.

use super::{
    labels::{self, Writer, shown, write_lines},
    layout::Area,
    model::{Axis, LabelPlace, Plot, Series},
    pens::{Pen, Pens},
    points,
    ranges::count,
    scale::Scale,
};
use crate::drawing::{
    Fill,
    chart::canvas::{Anchor, Canvas, Outline},
};

/// Max. number of spokes.
const MAX_SPOKES: usize = 1000;

/// Max. number of rings of the grid.
const MAX_RINGS: usize = 50;
/// Max. number of spokes with a name.
const MAX_NAMES: usize = 200;

/// Geometry of a radar chart.
struct Web {
    centre: (f64, f64),
    /// Length of a spoke, in points.
    radius: f64,
    spokes: usize,
    scale: Scale,
}

/// Draws the plots of a radar chart, which share their axes.
pub(super) fn draw(
    canvas: &mut Canvas,
    pens: &Pens<'_>,
    area: &Area,
    plots: &[&Plot],
    [names, values]: [&Axis; 2],
    writer: &mut Writer,
) {
    let pen = pens.pen(&names.letters);
    let value_pen = pens.pen(&values.letters);
    let Some(web) = Web::new(area, plots, values, (&pen, &value_pen)) else {
        return;
    };
    web.grid(canvas, pens, values);
    for plot in plots {
        for series in &plot.series {
            web.series(canvas, pens, plot, series, writer);
        }
    }
    if values.label_place != LabelPlace::None && !values.hidden {
        web.values(canvas, &value_pen, plots, values);
    }
    if names.label_place != LabelPlace::None {
        web.names(canvas, &pen, plots);
    }
}

impl Web {
    /// Computes the geometry. `None` if there is nothing to show. `pens` are the pen for names and the pen for
    /// values.
    fn new(area: &Area, plots: &[&Plot], values: &Axis, pens: (&Pen, &Pen)) -> Option<Self> {
        let spokes = plots.iter().map(|plot| count(plot)).max();
        let spokes = spokes.filter(|spokes| *spokes > 0)?.min(MAX_SPOKES);
        let around = pens.0.line() + 4.0;
        let radius = (area.height() / 2.0 - around)
            .min(area.width() / 2.0 - around)
            .max(4.0);
        let all = plots.iter().flat_map(|plot| &plot.series);
        let all = all.flat_map(|series| series.values.numbers());
        let range = all.fold(None, |range: Option<(f64, f64)>, value| {
            let (low, high) = range.unwrap_or((value, value));
            Some((low.min(value), high.max(value)))
        });
        let intervals = (radius / (pens.1.line() * 1.23)).floor();
        Some(Self {
            centre: area.centre(),
            radius,
            spokes,
            scale: Scale::new(range, values, intervals.clamp(1.0, 10.0) as usize, false),
        })
    }

    /// Point on a spoke at a share of its length.
    fn at(&self, spoke: usize, share: f64) -> (f64, f64) {
        let angle = spoke as f64 / self.spokes as f64 * std::f64::consts::TAU;
        let (sin, cos) = angle.sin_cos();
        let (x, y) = self.centre;
        (x + sin * share * self.radius, y - cos * share * self.radius)
    }

    /// Draws the rings and the spokes.
    fn grid(&self, canvas: &mut Canvas, pens: &Pens<'_>, values: &Axis) {
        let mut grid = Outline::default();
        for tick in self.scale.ticks().iter().take(MAX_RINGS) {
            let share = self.scale.within(*tick);
            grid.move_to(self.at(0, share));
            (1..self.spokes).for_each(|spoke| grid.line_to(self.at(spoke, share)));
            grid.close();
        }
        let own = values.gridlines.as_ref();
        let line = own.and_then(|own| pens.rule(own.line.as_ref()));
        canvas.path(&grid, &Fill::None, line.as_ref());
        if let Some(line) = pens.rule(values.line.as_ref()).filter(|_| !values.hidden) {
            let mut outline = Outline::default();
            for spoke in 0..self.spokes {
                outline.move_to(self.centre);
                outline.line_to(self.at(spoke, 1.0));
            }
            canvas.path(&outline, &Fill::None, Some(&line));
        }
    }

    /// Draws a series as a closed polygon with a point on each spoke for which it has a value. Labels are added, and
    /// markers unless the polygon is filled.
    fn series(
        &self,
        canvas: &mut Canvas,
        pens: &Pens<'_>,
        plot: &Plot,
        series: &Series,
        writer: &mut Writer,
    ) {
        let point = |spoke| {
            let value = series.values.number(spoke)?;
            Some((spoke, self.at(spoke, self.scale.within(value))))
        };
        let points: Vec<_> = (0..self.spokes).filter_map(point).collect();
        let mut outline = Outline::default();
        let corners: Vec<_> = points.iter().map(|(_, point)| *point).collect();
        points::join(&mut outline, &corners, false);
        outline.close();
        if outline.is_empty() || points.is_empty() {
            return;
        }
        if plot.filled {
            let edge = pens.edge(&series.shape);
            canvas.path(&outline, &pens.filling(series), edge.as_ref());
        } else {
            canvas.path(&outline, &Fill::None, pens.stroke(series).as_ref());
            points::signs(canvas, pens, plot, series, &points);
        }
        points::labels(canvas, pens, plot, series, &points, writer);
    }

    /// Draws the values of the rings beside the first spoke.
    fn values(&self, canvas: &mut Canvas, pen: &Pen, plots: &[&Plot], values: &Axis) {
        let format = values.format.as_deref().or_else(|| {
            let mut all = plots.iter().flat_map(|plot| &plot.series);
            all.find_map(|series| series.values.format.as_deref())
        });
        for tick in self.scale.ticks().iter().take(MAX_RINGS) {
            let (x, y) = self.at(0, self.scale.within(*tick));
            let place = (x - 6.0, y - pen.line() / 2.0);
            write_lines(canvas, pen, &[shown(*tick, format)], place, Anchor::End);
        }
    }

    /// Draws the names of the spokes around the chart.
    fn names(&self, canvas: &mut Canvas, pen: &Pen, plots: &[&Plot]) {
        let mut named = plots.iter().flat_map(|plot| &plot.series);
        let named = named.find(|series| series.categories.len() > 0);
        for spoke in 0..self.spokes.min(MAX_NAMES) {
            let (x, y) = self.at(spoke, 1.0);
            let across = (x - self.centre.0) / self.radius;
            let down = (y - self.centre.1) / self.radius;
            let anchor = match across {
                across if across > 0.1 => Anchor::Start,
                across if across < -0.1 => Anchor::End,
                _ => Anchor::Middle,
            };
            let name = named.map_or_else(
                || (spoke + 1).to_string(),
                |series| labels::called(&series.categories, spoke),
            );
            let middle = y + down * (4.0 + pen.line() / 2.0);
            let place = (x + across * 5.0, middle - pen.line() / 2.0);
            write_lines(canvas, pen, &[name], place, anchor);
        }
    }
}
