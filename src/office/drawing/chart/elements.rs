//! Elements that older and newer chart types share (ECMA-376 part 1, 21.2; MS-ODRAWXML, 2.24): lists of points,
//! texts, and the formatting of shapes and text.

use super::model::{Letters, Shape, Side};
use crate::{
    containers::xml::Node,
    drawing::{Colour, FillStyle, LineStyle, flag, number},
};

/// Max. number of series of a chart.
pub(super) const MAX_SERIES: usize = 255;
/// Max. number of points of a series.
pub(super) const MAX_POINTS: usize = 32_000;
/// Max. number of points of all series together.
pub(super) const MAX_ALL: usize = 200_000;

/// Max. number of points of a series with formatting or a label of their own.
pub(super) const MAX_SPECIAL: usize = 4000;
/// Max. length of a text, in characters.
const MAX_LETTERS: usize = 4000;

/// Side of a legend or an axis.
pub(super) fn side(name: &str) -> Side {
    match name {
        "l" => Side::Left,
        "t" => Side::Top,
        "b" => Side::Bottom,
        _ => Side::Right,
    }
}

/// Reads the fill and line of an element.
pub(super) fn shape(node: &Node<'_>) -> Shape {
    node.named("spPr").map(shape_of).unwrap_or_default()
}

/// Reads a fill and a line from shape properties.
pub(super) fn shape_of(properties: &Node<'_>) -> Shape {
    Shape {
        fill: FillStyle::read(properties),
        line: properties.named("ln").map(LineStyle::read),
    }
}

/// Reads the formatting of the first run of a text body, completed by the defaults of its paragraph.
pub(super) fn letters_of(body: &Node<'_>) -> Letters {
    let turn = body.named("bodyPr").and_then(|own| number(own, "rot"));
    // An angle of 1000 degrees means that the program chooses. Angles beyond 90 degrees are ignored.
    let turn = turn.filter(|turn| turn.abs() <= 90 * 60_000);
    let paragraph = body.named("p");
    let default = paragraph.and_then(|own| own.named("pPr")?.named("defRPr"));
    let run = paragraph.and_then(|own| own.named("r")?.named("rPr"));
    let default = default.map(look).unwrap_or_default();
    Letters {
        turn: turn.map(|turn| turn as f64 / 60_000.0),
        ..run.map(look).unwrap_or_default().over(&default)
    }
}

/// Formatting of a title: that of its formatted text, completed by the text properties of the title.
pub(super) fn letters_of_title(node: &Node<'_>) -> Letters {
    let own = node.named("txPr").map(letters_of).unwrap_or_default();
    let rich = node.named("tx").and_then(|tx| tx.named("rich"));
    rich.map(letters_of).unwrap_or_default().over(&own)
}

/// Reads the formatting of text from `defRPr` or `rPr` (21.1.2.3.9). Sizes are in hundredths of a point.
pub(super) fn look(node: &Node<'_>) -> Letters {
    Letters {
        size: number(node, "sz").map(|size| (size as f64 / 100.0).clamp(1.0, 400.0)),
        bold: flag(node, "b"),
        italic: flag(node, "i"),
        colour: node.named("solidFill").and_then(Colour::read),
        font: node
            .named("latin")
            .and_then(|font| font.attribute("typeface"))
            .map(|face| face.as_ref().into()),
        turn: None,
    }
}

/// Reads the values of a list of points, each at its index. `left` counts down the points that the chart may still
/// have, gaps included.
pub(super) fn listed(list: &Node<'_>, left: &mut usize) -> Vec<String> {
    let mut texts = Vec::new();
    let own = list.all_named("pt");
    for (nth, point) in own.enumerate().take(MAX_POINTS) {
        let at = number(point, "idx").and_then(|at| usize::try_from(at).ok());
        let at = at.unwrap_or(nth);
        if at >= MAX_POINTS {
            continue;
        }
        if at >= texts.len() + *left {
            *left = 0;
            break;
        }
        if texts.len() <= at {
            *left -= at + 1 - texts.len();
            texts.resize(at + 1, String::new());
        }
        // In the newer chart types, the point itself contains the value.
        let value = point.named("v").unwrap_or(point);
        texts[at] = plain(value.text.trim());
    }
    texts
}

/// Limits the length of a text.
pub(super) fn limited(text: &str) -> String {
    text.trim().chars().take(MAX_LETTERS).collect()
}

/// Shortens a number that has all digits of its binary form: 8.1999999999999993 becomes 8.2.
fn plain(text: &str) -> String {
    let is_long = text.len() > 15 && text.contains('.');
    match text.parse::<f64>() {
        Ok(number) if is_long && number.is_finite() => {
            let short = format!("{number:.14e}").parse::<f64>();
            short.map_or_else(|_| text.to_owned(), |short| short.to_string())
        }
        _ => limited(text),
    }
}

/// Text of a title, or the name of a series.
pub(super) fn words(node: &Node<'_>) -> String {
    let mut text = String::new();
    collect(node, &mut text, 0);
    limited(&text)
}

/// Collects the text of an element and its children, with a line break between paragraphs.
fn collect(node: &Node<'_>, text: &mut String, depth: usize) {
    // The deepest text is in tx, rich, p, r, t, or in tx, strRef, strCache, pt, v. Deeper nesting than this limit is
    // damage, and is left out.
    if depth > 8 {
        return;
    }
    if matches!(node.element.name, "p") && !text.is_empty() {
        text.push('\n');
    }
    if matches!(node.element.name, "t" | "v") {
        text.push_str(&node.text);
    }
    for child in &node.children {
        collect(child, text, depth + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn binary_rounding_errors_are_removed() {
        assert_eq!(plain("8.1999999999999993"), "8.2");
        assert_eq!(plain("0.10000000000000001"), "0.1");
        assert_eq!(plain("4.3"), "4.3");
        assert_eq!(plain("1234567890123456789"), "1234567890123456789");
        assert_eq!(plain("Quarter 1.5 of 2026"), "Quarter 1.5 of 2026");
    }
}
