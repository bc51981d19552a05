//! Lines and areas over categories, with drop lines and high-low lines. The module `points` draws the markers.

use super::{
    axis::Panel,
    bars,
    labels::{LabelPosition, Own, Writer},
    layout::Area,
    model::{ChartType, Plot},
    pens::Pens,
    points,
    ranges::{count, heights, value},
};
use crate::drawing::{
    Fill,
    chart::canvas::{Canvas, Outline},
};

/// Draws the areas of a plot. Each stacked area begins where the area below it ends.
pub(super) fn areas(
    canvas: &mut Canvas,
    pens: &Pens<'_>,
    area: &Area,
    panel: &Panel<'_>,
    plot: &Plot,
    writer: &mut Writer,
) {
    // Sums of the series so far.
    let mut below = vec![0.0; count(plot)];
    for series in &plot.series {
        let mut outline = Outline::default();
        let lower: Vec<f64> = below.clone();
        let mut tops = Vec::new();
        for (at, floor) in below.iter_mut().enumerate() {
            let value = value(plot, series, at).unwrap_or(0.0);
            let top = if plot.is_stacked() {
                *floor + value
            } else {
                value
            };
            if plot.is_stacked() {
                *floor = top;
            }
            tops.push(panel.at(area, panel.names.name(at), panel.values.within(top)));
        }
        // Lower edge of the area: the series below it, or the axis if there is no value below.
        let base = |at: usize| {
            let floor = lower.get(at).copied().unwrap_or(0.0);
            let share = if floor == 0.0 {
                panel.values.base()
            } else {
                panel.values.within(floor)
            };
            panel.at(area, panel.names.name(at), share)
        };
        for (nth, top) in tops.iter().enumerate() {
            if nth == 0 {
                outline.move_to(*top);
            } else {
                outline.line_to(*top);
            }
        }
        // Back along the lower edge.
        (0..tops.len())
            .rev()
            .for_each(|at| outline.line_to(base(at)));
        outline.close();
        canvas.path(
            &outline,
            &pens.filling(series),
            pens.edge(&series.shape).as_ref(),
        );
        if let Some(own) = Own::of(pens, plot, series) {
            for (at, top) in tops.iter().enumerate() {
                let (_, bottom) = base(at);
                let text = series
                    .values
                    .number(at)
                    .and_then(|value| own.text(at, value));
                if let Some(text) = text {
                    let middle = (top.0, (top.1 + bottom) / 2.0);
                    writer.write(canvas, &own, &text, middle, LabelPosition::Centre);
                }
            }
        }
    }
    drops(canvas, pens, area, panel, plot);
}

/// Draws the lines of a plot, with markers, labels, drop lines, high-low lines, and up and down bars.
pub(super) fn draw(
    canvas: &mut Canvas,
    pens: &Pens<'_>,
    area: &Area,
    panel: &Panel<'_>,
    plot: &Plot,
    writer: &mut Writer,
) {
    drops(canvas, pens, area, panel, plot);
    high_low(canvas, pens, area, panel, plot);
    bars::up_down(canvas, pens, area, panel, plot);
    let mut below = vec![0.0; count(plot)];
    for series in &plot.series {
        // A missing value interrupts the line.
        let mut pieces: Vec<Vec<(f64, f64)>> = vec![Vec::new()];
        let mut all = Vec::new();
        for at in 0..series.values.len() {
            let Some(mut value) = value(plot, series, at) else {
                pieces.push(Vec::new());
                continue;
            };
            if plot.is_stacked()
                && let Some(floor) = below.get_mut(at)
            {
                *floor += value;
                value = *floor;
            }
            let point = panel.at(area, panel.names.name(at), panel.values.within(value));
            all.push((at, point));
            if let Some(piece) = pieces.last_mut() {
                piece.push(point);
            }
        }
        let mut outline = Outline::default();
        for piece in &pieces {
            points::join(&mut outline, piece, series.smooth == Some(true));
        }
        let line = match plot.kind {
            ChartType::Stock => series.shape.line.as_ref().and_then(|_| pens.stroke(series)),
            _ => pens.stroke(series),
        };
        canvas.path(&outline, &Fill::None, line.as_ref());
        points::signs(canvas, pens, plot, series, &all);
        points::labels(canvas, pens, plot, series, &all, writer);
    }
}

/// Draws drop lines, from the highest point of each category to the axis.
fn drops(canvas: &mut Canvas, pens: &Pens<'_>, area: &Area, panel: &Panel<'_>, plot: &Plot) {
    let Some(shape) = &plot.drops else {
        return;
    };
    let mut outline = Outline::default();
    for at in 0..count(plot) {
        if let Some((_, high)) = extremes(plot, at) {
            let name = panel.names.name(at);
            outline.move_to(panel.at(area, name, panel.values.base()));
            outline.line_to(panel.at(area, name, panel.values.within(high)));
        }
    }
    canvas.path(
        &outline,
        &Fill::None,
        pens.rule(shape.line.as_ref()).as_ref(),
    );
}

/// Draws high-low lines, from the lowest to the highest point of each category.
fn high_low(canvas: &mut Canvas, pens: &Pens<'_>, area: &Area, panel: &Panel<'_>, plot: &Plot) {
    let Some(shape) = &plot.high_low else {
        return;
    };
    let mut outline = Outline::default();
    for at in 0..count(plot) {
        if let Some((low, high)) = extremes(plot, at) {
            let name = panel.names.name(at);
            outline.move_to(panel.at(area, name, panel.values.within(low)));
            outline.line_to(panel.at(area, name, panel.values.within(high)));
        }
    }
    canvas.path(
        &outline,
        &Fill::None,
        pens.rule(shape.line.as_ref()).as_ref(),
    );
}

/// Lowest and highest point of a category. `None` without points.
fn extremes(plot: &Plot, at: usize) -> Option<(f64, f64)> {
    heights(plot, at).flatten().fold(None, |range, height| {
        let (low, high) = range.unwrap_or((height, height));
        Some((low.min(height), high.max(height)))
    })
}
