//! Box plots: boxes from quartile to quartile, with whiskers. Computes no quartiles.

use super::{
    axis::Panel,
    canvas::{Canvas, Outline},
    labels::Writer,
    layout::Area,
    model::{Plot, Series, Spread, Symbol},
    pens::{Pens, ResolvedMarker},
    points,
};
use crate::drawing::{Fill, Line};
use convertd_tree::POINT;

/// Width of the lines if the file states no line, in points.
const LINE: f64 = 0.75;
/// Size of the mark of the mean, in points.
const MEAN: f64 = 5.0;
/// Size of the marks of single values, in points.
const DOT: f64 = 3.0;

/// Max. number of boxes of a series.
const MAX_BOXES: usize = 1000;
/// Max. number of single values of a plot that are marked.
const MAX_DOTS: usize = 5000;

/// Draws the boxes of a plot.
pub(super) fn draw(
    canvas: &mut Canvas,
    pens: &Pens<'_>,
    area: &Area,
    panel: &Panel<'_>,
    plot: &Plot,
    _: &mut Writer,
) {
    let count = plot.series.len().max(1) as f64;
    // Boxes are side by side in their category.
    let width = panel.names.category_width() / (count + plot.gap).max(0.01);
    let mut left = MAX_DOTS;
    for (nth, series) in plot.series.iter().enumerate() {
        let offset = width * (nth as f64 - count / 2.0 + 0.5);
        for (at, spread) in series.spreads.iter().enumerate().take(MAX_BOXES) {
            if let Some(spread) = spread {
                let middle = panel.names.name(at) + offset;
                let place = BoxPosition {
                    panel,
                    area,
                    middle,
                    // Adjacent boxes do not touch.
                    half: width * 0.45,
                };
                place.draw(canvas, pens, series, spread, &mut left);
            }
        }
    }
}

/// Place of a box.
struct BoxPosition<'p> {
    panel: &'p Panel<'p>,
    area: &'p Area,
    /// Middle of the box, as a position on the axis of names.
    middle: f64,
    /// Half of the width, in the same unit.
    half: f64,
}

impl BoxPosition<'_> {
    /// Point at a value. `across` moves it sideways, in units of half the width of the box.
    fn at(&self, across: f64, value: f64) -> (f64, f64) {
        let name = self.middle + across * self.half;
        self.panel
            .at(self.area, name, self.panel.values.within(value))
    }

    /// Draws a box from the first to the third quartile, the median, whiskers, the mean if the series shows it, and
    /// single values. `left` counts down the single values that may still be drawn.
    fn draw(
        &self,
        canvas: &mut Canvas,
        pens: &Pens<'_>,
        series: &Series,
        spread: &Spread,
        left: &mut usize,
    ) {
        let colour = pens.filling(series).colour();
        let dark = colour.map(|colour| colour.luminance(0.6, 0.0));
        let line = pens.edge(&series.shape).or(dark.map(|colour| Line {
            width: (LINE * POINT) as i64,
            colour,
            dashes: &[],
            round: false,
            ends: Default::default(),
        }));
        let [first, median, third] = spread.quartiles;
        let mut body = Outline::default();
        body.rectangle(self.at(-1.0, first), self.at(1.0, third));
        canvas.path(&body, &pens.filling(series), line.as_ref());
        let mut strokes = Outline::default();
        let mut stroke = |from, to| {
            strokes.move_to(from);
            strokes.line_to(to);
        };
        stroke(self.at(-1.0, median), self.at(1.0, median));
        for (end, quartile) in [(spread.low, first), (spread.high, third)] {
            stroke(self.at(0.0, quartile), self.at(0.0, end));
            stroke(self.at(-0.4, end), self.at(0.4, end));
        }
        canvas.path(&strokes, &Fill::None, line.as_ref());
        let sign = |symbol, size| ResolvedMarker {
            symbol,
            size,
            fill: pens.filling(series),
            line: line.clone(),
        };
        if series.extended.as_ref().is_some_and(|own| own.mean) {
            points::sign(
                canvas,
                &sign(Symbol::Cross, MEAN),
                self.at(0.0, spread.mean),
            );
        }
        for value in &spread.points {
            let Some(fewer) = left.checked_sub(1) else {
                break;
            };
            *left = fewer;
            points::sign(canvas, &sign(Symbol::Circle, DOT), self.at(0.0, *value));
        }
    }
}
