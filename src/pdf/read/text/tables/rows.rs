//! Rows of phrases. Does not find columns.

use super::{super::compare::by, words::Phrase};

/// Phrases on one line, from left to right.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) phrases: Vec<Phrase>,
    /// Baseline of the longest phrase, in points.
    pub(super) base: f32,
    /// Font size of the longest phrase, in points.
    pub(super) size: f32,
    /// Top and bottom edge, in points.
    pub(super) y: (f32, f32),
}

impl Row {
    /// Makes a row of phrases.
    pub(super) fn of(mut phrases: Vec<Phrase>) -> Self {
        phrases.sort_by(|a, b| by(a.x.0, b.x.0));
        let longest = phrases.iter().max_by_key(|phrase| phrase.len());
        let (base, size) = longest.map_or((0.0, 0.0), |phrase| (phrase.base, phrase.size));
        let edges =
            |(from, to): (f32, f32), phrase: &Phrase| (from.min(phrase.y.0), to.max(phrase.y.1));
        Self {
            y: phrases.iter().fold((f32::MAX, f32::MIN), edges),
            phrases,
            base,
            size,
        }
    }

    /// Left and right edge.
    pub(super) fn x(&self) -> (f32, f32) {
        let edges =
            |(from, to): (f32, f32), phrase: &Phrase| (from.min(phrase.x.0), to.max(phrase.x.1));
        self.phrases.iter().fold((f32::MAX, f32::MIN), edges)
    }
}

/// Groups phrases into rows, from top to bottom.
pub(super) fn rows(mut phrases: Vec<Phrase>) -> Vec<Row> {
    phrases.sort_by(|a, b| by(a.base, b.base));
    let mut rows: Vec<Vec<Phrase>> = Vec::new();
    for phrase in phrases {
        let first = rows.last().and_then(|row| row.first());
        // Baselines may differ by about a third of the font size, because raised letters are part of their row.
        let continues = first
            .is_some_and(|first| phrase.base - first.base < 0.35 * first.size.min(phrase.size));
        match rows.last_mut().filter(|_| continues) {
            Some(row) => row.push(phrase),
            None => rows.push(vec![phrase]),
        }
    }
    rows.into_iter().map(Row::of).collect()
}
