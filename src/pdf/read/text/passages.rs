//! Text of lines that are known to belong together, from any number of pages. Does not decide whether they are a
//! paragraph or a heading.

use super::{
    block::{BlockKind, BodyStyle, Span},
    lines::Line,
    paragraphs::Paragraph,
};

/// Spans of the text of these lines. Each part has lines of one page, and the link targets of the page.
pub(crate) fn spans(
    parts: &[(&[Line], &[String])],
    kind: &BlockKind,
    body: &BodyStyle,
) -> Vec<Span> {
    let mut open: Option<Paragraph> = None;
    for (lines, links) in parts {
        for line in *lines {
            open.get_or_insert_with(|| Paragraph::of_kind(kind.clone(), line))
                .add(line, links, None);
        }
    }
    let mut spans = open.map_or_else(Vec::new, Paragraph::into_spans);
    let is_heading = matches!(kind, BlockKind::Heading(_));
    for span in &mut spans {
        span.style.bold &= !body.bold && !is_heading;
        span.style.fixed &= !body.fixed;
    }
    spans
}

/// Text of all spans.
pub(crate) fn text(spans: &[Span]) -> String {
    spans.iter().map(|span| &span.text[..]).collect()
}
