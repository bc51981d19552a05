//! A candidate for a table, with the lines that tell its cells. Whether it is one is decided by [`doubts`](super::doubts).

use super::{super::rules::Rule, columns::Gutters, rows::Row};

/// A table and what tells its cells.
#[derive(Debug)]
pub(super) struct Aligned {
    pub(super) rows: Vec<Row>,
    pub(super) gutters: Gutters,
    /// The places of the rules across, those above and below the table included.
    pub(super) rules: Vec<f32>,
    /// All rules across within it.
    pub(super) parts: Vec<Rule>,
    pub(super) x: (f32, f32),
    pub(super) y: (f32, f32),
}

impl Aligned {
    /// Whether there is a rule between two places down, below most of something.
    pub(super) fn is_ruled(&self, (from, to): (f32, f32), x: (f32, f32)) -> bool {
        self.parts.iter().any(|rule| {
            let shared = rule.to.min(x.1) - rule.from.max(x.0);
            rule.at > from && rule.at < to && 2.0 * shared > x.1 - x.0
        })
    }
}
