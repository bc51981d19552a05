//! The HTML elements for marks, also for marks in Markdown that have no Markdown syntax. Writes no text.

use convertd_tree::Mark;

/// The start and end tag for a mark.
pub fn mark_tags(mark: Mark) -> (&'static str, &'static str) {
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
