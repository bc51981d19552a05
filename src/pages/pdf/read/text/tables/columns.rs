//! The columns of lines of text: what stands between gaps that run through nearly all of them. Knows no rules but those that
//! run down.

use super::{
    super::compare::by,
    rows::Row,
    words::{Phrase, Word},
};

/// The narrowest gap between columns, as a share of the font size.
const NARROWEST: f32 = 0.3;

/// The share of the lines with a gap that may cross it elsewhere.
const CROSSING: f32 = 0.12;

/// The narrowest space at which a phrase that crosses a gap is split, as a share of the font size.
const SPLIT: f32 = 0.4;

/// The largest number of columns.
const MOST: usize = 80;

/// The gaps between columns, from left to right.
#[derive(Clone, Debug, Default)]
pub(super) struct Gutters(pub(super) Vec<(f32, f32)>);

/// A phrase and the columns that it covers, from the first to the last.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) phrase: Phrase,
    pub(super) first: usize,
    pub(super) last: usize,
}

impl Gutters {
    /// The gutters of some rows. `down` are the places of rules between columns.
    pub(super) fn of(rows: &[&Row], down: &[f32]) -> Self {
        let mut found = Self::through(rows, CROSSING.max(0.25));
        // Rows that span several columns, such as a head, do not count.
        let plain: Vec<&Row> = rows
            .iter()
            .copied()
            .filter(|row| found.crossings(row) <= 1)
            .collect();
        if plain.len() >= 3 || plain.len() == rows.len() {
            found = Self::through(&plain, CROSSING);
        }
        if found.0.len() > MOST {
            return Self::default();
        }
        for at in down.iter().take(MOST) {
            found.add(*at);
        }
        found.merge_narrow(&plain);
        found
    }

    fn through(rows: &[&Row], crossing: f32) -> Self {
        // Where gaps, and phrases, begin and end.
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
        let (mut gaps, mut covers) = (0, 0);
        let mut found: Vec<(f32, f32, i32)> = Vec::new();
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
                // The part that fewest phrases cross.
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
        // Parts that touch are one gutter: the one that fewest cross, and the widest of these.
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

    /// Adds a rule between columns, unless it stands in a gutter already.
    fn add(&mut self, at: f32) {
        let is_known = |gutter: &(f32, f32)| (gutter.0 - 1.0..=gutter.1 + 1.0).contains(&at);
        if !self.0.iter().any(is_known) {
            self.0.push((at - 0.1, at + 0.1));
            self.0.sort_by(|a, b| by(a.0, b.0));
        }
    }

    pub(super) fn columns(&self) -> usize {
        self.0.len() + 1
    }

    /// The column in which a place is.
    pub(super) fn column(&self, x: f32) -> usize {
        self.0
            .partition_point(|gutter| 0.5 * (gutter.0 + gutter.1) <= x)
    }

    /// The columns that a phrase covers.
    fn range(&self, phrase: &Phrase) -> (usize, usize) {
        let inset = 0.1 * phrase.size;
        let first = self
            .0
            .partition_point(|gutter| gutter.1 <= phrase.x.0 + inset);
        let last = self
            .0
            .partition_point(|gutter| gutter.0 < phrase.x.1 - inset);
        // A phrase that only reaches into a gutter does not cross it.
        let middle = self.column(phrase.middle());
        let is_crossed = |at: usize| {
            let gutter = self.0[at];
            phrase.x.0 < gutter.0 - inset.min(0.0) && phrase.x.1 > gutter.1
        };
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

    /// The phrases of a row in their columns. A phrase with a wide space in a gutter is split there.
    pub(super) fn place(&self, row: &Row) -> Vec<Placed> {
        let mut placed: Vec<Placed> = Vec::new();
        let mut waiting: Vec<Phrase> = row.phrases.iter().rev().cloned().collect();
        while let Some(phrase) = waiting.pop() {
            let (first, last) = self.range(&phrase);
            if let Some(at) = (first..last).find_map(|gutter| self.split_at(&phrase, gutter)) {
                let (before, behind) = phrase.split(at);
                waiting.push(behind);
                waiting.push(before);
                continue;
            }
            let own = self.column(phrase.middle());
            match placed.last_mut() {
                // Each is at least in the column that its middle is in.
                Some(other) if other.last >= first && self.column(other.phrase.middle()) < own => {
                    other.last = other.last.min(own - 1).max(other.first);
                    let first = other.last + 1;
                    placed.push(Placed {
                        phrase,
                        first,
                        last: last.max(first),
                    });
                }
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

    /// The number of the first word behind a gutter, if a phrase can be split there.
    fn split_at(&self, phrase: &Phrase, gutter: usize) -> Option<usize> {
        let gutter = self.0[gutter];
        (1..phrase.words.len()).find(|at| {
            let (before, behind) = (&phrase.words[at - 1], &phrase.words[*at]);
            let gap = (before.x.1, behind.x.0);
            let is_there = gap.0 <= gutter.1 && gap.1 >= gutter.0;
            let is_value = |words: &[Word]| {
                words
                    .iter()
                    .any(|word| word.text.contains(|c: char| c.is_numeric()))
            };
            let are_values = is_value(&phrase.words[..*at]) && is_value(&phrase.words[*at..]);
            is_there && (are_values || gap.1 - gap.0 > SPLIT * phrase.size)
        })
    }

    /// Removes gutters beside columns of signs that belong to a number: of currencies before it, of percents behind it; and
    /// those of columns that hold next to nothing.
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
