//! Markers on the vertices of a line (SVG 2, 13.7), which the parser draws as often as there are vertices. Draws nothing.
//!
//! The first and the last vertex have markers of their own, `marker-start` and `marker-end`, that cost nothing. All between
//! have `marker-mid`, which is inherited, and may come from a style sheet: so wherever a drawing names it at all, every
//! line is taken to have the heaviest marker that there is.

use resvg::usvg::roxmltree::{Document, Node};

/// The weight of the heaviest marker, where any may stand between the ends of a line; else 0.
pub(crate) fn heaviest<'a, 'i>(
    document: &'a Document<'i>,
    weight: impl FnMut(Node<'a, 'i>) -> u64,
) -> u64 {
    if !document.descendants().any(is_asked_for) {
        return 0;
    }
    let markers = document
        .descendants()
        .filter(|node| node.tag_name().name() == "marker");
    markers.map(weight).max().unwrap_or(0)
}

/// Whether an element, or a style sheet, asks for markers between ends: by `marker-mid`, or by `marker`, which stands for all.
fn is_asked_for(node: Node<'_, '_>) -> bool {
    let in_style = |text: &str| {
        text.match_indices("marker").any(|(at, word)| {
            let behind = &text[at + word.len()..];
            behind.starts_with("-mid") || behind.trim_start().starts_with(':')
        })
    };
    if node.tag_name().name() == "style" {
        return node.text().is_some_and(in_style);
    }
    node.attribute("marker-mid").is_some()
        || node.attribute("marker").is_some()
        || node.attribute("style").is_some_and(in_style)
}

/// About how many vertices a line has; more rather than less.
pub(crate) fn vertices(node: Node<'_, '_>) -> u64 {
    let text = match node.tag_name().name() {
        "path" => node.attribute("d"),
        "polyline" | "polygon" => node.attribute("points"),
        _ => None,
    };
    // Two numbers make a vertex, and so does a letter with one.
    let (mut numbers, mut letters, mut within) = (0, 0, false);
    for byte in text.unwrap_or_default().bytes() {
        let is_part = byte.is_ascii_digit() || byte == b'.';
        numbers += u64::from(is_part && !within);
        letters += u64::from(byte.is_ascii_alphabetic());
        within = is_part;
    }
    numbers / 2 + letters
}
