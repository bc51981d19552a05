//! Properties of texts, paragraphs and cells (OpenDocument 1.3, part 3, 20). Reads no styles.

use super::{
    super::whole::INDENT,
    lengths::{colour, points},
};
use crate::shown::style::{
    Align, Down, Edge, Fill, Font, HorizontalAlignment, Position, Stroke, Style, Turn, Underline,
};
use convertd_tree::Colour;

/// Applies a text property.
pub(super) fn text(font: &mut Font, name: &str, value: &str) {
    match name {
        "font-family" => font.name = value.trim_matches(['\'', '"']).chars().take(64).collect(),
        "font-size" => font.size = points(value).unwrap_or(font.size).clamp(1.0, 409.0),
        "font-weight" => {
            let heavy = value.parse::<u32>().is_ok_and(|weight| weight >= 600);
            font.bold = value == "bold" || heavy;
        }
        "font-style" => font.italic = matches!(value, "italic" | "oblique"),
        "text-underline-style" => {
            font.underline = match (value, font.underline) {
                ("none", _) => Underline::None,
                (_, Underline::Double) => Underline::Double,
                (_, Underline::None | Underline::Single) => Underline::Single,
            };
        }
        "text-underline-type" if value == "double" => font.underline = Underline::Double,
        "text-line-through-style" => font.strike = value != "none",
        "color" => font.colour = colour(value),
        "use-window-font-color" if value == "true" => font.colour = None,
        "text-position" => {
            font.position = match value {
                _ if value.starts_with("super") => Position::Superscript,
                _ if value.starts_with("sub") => Position::Subscript,
                _ => Position::Baseline,
            };
        }
        _ => {}
    }
}

/// Applies a cell or paragraph property. `by_value` is whether the horizontal alignment depends on the type of the
/// value.
pub(super) fn cell(
    style: &mut Style,
    align: &mut Align,
    by_value: &mut bool,
    name: &str,
    value: &str,
) {
    let edges = &mut style.edges;
    match name {
        "background-color" => style.fill = colour(value).map(|colour| Fill { colour }),
        "border" => {
            let edge = edge(value);
            (edges.left, edges.right, edges.top, edges.bottom) = (edge, edge, edge, edge);
        }
        "border-left" => edges.left = edge(value),
        "border-right" => edges.right = edge(value),
        "border-top" => edges.top = edge(value),
        "border-bottom" => edges.bottom = edge(value),
        "diagonal-bl-tr" => edges.up = edge(value),
        "diagonal-tl-br" => edges.down = edge(value),
        "vertical-align" => {
            align.down = match value {
                "top" => Down::Top,
                "middle" => Down::Centre,
                _ => Down::Bottom,
            };
        }
        "wrap-option" => align.wrap = value == "wrap",
        "shrink-to-fit" => align.shrink = value == "true",
        "text-align-source" => *by_value = value == "value-type",
        "text-align" => {
            *by_value = false;
            align.across = match value {
                "center" => HorizontalAlignment::Centre,
                "end" | "right" => HorizontalAlignment::Right,
                "justify" => HorizontalAlignment::Justify,
                _ => HorizontalAlignment::Left,
            };
        }
        "repeat-content" if value == "true" => {
            *by_value = false;
            align.across = HorizontalAlignment::Fill;
        }
        "margin-left" => {
            align.indent = (points(value).unwrap_or(0.0) / INDENT)
                .round()
                .clamp(0.0, 250.0) as u8;
        }
        "rotation-angle" => {
            let degrees = value.trim_end_matches("deg").parse::<f32>().unwrap_or(0.0) as i64;
            let degrees = degrees.rem_euclid(360);
            align.turn = match degrees {
                0 | 180 => Turn::None,
                1..=90 => Turn::By(degrees as i16),
                270..=359 => Turn::By(degrees as i16 - 360),
                _ => Turn::None,
            };
        }
        "direction" if value == "ttb" => align.turn = Turn::Stacked,
        "writing-mode" => align.backwards = value.starts_with("rl"),
        _ => {}
    }
}

/// Parses a border such as `0.74pt solid #000000`. The width selects between hair, thin, medium and thick lines. `None`
/// for a border without a line style, or with the style `none` or `hidden`.
fn edge(value: &str) -> Option<Edge> {
    let mut width = 0.75;
    let mut colour_of = Colour(0, 0, 0);
    let mut kind = "";
    for part in value.split_ascii_whitespace() {
        if part.starts_with('#') {
            colour_of = colour(part).unwrap_or(colour_of);
        } else if let Some(points) = points(part) {
            width = points;
        } else {
            kind = part;
        }
    }
    let bold = width > 1.2;
    let stroke = match kind {
        "" | "none" | "hidden" => return None,
        "dotted" => Stroke::Dotted,
        "dashed" | "fine-dashed" if bold => Stroke::MediumDashed,
        "dashed" | "fine-dashed" => Stroke::Dashed,
        "dash-dot" if bold => Stroke::MediumDashDot,
        "dash-dot" => Stroke::DashDot,
        "dash-dot-dot" if bold => Stroke::MediumDashDotDot,
        "dash-dot-dot" => Stroke::DashDotDot,
        "double" | "double-thin" => Stroke::Double,
        _ if width < 0.4 => Stroke::Hair,
        _ if width > 2.0 => Stroke::Thick,
        _ if bold => Stroke::Medium,
        _ => Stroke::Thin,
    };
    Some(Edge {
        stroke,
        colour: colour_of,
    })
}
