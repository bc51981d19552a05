//! Radar charts: values on spokes. Draws no other axes.

use super::{
    labels::{self, Writer, shown, write_lines},
    layout::Area,
    model::{Axis, LabelPlace, Plot},
    pens::Pens,
    points,
    ranges::count,
    scale::Scale,
};
use crate::office::drawing::{
    Fill, Line,
    chart::canvas::{Anchor, Canvas, Outline},
};

/// The most spokes.
const MAX_SPOKES: usize = 1000;

/// Draws the plots of a radar chart, which share their axes.
pub(super) fn draw(
    canvas: &mut Canvas,
    pens: &Pens<'_>,
    area: &Area,
    plots: &[&Plot],
    [names, values]: [&Axis; 2],
    writer: &mut Writer,
) {
    let spokes = plots
        .iter()
        .map(|plot| count(plot))
        .max()
        .unwrap_or(0)
        .min(MAX_SPOKES);
    if spokes == 0 {
        return;
    }
    let pen = pens.pen(&names.letters);
    let named = plots.iter().flat_map(|plot| &plot.series);
    let named = named
        .map(|series| &series.categories)
        .find(|names| names.len() > 0);
    let name =
        |at: usize| named.map_or_else(|| (at + 1).to_string(), |names| labels::called(names, at));
    let around = pen.line() + 4.0;
    let (x, y) = area.centre();
    let radius = (area.height() / 2.0 - around)
        .min(area.width() / 2.0 - around)
        .max(4.0);
    let all = plots
        .iter()
        .flat_map(|plot| &plot.series)
        .flat_map(|series| series.values.numbers());
    let range = all.fold(None, |range: Option<(f64, f64)>, value| {
        let (low, high) = range.unwrap_or((value, value));
        Some((low.min(value), high.max(value)))
    });
    let value_pen = pens.pen(&values.letters);
    let intervals = (radius / (value_pen.line() * 1.23))
        .floor()
        .clamp(1.0, 10.0) as usize;
    let scale = Scale::new(range, values, intervals, false);
    let at = |spoke: usize, share: f64| {
        let angle = spoke as f64 / spokes as f64 * std::f64::consts::TAU;
        let (sin, cos) = angle.sin_cos();
        (x + sin * share * radius, y - cos * share * radius)
    };
    let ring = |share: &dyn Fn(usize) -> f64, outline: &mut Outline| {
        for spoke in 0..spokes {
            let point = at(spoke, share(spoke));
            if spoke == 0 {
                outline.move_to(point);
            } else {
                outline.line_to(point);
            }
        }
        outline.close();
    };
    let mut grid = Outline::default();
    let ticks = scale.ticks();
    for tick in ticks.iter().take(50) {
        ring(&|_| scale.within(*tick), &mut grid);
    }
    let grid_line = values
        .gridlines
        .as_ref()
        .and_then(|own| pens.rule(own.line.as_ref()));
    canvas.path(&grid, &Fill::None, grid_line.as_ref());
    if let Some(line) = pens.rule(values.line.as_ref()).filter(|_| !values.hidden) {
        let mut outline = Outline::default();
        for spoke in 0..spokes {
            outline.move_to((x, y));
            outline.line_to(at(spoke, 1.0));
        }
        canvas.path(&outline, &Fill::None, Some(&line));
    }
    for plot in plots {
        for series in &plot.series {
            let points: Vec<_> = (0..spokes)
                .filter_map(|spoke| {
                    Some((spoke, at(spoke, scale.within(series.values.number(spoke)?))))
                })
                .collect();
            let mut outline = Outline::default();
            let corners: Vec<_> = points.iter().map(|(_, point)| *point).collect();
            points::join(&mut outline, &corners, false);
            outline.close();
            if outline.is_empty() || points.is_empty() {
                continue;
            }
            if plot.filled {
                canvas.path(
                    &outline,
                    &pens.filling(series),
                    pens.edge(&series.shape).as_ref(),
                );
            } else {
                let line: Option<Line> = pens.stroke(series);
                canvas.path(&outline, &Fill::None, line.as_ref());
                points::signs(canvas, pens, plot, series, &points);
            }
            points::labels(canvas, pens, plot, series, &points, writer);
        }
    }
    if values.label_place != LabelPlace::None && !values.hidden {
        let format = values.format.as_deref().or_else(|| {
            let mut all = plots.iter().flat_map(|plot| &plot.series);
            all.find_map(|series| series.values.format.as_deref())
        });
        for tick in ticks.iter().take(50) {
            let (x, y) = at(0, scale.within(*tick));
            let top = y - value_pen.line() / 2.0;
            write_lines(
                canvas,
                &value_pen,
                &[shown(*tick, format)],
                (x - 6.0, top),
                Anchor::End,
            );
        }
    }
    if names.label_place != LabelPlace::None {
        for spoke in 0..spokes.min(200) {
            let (px, py) = at(spoke, 1.0);
            let across = (px - x) / radius;
            let down = (py - y) / radius;
            let anchor = match across {
                across if across > 0.1 => Anchor::Start,
                across if across < -0.1 => Anchor::End,
                _ => Anchor::Middle,
            };
            let middle = (px + across * 5.0, py + down * (4.0 + pen.line() / 2.0));
            write_lines(
                canvas,
                &pen,
                &[name(spoke)],
                (middle.0, middle.1 - pen.line() / 2.0),
                anchor,
            );
        }
    }
}
