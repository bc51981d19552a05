//! Texts of cells and of comments as paragraphs (part 3, 5.1.3). Knows no places.

use super::styles::Names;
use crate::{
    coding::escape::escaped,
    sheet::View,
    shown::{
        book::{Book, Cell, Comment, Link, Run, Value},
        text::Shown,
    },
};
use std::fmt::Write as _;

/// Tags between two paragraphs.
const PARAGRAPH_BREAK: &str = "</text:p><text:p>";

/// Content of the paragraphs of a cell, without the first start tag and the last end tag.
pub(super) fn words(book: &Book, cell: &Cell, names: &Names) -> String {
    let shown = match &cell.value {
        // The number format may add text, but the file stores only the cell's own.
        Value::Text(own) => Shown {
            runs: vec![Run {
                text: (&**own).into(),
                font: None,
            }],
            ..Shown::default()
        },
        _ => Shown::of(cell, &book.style(cell.style), book, View::Shown),
    };
    let mut words = String::new();
    for run in &shown.runs {
        let style = run.font.as_ref().map(|font| names.run(font));
        for (number, line) in run.text.split('\n').enumerate() {
            if number > 0 {
                words.push_str(PARAGRAPH_BREAK);
            }
            if let Some(style) = &style {
                let _ = write!(words, "<text:span text:style-name=\"{style}\">");
            }
            super::super::write::paragraphs(line, &mut words);
            if style.is_some() {
                words.push_str("</text:span>");
            }
        }
    }
    words
}

/// Writes the text as a link. Each of several paragraphs gets a link of its own.
pub(super) fn linked(words: &str, link: &Link, out: &mut String) {
    let title = match link.title.is_empty() {
        true => String::new(),
        false => format!(" office:title=\"{}\"", escaped(&link.title)),
    };
    let open = format!(
        "<text:p><text:a xlink:type=\"simple\" xlink:href=\"{}\"{title}>",
        escaped(&target(&link.target))
    );
    let words = words.replace(PARAGRAPH_BREAK, &format!("</text:a></text:p>{open}"));
    let _ = write!(out, "{open}{words}</text:a></text:p>");
}

/// Writes the comment of the open cell.
pub(super) fn annotation(comment: &Comment, out: &mut String) {
    out.push_str("<office:annotation office:display=\"false\">");
    if !comment.author.is_empty() {
        let _ = write!(out, "<dc:creator>{}</dc:creator>", escaped(&comment.author));
    }
    out.push_str("<text:p>");
    super::super::write::paragraphs(&comment.text, out);
    out.push_str("</text:p></office:annotation>");
}

/// Converts the target of a link. Within a workbook, a point separates sheet and cell, where Excel has an exclamation
/// mark.
fn target(target: &str) -> String {
    match target
        .strip_prefix('#')
        .and_then(|place| place.rsplit_once('!'))
    {
        Some((sheet, place)) => format!("#{sheet}.{place}"),
        None => target.to_owned(),
    }
}
