//! Columns of lines of text, separated by gaps (gutters) that run through nearly all lines. Of the rules on the page,
//! only vertical ones are used.

use super::{
    super::compare::by,
    rows::Row,
    words::{Phrase, Word},
};

/// Smallest width of a gutter, in multiples of the font size.
const NARROWEST: f32 = 0.3;

/// Limit on the number of phrases across a gutter, as a fraction of the number of gaps in it.
const CROSSING: f32 = 0.12;

/// Smallest space at which a phrase across a gutter is split, in multiples of the font size.
const SPLIT: f32 = 0.4;

/// Limit on the number of columns.
const MAX: usize = 80;

/// Gutters between columns: left and right edge in points, from left to right.
#[derive(Clone, Debug, Default)]
pub(super) struct Gutters(pub(super) Vec<(f32, f32)>);

/// A phrase with the columns that it covers.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) phrase: Phrase,
    /// First column, from 0.
    pub(super) first: usize,
    /// Last column, from 0.
    pub(super) last: usize,
}

impl Gutters {
    /// Gutters of rows. `down` has the positions of vertical rules between columns.
    pub(super) fn of(rows: &[&Row], down: &[f32]) -> Self {
        // The first pass tolerates more crossings. It shows which rows span columns, and the second pass ignores these
        // rows.
        let mut found = Self::with_crossings(rows, CROSSING.max(0.25));
        // Rows that cross more than one gutter, such as headers, are ignored if at least three other rows remain.
        let plain: Vec<&Row> = rows
            .iter()
            .copied()
            .filter(|row| found.crossings(row) <= 1)
            .collect();
        if plain.len() >= 3 || plain.len() == rows.len() {
            found = Self::with_crossings(&plain, CROSSING);
        }
        if found.0.len() > MAX {
            return Self::default();
        }
        for at in down.iter().take(MAX) {
            found.add(*at);
        }
        found.merge_narrow(&plain);
        found
    }

    /// Finds intervals that few phrases cross: at most `crossing` times the number of gaps there. Sweeps from left to
    /// right over the ends of gaps and phrases.
    fn with_crossings(rows: &[&Row], crossing: f32) -> Self {
        // An event is a position, the change in the number of gaps, and the change in the number of phrases.
        let mut events: Vec<(f32, i32, i32)> = Vec::new();
        let mut size: Vec<f32> = Vec::new();
        for row in rows {
            size.push(row.size);
            for phrase in &row.phrases {
                events.push((phrase.x.0, 0, 1));
                events.push((phrase.x.1, 0, -1));
            }
            for pair in row.phrases.windows(2) {
                if pair[1].x.0 > pair[0].x.1 {
                    events.push((pair[0].x.1, 1, 0));
                    events.push((pair[1].x.0, -1, 0));
                }
            }
        }
        size.sort_by(|a, b| by(*a, *b));
        let size = size.get(size.len() / 2).copied().unwrap_or(10.0);
        events.sort_by(|a, b| by(a.0, b.0));
        // The numbers of gaps and phrases are constant between two events.
        let (mut gaps, mut covers) = (0, 0);
        let mut found: Vec<(f32, f32, i32)> = Vec::new();
        // A single gap may be chance. With up to three rows it counts, because they have few gaps.
        let least = if rows.len() <= 3 { 1 } else { 2 };
        for pair in events.windows(2) {
            gaps += pair[0].1;
            covers += pair[0].2;
            let (from, to) = (pair[0].0, pair[1].0);
            let may_cross = (crossing * gaps as f32).floor() as i32;
            if to <= from || gaps < least || covers > may_cross {
                continue;
            }
            match found.last_mut() {
                // An adjoining part with fewer crossings replaces the last part, and one with as many extends it.
                Some(last) if last.1 >= from => {
                    if covers < last.2 {
                        *last = (from, to, covers);
                    } else if covers == last.2 {
                        last.1 = to;
                    } else {
                        found.push((from, to, covers));
                    }
                }
                _ => found.push((from, to, covers)),
            }
        }
        // Of adjoining parts, the one with the fewest crossings is kept, and of equal parts the widest one.
        let mut gutters: Vec<(f32, f32, i32)> = Vec::new();
        for part in found {
            match gutters.last_mut() {
                Some(last) if part.0 <= last.1 + 0.01 => {
                    let is_better = (part.2, last.1 - last.0) < (last.2, part.1 - part.0);
                    if is_better {
                        *last = part;
                    }
                }
                _ => gutters.push(part),
            }
        }
        gutters.retain(|gutter| gutter.1 - gutter.0 >= NARROWEST * size);
        Self(
            gutters
                .into_iter()
                .map(|(from, to, _)| (from, to))
                .collect(),
        )
    }

    /// Adds a vertical rule as a gutter, unless the rule is inside a gutter.
    fn add(&mut self, at: f32) {
        let is_known = |gutter: &(f32, f32)| (gutter.0 - 1.0..=gutter.1 + 1.0).contains(&at);
        if !self.0.iter().any(is_known) {
            self.0.push((at - 0.1, at + 0.1));
            self.0.sort_by(|a, b| by(a.0, b.0));
        }
    }

