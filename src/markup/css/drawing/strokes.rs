//! Strokes that keep their width however their element is scaled (`vector-effect: non-scaling-stroke`, SVG 2, 8.13).
//! usvg does not know them, so their widths and dashes are divided by the scale. Does not look through `use`.
//!
//! If the scales across and down differ, their geometric mean is used: the stroke is then too wide in one direction,
//! and too narrow in the other.

use super::{ElementStyle, values::number};
use resvg::usvg::roxmltree::Node;

/// Inherited properties of a stroke that are lengths.
const LENGTHS: [&str; 3] = ["stroke-width", "stroke-dasharray", "stroke-dashoffset"];
/// Elements that have strokes.
const SHAPES: [&str; 7] = [
    "path", "rect", "circle", "ellipse", "line", "polyline", "polygon",
];

/// State of the strokes around an element.
#[derive(Clone, Default)]
pub(super) struct Strokes {
    /// Natural logarithm of the area of a square user unit, in square px.
    area: f32,
    /// Inherited values of [`LENGTHS`], in user units.
    held: [Option<String>; 3],
}

/// Divides the lengths of a stroke by the scale, if the stroke must not scale. `viewport` is the size of the root
/// element in px; `None` for other elements.
pub(super) fn resolve(node: Node<'_, '_>, look: &mut ElementStyle, viewport: Option<(f32, f32)>) {
    let mut strokes = std::mem::take(&mut look.inherited.strokes);
    for (held, name) in strokes.held.iter_mut().zip(LENGTHS) {
        if let Some(value) = look.get(name).filter(|value| *value != "inherit") {
            *held = Some(value.to_owned());
        }
    }
    // Factors of nested elements multiply, so their logarithms are added. A length grows by the root of the area.
    strokes.area += of_transform(look.get("transform").unwrap_or_default()).ln();
    strokes.area += of_view(node, look, viewport).ln();
    let scale = (strokes.area / 2.0).exp();
    let is_fixed = look.get("vector-effect").map(str::trim) == Some("non-scaling-stroke");
    if is_fixed && scale.is_normal() && SHAPES.contains(&node.tag_name().name()) {
        for (held, name) in strokes.held.iter().zip(LENGTHS) {
            // Initially the width is 1, and there are no dashes to divide.
            let value = match held.as_deref() {
                None if name == "stroke-width" => "1",
                None => continue,
                Some(value) => value,
            };
            if let Some(divided) = divided(value, scale) {
                look.values.retain(|(known, _)| known != name);
                look.values.push((name.to_owned(), divided));
            }
        }
    }
    look.inherited.strokes = strokes;
}

/// Divides each number of a list by the scale. `None` if a part is not a number, such as a keyword or percentage.
fn divided(list: &str, scale: f32) -> Option<String> {
    let parts = list.split([',', ' ']).filter(|part| !part.is_empty());
    let parts = parts.map(|part| Some(number(part.parse::<f32>().ok()? / scale)));
    Some(parts.collect::<Option<Vec<_>>>()?.join(" "))
}

/// Factor by which the functions of a transform change areas: only `scale` and `matrix` do.
fn of_transform(list: &str) -> f32 {
    let functions = list.split(')').filter_map(|one| one.split_once('('));
    let factors = functions.map(|(name, values)| {
        let values = values.split([',', ' ', '\t', '\n', '\r']);
        let values: Vec<f32> = values
            .filter(|value| !value.is_empty())
            .filter_map(|value| value.parse().ok())
            .collect();
        match (
            name.trim_matches([',', ' ', '\t', '\n', '\r']),
            values.as_slice(),
        ) {
            // The factor is the determinant of the matrix.
            ("scale", [both]) => both * both,
            ("scale", [across, down]) => across * down,
            ("matrix", [a, b, c, d, _, _]) => a * d - b * c,
            _ => 1.0,
        }
    });
    factors.product::<f32>().abs()
}

/// Factor by which the `viewBox` of an element changes areas (SVG 2, 8.2).
fn of_view(node: Node<'_, '_>, look: &ElementStyle, viewport: Option<(f32, f32)>) -> f32 {
    if node.tag_name().name() != "svg" {
        return 1.0;
    }
    let own = |name: &str| look.get(name)?.parse::<f32>().ok();
    let size = viewport.or_else(|| own("width").zip(own("height")));
    let (Some((width, height)), Some([_, _, across, down])) = (size, super::view_box(node)) else {
        return 1.0;
    };
    let (across, down) = (width / across, height / down);
    // `none` scales each axis by itself, `slice` makes the view box cover the viewport, and the default (`meet`) makes
    // it fit into the viewport (SVG 2, 8.7).
    match node.attribute("preserveAspectRatio").unwrap_or_default() {
        ratio if ratio.contains("none") => across * down,
        ratio if ratio.contains("slice") => across.max(down).powi(2),
        _ => across.min(down).powi(2),
    }
}
