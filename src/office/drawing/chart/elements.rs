//! Elements that the older and the newer charts share (ECMA-376 part 1, 21.2; MS-ODRAWXML, 2.24): lists of points,
//! texts, and the looks of shapes and letters.

use super::model::{Letters, Shape, Side};
use crate::{
    containers::xml::Node,
    drawing::{Colour, FillStyle, LineStyle, flag, number},
};

/// The limits on the series of a chart, on the points of one, and on those of all together.
pub(super) const MAX_SERIES: usize = 255;
pub(super) const MAX_POINTS: usize = 32_000;
pub(super) const MAX_ALL: usize = 200_000;

/// The limit on points that look otherwise, and on the letters of a text.
pub(super) const MAX_SPECIAL: usize = 4000;
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

/// The shape that an element has in its properties.
pub(super) fn shape(node: &Node<'_>) -> Shape {
    node.named("spPr").map(shape_of).unwrap_or_default()
}

/// The shape of an element with such properties.
pub(super) fn shape_of(properties: &Node<'_>) -> Shape {
    Shape {
        fill: FillStyle::read(properties),
        line: properties.named("ln").map(LineStyle::read),
    }
}

/// The look of the first letters of a text body, or that which its paragraphs have.
pub(super) fn letters_of(body: &Node<'_>) -> Letters {
    let turn = body.named("bodyPr").and_then(|own| number(own, "rot"));
    // A thousand degrees stand for an angle that the program chooses.
    let turn = turn.filter(|turn| turn.abs() <= 90 * 60_000);
    let paragraph = body.named("p");
    let usual = paragraph.and_then(|own| own.named("pPr")?.named("defRPr"));
    let run = paragraph.and_then(|own| own.named("r")?.named("rPr"));
    let usual = usual.map(look).unwrap_or_default();
    Letters {
        turn: turn.map(|turn| turn as f64 / 60_000.0),
        ..run.map(look).unwrap_or_default().over(&usual)
    }
}

/// The look of the letters of a title: that of its text, or else its own.
pub(super) fn letters_of_title(node: &Node<'_>) -> Letters {
    let own = node.named("txPr").map(letters_of).unwrap_or_default();
    let rich = node.named("tx").and_then(|tx| tx.named("rich"));
    rich.map(letters_of).unwrap_or_default().over(&own)
}

/// The look of letters that a `defRPr` or `rPr` says (21.1.2.3.9).
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

/// The values of a list of points, at their places. `left` is how many the chart may still have.
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
        // Charts of newer kinds have no element between.
        let value = point.named("v").unwrap_or(point);
        texts[at] = plain(value.text.trim());
    }
    texts
}

/// As much of a text as is kept.
pub(super) fn limited(text: &str) -> String {
    text.trim().chars().take(MAX_LETTERS).collect()
}

/// A number without the digits that only its binary form has: 8.1999999999999993 is 8.2.
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

/// The text of a title.
pub(super) fn words(node: &Node<'_>) -> String {
    let mut text = String::new();
    collect(node, &mut text, 0);
    limited(&text)
}

fn collect(node: &Node<'_>, text: &mut String, depth: usize) {
    // A title is no deeper than tx, rich, p, r, t, or than tx, strRef, strCache, pt, v.
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
    fn numbers_lose_what_only_their_binary_form_has() {
        assert_eq!(plain("8.1999999999999993"), "8.2");
        assert_eq!(plain("0.10000000000000001"), "0.1");
        assert_eq!(plain("4.3"), "4.3");
        assert_eq!(plain("1234567890123456789"), "1234567890123456789");
        assert_eq!(plain("Quarter 1.5 of 2026"), "Quarter 1.5 of 2026");
    }
}
