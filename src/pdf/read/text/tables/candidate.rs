//! A candidate for a table, with the lines that separate its cells. [`doubts`](super::doubts) decides whether it is a
//! table.

use super::{super::rules::Rule, columns::Gutters, rows::Row};

/// A candidate: its rows, and the lines that separate its cells. Coordinates are in points.
#[derive(Debug)]
pub(super) struct Aligned {
    pub(super) rows: Vec<Row>,
    pub(super) gutters: Gutters,
    /// Heights of horizontal rules across most of the table, including those just above and below the table.
    pub(super) rules: Vec<f32>,
    /// All horizontal rules inside.
    pub(super) parts: Vec<Rule>,
    /// Left and right edge.
    pub(super) x: (f32, f32),
    /// Top and bottom edge.
    pub(super) y: (f32, f32),
}

impl Aligned {
    /// Returns whether a rule at a height in this range covers more than half of the interval `x`.
    pub(super) fn is_ruled(&self, (from, to): (f32, f32), x: (f32, f32)) -> bool {
        self.parts.iter().any(|rule| {
            let shared = rule.to.min(x.1) - rule.from.max(x.0);
            rule.at > from && rule.at < to && 2.0 * shared > x.1 - x.0
        })
    }
}
