//! Runs of a line: their formatting, joining and trimming. Reads no blocks.

use super::{Run, Words};
use convertd_tree::Mark;

/// Adds a mark to the formatting of a run.
pub(super) fn with_mark(look: Run, mark: Mark) -> Run {
    let mut look = look;
    match mark {
        Mark::Emphasis => look.italic = true,
        Mark::Strong => look.bold = true,
        Mark::Strikethrough => look.struck = true,
        Mark::Underline => look.underlined = true,
        Mark::SmallCaps => look.small_caps = true,
        Mark::Superscript => look.raised = 1,
        Mark::Subscript => look.raised = -1,
        Mark::Highlight => look.highlighted = true,
    }
    look
}

/// Adds text as a run, or appends it to the last run if the formatting is the same.
pub(super) fn push(runs: &mut Vec<Run>, text: &str, look: &Run) {
    if let Some(last) = runs.last_mut()
        && let Words::Text(words) = &mut last.words
    {
        let own = std::mem::take(words);
        let same = *last
            == Run {
                words: Words::default(),
                ..look.clone()
            };
        if let Words::Text(words) = &mut last.words {
            *words = own;
            if same {
                words.push_str(text);
                return;
            }
        }
    }
    if !text.is_empty() {
        runs.push(Run {
            words: Words::Text(text.to_owned()),
            ..look.clone()
        });
    }
}

/// Removes white space at the beginning and the end of the runs from index `from` on.
pub(super) fn trim(runs: &mut Vec<Run>, from: usize) {
    let blank = |run: &Run| match &run.words {
        Words::Text(text) => text.trim().is_empty(),
        Words::Break => true,
    };
    while runs.len() > from && runs.last().is_some_and(blank) {
        runs.pop();
    }
    let first = runs[from..].iter().take_while(|run| blank(run)).count();
    runs.drain(from..from + first);
    if let Some(Words::Text(text)) = runs.get_mut(from).map(|run| &mut run.words) {
        *text = text.trim_start().to_owned();
    }
    if let Some(Words::Text(text)) = runs.last_mut().map(|run| &mut run.words) {
        text.truncate(text.trim_end().len());
    }
}
