//! Marks of text as HTML elements, in HTML and where Markdown has no signs for them.

use crate::document::tree::Mark;

/// The tags around text with a mark.
pub(crate) fn mark_tags(mark: Mark) -> (&'static str, &'static str) {
    match mark {
        Mark::Emphasis => ("<em>", "</em>"),
        Mark::Strong => ("<strong>", "</strong>"),
        Mark::Strikethrough => ("<del>", "</del>"),
        Mark::Underline => ("<u>", "</u>"),
        Mark::SmallCaps => ("<span style=\"font-variant: small-caps\">", "</span>"),
        Mark::Superscript => ("<sup>", "</sup>"),
        Mark::Subscript => ("<sub>", "</sub>"),
        Mark::Highlight => ("<mark>", "</mark>"),
    }
}
