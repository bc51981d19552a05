//! Bar charts: vertical or horizontal bars, side by side or stacked. Draws no axes.

use super::{
    axis::Panel,
    labels::{LabelPosition, Own, Writer},
    layout::Area,
    model::Plot,
    pens::Pens,
    ranges::{count, heights, share},
};
use crate::drawing::{
    Fill,
    chart::canvas::{Canvas, Outline},
};

/// Max. number of separate bars of a plot. Beyond it, all bars of a series share one outline, fill and line. It also
/// limits the number of series lines.
const MAX_SEPARATE: usize = 5000;

/// A bar: its category, its value, and its start and end position on the axis of values.
type Bar = (usize, f64, f64, f64);

/// Draws the bars of a plot.
pub(super) fn draw(
    canvas: &mut Canvas,
    pens: &Pens<'_>,
    area: &Area,
    panel: &Panel<'_>,
    plot: &Plot,
    writer: &mut Writer,
) {
    let series = plot.series.len().max(1) as f64;
    let stacked = plot.is_stacked();
    let category_width = panel.names.category_width();
    // Width of a group of bars, as a multiple of a bar's width: the bars side by side, minus their overlaps. The gap to
    // the next group is not included.
    let beside = if stacked {
        1.0
    } else {
        series - (series - 1.0) * plot.overlap
    };
    let width = category_width / (beside + plot.gap).max(0.01);
    let step = if stacked {
        0.0
    } else {
        width * (1.0 - plot.overlap)
    };
    let start = -(width * beside) / 2.0;
    let has_separate_bars = count(plot) * plot.series.len() <= MAX_SEPARATE;
    // Heights of the stacked bars so far in each category: of negative values, and of positive values.
    let mut piles = vec![(0.0, 0.0); if stacked { count(plot) } else { 0 }];
    for (nth, series) in plot.series.iter().enumerate() {
        let offset = start + step * nth as f64;
        let bars = bars(panel, plot, nth, &mut piles);
        let corners = |(at, _, from, to): Bar| {
            let middle = panel.names.name(at);
            let sign = direction(panel);
            let (near_edge, far_edge) = (middle + sign * offset, middle + sign * (offset + width));
            (
                panel.at(area, near_edge, from),
                panel.at(area, far_edge, to),
            )
        };
        let mut all = Outline::default();
        for bar in &bars {
            let (corner, opposite) = corners(*bar);
            if has_separate_bars {
                let mut outline = Outline::default();
                outline.rectangle(corner, opposite);
                let (fill, line) = pens.body(plot, series, bar.0);
                canvas.path(&outline, &fill, line.as_ref());
            } else {
                all.rectangle(corner, opposite);
            }
        }
        if !has_separate_bars {
            canvas.path(
                &all,
                &pens.filling(series),
                pens.edge(&series.shape).as_ref(),
            );
        }
        let Some(own) = Own::of(pens, plot, series) else {
            continue;
        };
        for bar in bars {
            let Some(text) = own.text(bar.0, bar.1) else {
                continue;
            };
            let (corner, opposite) = corners(bar);
            let (at, beside) = place(&own, panel, bar, (corner, opposite), stacked);
            writer.write(canvas, &own, &text, at, beside);
        }
    }
    steps(canvas, pens, area, panel, plot, width);
}

/// Direction in which the categories follow each other along their axis.
fn direction(panel: &Panel<'_>) -> f64 {
    if panel.names.axis.reversed { -1.0 } else { 1.0 }
}

/// Draws the series lines, which connect each column with the next column (in waterfall charts).
fn steps(
    canvas: &mut Canvas,
    pens: &Pens<'_>,
    area: &Area,
    panel: &Panel<'_>,
    plot: &Plot,
    width: f64,
) {
    let mut outline = Outline::default();
    let half = direction(panel) * width / 2.0;
    let levels = plot.steps.iter().take(MAX_SEPARATE).enumerate();
    for (at, level) in levels.take(plot.steps.len().saturating_sub(1)) {
        let level = panel.values.within(*level);
        let (from, to) = (panel.names.name(at), panel.names.name(at + 1));
        outline.move_to(panel.at(area, from + half, level));
        outline.line_to(panel.at(area, to - half, level));
    }
    canvas.path(&outline, &Fill::None, pens.rule(None).as_ref());
}

