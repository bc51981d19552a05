//! Data validation by rows. In ods each cell refers to its rule, even an empty cell, so rows differ where a rule
//! begins or ends. Writes nothing.

use crate::shown::book::{Grid, Range};

/// Maximum number of ranges of a sheet that are written.
const MAX_RANGES: usize = 4096;

/// First and last column of a rule, and the index of the rule.
pub(super) type Span = (u32, u32, usize);

/// Sweep over the rules of a sheet, from top to bottom.
pub(super) struct Bands {
    /// Ranges below the current row, sorted so that the next one to begin is at the end.
    waiting: Vec<(Range, usize)>,
    /// Ranges that contain the current row.
    active: Vec<(Range, usize)>,
    /// Spans of the current row without overlaps, from left to right.
    spans: Vec<Span>,
    /// First row below the current one with other spans.
    until: u32,
    /// Number of rows up to the end of all ranges.
    pub(super) end: u32,
}

impl Bands {
    /// Sorts the ranges of all rules by their first row.
    pub(super) fn of(grid: &Grid) -> Self {
        let all = grid.validations.iter().enumerate();
        let ranges =
            all.flat_map(|(number, rule)| rule.ranges.iter().map(move |one| (*one, number)));
        let mut waiting: Vec<(Range, usize)> = ranges.take(MAX_RANGES).collect();
        waiting.sort_by_key(|(range, number)| std::cmp::Reverse((range.first, *number)));
        let end = waiting.iter().map(|(range, _)| range.last.0 + 1).max();
        Self {
            waiting,
            active: Vec::new(),
            spans: Vec::new(),
            until: 0,
            end: end.unwrap_or(0),
        }
    }

    /// Spans of a row, and the first row below it with other spans. Rows must be visited in order.
    pub(super) fn at(&mut self, row: u32) -> (&[Span], u32) {
        if row >= self.until {
            self.advance(row);
        }
        (&self.spans, self.until)
    }

    /// Moves to a row: adds the ranges that begin there, drops those that have ended, and computes the spans.
    fn advance(&mut self, row: u32) {
        while self
            .waiting
            .last()
            .is_some_and(|(range, _)| range.first.0 <= row)
        {
            self.active.extend(self.waiting.pop());
        }
        self.active.retain(|(range, _)| range.last.0 >= row);
        let ends = self.active.iter().map(|(range, _)| range.last.0 + 1);
        let begins = self.waiting.last().map(|(range, _)| range.first.0);
        self.until = ends.chain(begins).min().unwrap_or(u32::MAX);
        let mut spans: Vec<Span> = (self.active.iter())
            .map(|(range, number)| (range.first.1, range.last.1, *number))
            .collect();
        spans.sort_unstable();
        self.spans.clear();
        let mut next = 0;
        // If ranges overlap, the one that begins further left wins.
        for (first, last, number) in spans {
            let first = first.max(next);
            if first <= last {
                self.spans.push((first, last, number));
                next = last + 1;
            }
        }
    }
}

/// Index of the rule that applies to a column.
pub(super) fn rule(spans: &[Span], column: u32) -> Option<usize> {
    let at = spans.partition_point(|(_, last, _)| *last < column);
    let (first, _, number) = spans.get(at)?;
    (*first <= column).then_some(*number)
}
