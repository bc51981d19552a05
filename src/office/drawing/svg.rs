//! Attributes, gradient stops and numbers of drawings in SVG. Draws no shapes.

use super::{Line, Rgba};
use convertd_tree::POINT;
use std::fmt::Write as _;

/// Returns the attributes of a line.
pub(super) fn stroke(line: &Line) -> String {
    // Lines thinner than a quarter of a point, also those of width 0, are drawn with this width to be visible.
    let width = (line.width as f64 / POINT).max(0.25);
    let mut stroke = format!(
        "{} stroke-width=\"{}\"",
        paint("stroke", line.colour),
        round(width)
    );
    if !line.dashes.is_empty() {
        let dashes = line
            .dashes
            .iter()
            .map(|dash| round(f64::from(*dash) * width).to_string());
        let dashes: Vec<String> = dashes.collect();
        let _ = write!(stroke, " stroke-dasharray=\"{}\"", dashes.join(" "));
    }
    if line.round {
        stroke.push_str(" stroke-linecap=\"round\"");
    }
    stroke.push_str(" stroke-linejoin=\"round\"");
    stroke
}

/// Returns the attributes of a colour. `what` is `fill` or `stroke`.
pub(super) fn paint(what: &str, colour: Rgba) -> String {
    let mut paint = format!("{what}=\"{}\"", colour.hex());
    if colour.alpha < 1.0 {
        let _ = write!(paint, " {what}-opacity=\"{}\"", colour.alpha);
    }
    paint
}

/// Writes the stops of a gradient, whose element is open.
pub(super) fn stops(svg: &mut String, stops: impl Iterator<Item = (f32, Rgba)>) {
    for (at, colour) in stops {
        let _ = write!(
            svg,
            "<stop offset=\"{at}\" stop-color=\"{}\" stop-opacity=\"{}\"/>",
            colour.hex(),
            colour.alpha
        );
    }
}

/// Rounds to thousandths, and limits the absolute value to a million.
pub(super) fn round(number: f64) -> f64 {
    let number = if number.is_finite() { number } else { 0.0 };
    (number.clamp(-1e6, 1e6) * 1000.0).round() / 1000.0
}
