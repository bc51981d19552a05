//! Removes running headers and footers: text in the same position on page after page. A single page is never enough to tell.

use super::{
    blocks::Page,
    figures::Figure,
    letters::Thing,
    lines::{Line, by},
};
use std::collections::{HashMap, HashSet};

/// Removes what the file marks as artifacts, and what most pages have in common: lines at the top and bottom edge, whatever
/// numbers they hold, and pictures.
pub(super) fn leave_out(pages: &mut [Page]) -> usize {
    let key = |line: &Line, figures: &[Figure]| {
        let text: String = match line.thing {
            Some(Thing::Figure(at)) => format!("\u{0}{}", figures[usize::from(at)].file),
            _ => line
                .text
                .chars()
                .map(|c| if c.is_numeric() { '#' } else { c })
                .collect(),
        };
        (text.replace("##", "#"), line.y.round() as i32)
    };
    let mut known: HashMap<(String, i32), usize> = HashMap::new();
    for page in pages.iter() {
        for at in repeatable(&page.lines) {
            *known
                .entry(key(&page.lines[at], &page.figures))
                .or_default() += 1;
        }
    }
    let least = (pages.len() / 2).max(3);
    let mut left_out = 0;
    for page in pages {
        let repeatable = repeatable(&page.lines);
        let mut at = 0;
        page.lines.retain(|line| {
            let may_repeat = repeatable.contains(&at);
            at += 1;
            let count = may_repeat.then(|| known.get(&key(line, &page.figures)));
            let repeats = count.flatten().is_some_and(|count| *count >= least);
            left_out += usize::from(repeats && !line.artifact);
            !repeats && !line.artifact
        });
    }
    left_out
}

/// The indices of the two highest and the two lowest lines of a page, and of all its pictures.
fn repeatable(lines: &[Line]) -> HashSet<usize> {
    let is_text = |at: &usize| lines[*at].thing.is_none();
    let mut order: Vec<usize> = (0..lines.len()).filter(is_text).collect();
    order.sort_by(|a, b| by(lines[*a].y, lines[*b].y));
    let is_figure = |at: &usize| matches!(lines[*at].thing, Some(Thing::Figure(_)));
    let highest = order.iter().copied().take(2);
    let lowest = order.iter().copied().rev().take(2);
    let figures = (0..lines.len()).filter(is_figure);
    highest.chain(lowest).chain(figures).collect()
}