/// Position of the label of a bar with these corners, and the side of that point on which the text lies. The names of
/// positions are those of DrawingML (ST_DLblPos).
fn place(
    own: &Own<'_>,
    panel: &Panel<'_>,
    (.., from, to): Bar,
    (base_corner, end_corner): ((f64, f64), (f64, f64)),
    stacked: bool,
) -> ((f64, f64), LabelPosition) {
    let middle = (
        (base_corner.0 + end_corner.0) / 2.0,
        (base_corner.1 + end_corner.1) / 2.0,
    );
    let default = if stacked { "ctr" } else { "outEnd" };
    let up = to >= from;
    let outwards = match (panel.lies, up) {
        (true, true) => LabelPosition::Right,
        (true, false) => LabelPosition::Left,
        (false, true) => LabelPosition::Above,
        (false, false) => LabelPosition::Below,
    };
    let inwards = match outwards {
        LabelPosition::Right => LabelPosition::Left,
        LabelPosition::Left => LabelPosition::Right,
        LabelPosition::Above => LabelPosition::Below,
        _ => LabelPosition::Above,
    };
    let end = |point: (f64, f64)| match panel.lies {
        true => (point.0, middle.1),
        false => (middle.0, point.1),
    };
    match own.place().unwrap_or(default) {
        "ctr" => (middle, LabelPosition::Centre),
        "inEnd" => (end(end_corner), inwards),
        "inBase" => (end(base_corner), outwards),
        _ => (end(end_corner), outwards),
    }
}

/// Returns the bars of a series. `piles` are the heights of the bars on which these bars are stacked, and grow by these
/// bars.
fn bars(panel: &Panel<'_>, plot: &Plot, nth: usize, piles: &mut [(f64, f64)]) -> Vec<Bar> {
    let series = &plot.series[nth];
    let value = |at: usize| Some((at, series.values.number(at)?));
    let values = (0..series.values.len()).filter_map(value);
    let bars = values.map(|(at, value)| {
        if let Some(floor) = series.floor(at) {
            let (from, to) = (
                panel.values.within(floor),
                panel.values.within(floor + value),
            );
            return (at, value, from, to);
        }
        let Some(pile) = piles.get_mut(at) else {
            return (at, value, panel.values.base(), panel.values.within(value));
        };
        let part = share(plot, at, value);
        let side = if part < 0.0 { &mut pile.0 } else { &mut pile.1 };
        let from = *side;
        *side += part;
        let base = if from == 0.0 {
            panel.values.base()
        } else {
            panel.values.within(from)
        };
        (at, value, base, panel.values.within(*side))
    });
    bars.collect()
}

/// Draws up and down bars, which connect the points of the first and the last series. Bars of rising values and bars
/// of falling values have different fills and lines.
pub(super) fn up_down(
    canvas: &mut Canvas,
    pens: &Pens<'_>,
    area: &Area,
    panel: &Panel<'_>,
    plot: &Plot,
) {
    let (Some(shapes), [_, .., _]) = (&plot.up_down, &*plot.series) else {
        return;
    };
    // The gap is one and a half times as wide as a bar.
    let width = panel.names.category_width() / (1.0 + 1.5);
    for at in 0..count(plot) {
        let mut heights = heights(plot, at);
        let (Some(Some(from)), Some(Some(to))) = (heights.next(), heights.last()) else {
            continue;
        };
        let middle = panel.names.name(at);
        let mut outline = Outline::default();
        outline.rectangle(
            panel.at(area, middle - width / 2.0, panel.values.within(from)),
            panel.at(area, middle + width / 2.0, panel.values.within(to)),
        );
        let falls = to < from;
        let colour = crate::drawing::Rgba::opaque(if falls { [0x40; 3] } else { [0xff; 3] });
        let shape = &shapes[usize::from(falls)];
        let fill = pens.fill(shape, Fill::Solid(colour));
        canvas.path(&outline, &fill, pens.rule(shape.line.as_ref()).as_ref());
    }
}