    /// Number of columns.
    pub(super) fn columns(&self) -> usize {
        self.0.len() + 1
    }

    /// Column at a horizontal position.
    pub(super) fn column(&self, x: f32) -> usize {
        self.0
            .partition_point(|gutter| 0.5 * (gutter.0 + gutter.1) <= x)
    }

    /// First and last column that a phrase covers.
    fn range(&self, phrase: &Phrase) -> (usize, usize) {
        let inset = 0.1 * phrase.size;
        let first = self
            .0
            .partition_point(|gutter| gutter.1 <= phrase.x.0 + inset);
        let last = self
            .0
            .partition_point(|gutter| gutter.0 < phrase.x.1 - inset);
        // A phrase crosses a gutter only if it extends beyond both edges.
        let middle = self.column(phrase.middle());
        let is_crossed = |at: usize| {
            let gutter = self.0[at];
            phrase.x.0 < gutter.0 - inset.min(0.0) && phrase.x.1 > gutter.1
        };
        // The range extends from the column of the phrase's middle over all gutters that the phrase crosses.
        let (mut from, mut to) = (middle, middle);
        while from > first.min(middle) && is_crossed(from - 1) {
            from -= 1;
        }
        while to < last.max(middle) && is_crossed(to) {
            to += 1;
        }
        (from, to)
    }

    /// Number of gutters that the phrases of a row cross.
    pub(super) fn crossings(&self, row: &Row) -> usize {
        let crossed = |phrase: &Phrase| {
            let (first, last) = self.range(phrase);
            last - first
        };
        row.phrases.iter().map(crossed).sum()
    }

    /// Assigns the phrases of a row to columns. A phrase that crosses a gutter is split there if it has a wide space at
    /// the gutter, or a word with digits both before and after the gutter.
    pub(super) fn place(&self, row: &Row) -> Vec<Placed> {
        let mut placed: Vec<Placed> = Vec::new();
        let mut waiting: Vec<Phrase> = row.phrases.iter().rev().cloned().collect();
        while let Some(phrase) = waiting.pop() {
            let (first, last) = self.range(&phrase);
            if let Some(at) = (first..last).find_map(|gutter| self.split_at(&phrase, gutter)) {
                // Both parts are placed in turn, because the second part may cross further gutters.
                let (before, after) = phrase.split(at);
                waiting.push(after);
                waiting.push(before);
                continue;
            }
            let own = self.column(phrase.middle());
            match placed.last_mut() {
                // Each phrase keeps at least the column of its middle.
                Some(other) if other.last >= first && self.column(other.phrase.middle()) < own => {
                    other.last = other.last.min(own - 1).max(other.first);
                    let first = other.last + 1;
                    placed.push(Placed {
                        phrase,
                        first,
                        last: last.max(first),
                    });
                }
                // Phrases in the same column are united.
                Some(other) if other.last >= first => {
                    other.last = other.last.max(last);
                    other.phrase.append(phrase);
                }
                _ => placed.push(Placed {
                    phrase,
                    first,
                    last,
                }),
            }
        }
        placed
    }

    /// Index of the first word after a gutter at which a phrase can be split: the space there is wide, or both parts of
    /// the phrase contain digits.
    fn split_at(&self, phrase: &Phrase, gutter: usize) -> Option<usize> {
        let gutter = self.0[gutter];
        (1..phrase.words.len()).find(|at| {
            let (before, after) = (&phrase.words[at - 1], &phrase.words[*at]);
            let gap = (before.x.1, after.x.0);
            let overlaps = gap.0 <= gutter.1 && gap.1 >= gutter.0;
            let is_value = |words: &[Word]| {
                words
                    .iter()
                    .any(|word| word.text.contains(|c: char| c.is_numeric()))
            };
            let are_values = is_value(&phrase.words[..*at]) && is_value(&phrase.words[*at..]);
            overlaps && (are_values || gap.1 - gap.0 > SPLIT * phrase.size)
        })
    }

    /// Removes gutters beside columns that contain only signs, such as a currency sign before a number or a percent
    /// sign after it, and gutters beside columns that contain no phrase of their own.
    fn merge_narrow(&mut self, rows: &[&Row]) {
        let mut at = 0;
        while !self.0.is_empty() && at < self.columns() {
            let placed: Vec<Phrase> = rows
                .iter()
                .flat_map(|row| &row.phrases)
                .filter(|phrase| self.range(phrase) == (at, at))
                .cloned()
                .collect();
            let all = |signs: &str| {
                !placed.is_empty()
                    && placed
                        .iter()
                        .all(|phrase| phrase.text().chars().all(|c| signs.contains(c) || c == ' '))
            };
            let is_empty = placed.is_empty();
            // A sign before a number joins the column on its right. A sign after a number joins the column on its left.
            if all("$€£¥(") && at < self.0.len() {
                self.0.remove(at);
            } else if (all("%)*†‡§") || is_empty) && at > 0 {
                self.0.remove(at - 1);
            } else if is_empty {
                self.0.remove(0);
            } else {
                at += 1;
            }
        }
    }
}
