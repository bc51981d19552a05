//! Points between two axes of numbers, as markers or bubbles, and the lines between them. Draws no axes.

use super::{
    axis::Panel,
    labels::{LabelPosition, Own, Writer},
    layout::Area,
    model::{ChartType, Plot, Series, Symbol},
    pens::{Pens, ResolvedMarker},
};
use crate::drawing::{
    Fill,
    chart::canvas::{Canvas, Outline},
};

/// Max. number of markers or bubbles of a series. More of them would only merge into a broad line.
const MAX_SIGNS: usize = 3000;

/// Diameter of the largest bubble, as a share of the plot's shorter side.
const BUBBLE: f64 = 0.263;

/// Points with their index in the series.
type Placed = [(usize, (f64, f64))];

/// Stroke of a marker: its two ends, relative to the centre, in units of half the marker's size.
type Stroke = ((f64, f64), (f64, f64));

/// Draws the points of a plot.
pub(super) fn draw(
    canvas: &mut Canvas,
    pens: &Pens<'_>,
    area: &Area,
    panel: &Panel<'_>,
    plot: &Plot,
    writer: &mut Writer,
) {
    let sizes = plot.series.iter().flat_map(|series| series.sizes.numbers());
    let largest = sizes.map(f64::abs).fold(0.0, f64::max);
    for series in &plot.series {
        let at = |nth: usize| {
            let value = series.values.number(nth)?;
            // Without x values, points are numbered.
            let x = match series.categories.len() {
                0 => nth as f64 + 1.0,
                _ => series.categories.number(nth).unwrap_or(nth as f64 + 1.0),
            };
            let (x, y) = (panel.names.number(x), panel.values.number(value));
            let seen = (-0.001..=1.001).contains(&x) && (-0.001..=1.001).contains(&y);
            seen.then(|| (nth, panel.at(area, x, y)))
        };
        let all: Vec<_> = (0..series.values.len()).filter_map(at).collect();
        if plot.kind == ChartType::Bubble {
            let side = area.height().min(area.width());
            let largest = Bubble {
                size: largest,
                radius: side * BUBBLE * plot.bubble_scale / 2.0,
            };
            bubbles(canvas, pens, plot, series, &all, &largest);
        } else {
            if plot.lines {
                let mut outline = Outline::default();
                let points: Vec<_> = all.iter().map(|(_, point)| *point).collect();
                join(&mut outline, &points, series.smooth == Some(true));
                canvas.path(&outline, &Fill::None, pens.stroke(series).as_ref());
            }
            signs(canvas, pens, plot, series, &all);
        }
        labels(canvas, pens, plot, series, &all, writer);
    }
}

/// A bubble.
struct Bubble {
    /// Value that the bubble represents.
    size: f64,
    radius: f64,
}

/// Draws the bubbles of a series. The value of a bubble is its area or its width, depending on the chart. The diameter
/// of the largest bubble is a fixed share of the plot, times the scale that the chart states.
fn bubbles(
    canvas: &mut Canvas,
    pens: &Pens<'_>,
    plot: &Plot,
    series: &Series,
    all: &Placed,
    largest: &Bubble,
) {
    for (at, point) in all.iter().take(MAX_SIGNS) {
        let size = series.sizes.number(*at).unwrap_or(largest.size);
        if size <= 0.0 || largest.size <= 0.0 {
            continue;
        }
        let share = size / largest.size;
        let radius = largest.radius
            * if plot.bubble_by_width {
                share
            } else {
                share.sqrt()
            };
        let mut outline = Outline::default();
        outline.circle(*point, radius);
        let (fill, line) = pens.body(plot, series, *at);
        canvas.path(&outline, &fill, line.as_ref());
    }
}

/// Adds a line through points, straight or curved.
pub(super) fn join(outline: &mut Outline, points: &[(f64, f64)], smooth: bool) {
    let [first, rest @ ..] = points else {
        return;
    };
    outline.move_to(*first);
    for (nth, to) in rest.iter().enumerate() {
        if !smooth {
            outline.line_to(*to);
            continue;
        }
        // The tangent at each point is parallel to the line between its neighbours (Catmull-Rom spline).
        let from = points[nth];
        let before = points[nth.saturating_sub(1)];
        let after = points.get(nth + 2).unwrap_or(to);
        let first_control = (
            from.0 + (to.0 - before.0) / 6.0,
            from.1 + (to.1 - before.1) / 6.0,
        );
        let second_control = (
            to.0 - (after.0 - from.0) / 6.0,
            to.1 - (after.1 - from.1) / 6.0,
        );
        outline.curve_to([first_control, second_control, *to]);
    }
}

/// Draws the markers of points. The markers of all points without a marker of their own share an outline.
pub(super) fn signs(
    canvas: &mut Canvas,
    pens: &Pens<'_>,
    plot: &Plot,
    series: &Series,
    all: &Placed,
) {
    let default = pens.marker(plot, series, None);
    let mut alike = Outline::default();
    for (at, point) in all.iter().take(MAX_SIGNS) {
        match series.point(*at).and_then(|own| own.marker.as_ref()) {
            Some(_) => {
                if let Some(sign) = pens.marker(plot, series, Some(*at)) {
                    let mut outline = Outline::default();
                    symbol(&mut outline, &sign, *point);
                    paint(canvas, &outline, &sign);
                }
            }
            None => {
                if let Some(sign) = &default {
                    symbol(&mut alike, sign, *point);
                }
            }
        }
    }
    if let Some(sign) = default {
        paint(canvas, &alike, &sign);
    }
}

/// Draws the outline of markers.
fn paint(canvas: &mut Canvas, outline: &Outline, sign: &ResolvedMarker) {
    match sign.symbol {
        // These symbols consist only of lines.
        Symbol::Cross | Symbol::Plus | Symbol::Star => {
            canvas.path(outline, &Fill::None, sign.line.as_ref())
        }
        _ => canvas.path(outline, &sign.fill, sign.line.as_ref()),
    }
}

/// Draws a single marker, such as the marker in a legend.
pub(super) fn sign(canvas: &mut Canvas, sign: &ResolvedMarker, at: (f64, f64)) {
    let mut outline = Outline::default();
    symbol(&mut outline, sign, at);
    paint(canvas, &outline, sign);
}

/// Adds the outline of a marker around a point. Crosses, plus signs and stars are strokes, and all others closed
/// shapes.
fn symbol(outline: &mut Outline, sign: &ResolvedMarker, (x, y): (f64, f64)) {
    let half = sign.size / 2.0;
    let mut strokes = |all: &[Stroke]| {
        for ((a, b), (c, d)) in all {
            outline.move_to((x + a * half, y + b * half));
            outline.line_to((x + c * half, y + d * half));
        }
    };
    const DIAGONALS: [Stroke; 2] = [((-1.0, -1.0), (1.0, 1.0)), ((-1.0, 1.0), (1.0, -1.0))];
    const UPRIGHT: Stroke = ((0.0, -1.0), (0.0, 1.0));
    const LYING: Stroke = ((-1.0, 0.0), (1.0, 0.0));
    match sign.symbol {
        Symbol::None => {}
        Symbol::Cross => strokes(&DIAGONALS),
        Symbol::Plus => strokes(&[UPRIGHT, LYING]),
        Symbol::Star => {
            strokes(&DIAGONALS);
            strokes(&[UPRIGHT]);
        }
        Symbol::Circle => outline.circle((x, y), half),
        Symbol::Square => outline.rectangle((x - half, y - half), (x + half, y + half)),
        Symbol::Dash => outline.rectangle((x - half, y - half / 3.0), (x + half, y + half / 3.0)),
        Symbol::Dot => outline.rectangle((x, y - half / 3.0), (x + half, y + half / 3.0)),
        Symbol::Diamond | Symbol::Triangle => {
            let corners: &[(f64, f64)] = match sign.symbol {
                Symbol::Diamond => &[(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)],
                _ => &[(0.0, -1.0), (1.0, 1.0), (-1.0, 1.0)],
            };
            for (nth, (across, down)) in corners.iter().enumerate() {
                let corner = (x + across * half, y + down * half);
                if nth == 0 {
                    outline.move_to(corner);
                } else {
                    outline.line_to(corner);
                }
            }
            outline.close();
        }
    }
}

/// Draws the labels of points.
pub(super) fn labels(
    canvas: &mut Canvas,
    pens: &Pens<'_>,
    plot: &Plot,
    series: &Series,
    all: &Placed,
    writer: &mut Writer,
) {
    let Some(own) = Own::of(pens, plot, series) else {
        return;
    };
    let beside = match own.place() {
        Some("t") => LabelPosition::Above,
        Some("b") => LabelPosition::Below,
        Some("l") => LabelPosition::Left,
        Some("ctr") => LabelPosition::Centre,
        _ => LabelPosition::Right,
    };
    for (at, point) in all {
        let text = series
            .values
            .number(*at)
            .and_then(|value| own.text(*at, value));
        if let Some(text) = text {
            writer.write(canvas, &own, &text, *point, beside);
        }
    }
}
