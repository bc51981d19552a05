//! Positions of the visible rows or columns of a sheet, and page breaks between them. Does not depend on cells.

use std::{collections::BTreeSet, ops::Range};

/// Length by which the rows or columns of a page may exceed its room, in points. Allows for rounding.
const TOLERANCE: f32 = 0.05;

/// Visible rows or columns in order. A "place" is an index into this list, a "number" counts hidden ones, too.
#[derive(Debug, Default)]
pub(super) struct Axis {
    /// Row or column numbers, in ascending order.
    numbers: Vec<u32>,
    /// Start of each row or column, in points, followed by the end of the last one.
    starts: Vec<f64>,
}

impl Axis {
    /// Creates an axis from numbers and sizes in points. Rows or columns of size 0 are hidden.
    pub(super) fn new(sizes: impl Iterator<Item = (u32, f32)>) -> Self {
        let mut axis = Self {
            numbers: Vec::new(),
            starts: vec![0.0],
        };
        let mut end = 0.0;
        for (number, size) in sizes.filter(|(_, size)| *size > 0.0) {
            end += f64::from(size);
            axis.numbers.push(number);
            axis.starts.push(end);
        }
        axis
    }

    /// Places of all visible rows or columns between two numbers, both included.
    pub(super) fn places(&self, first: u32, last: u32) -> Range<usize> {
        let start = self.numbers.partition_point(|number| *number < first);
        let end = self.numbers.partition_point(|number| *number <= last);
        start..end.max(start)
    }

    /// Row or column number at a place.
    pub(super) fn number(&self, place: usize) -> u32 {
        self.numbers[place]
    }

    /// Start of a place, in points. The place after the last one starts where the last one ends.
    pub(super) fn start(&self, place: usize) -> f64 {
        self.starts[place.min(self.numbers.len())]
    }

    /// Size of a place, in points.
    pub(super) fn size(&self, place: usize) -> f32 {
        (self.start(place + 1) - self.start(place)) as f32
    }

    /// Total size of some places, in points.
    pub(super) fn extent(&self, places: &Range<usize>) -> f32 {
        (self.start(places.end) - self.start(places.start)) as f32
    }

    /// Start of a row or column by its number, in points. A hidden one starts where the next visible one does.
    pub(super) fn start_of(&self, number: u32) -> f64 {
        self.start(self.numbers.partition_point(|known| *known < number))
    }

    /// Distributes places among pages of a given room, in points. `breaks` are the numbers that begin a new page;
    /// `repeated` are the places of print titles, which take their room on each page after them.
    pub(super) fn divide(
        &self,
        places: Range<usize>,
        room: f32,
        breaks: &BTreeSet<u32>,
        repeated: &Range<usize>,
    ) -> Vec<Range<usize>> {
        let mut pages = Vec::new();
        let mut start = places.start;
        let mut left = f64::from(room + TOLERANCE);
        for place in places.clone() {
            let size = f64::from(self.size(place));
            let ends = breaks.contains(&self.number(place)) || size > left;
            if ends && place > start {
                pages.push(start..place);
                start = place;
                left = f64::from(room + TOLERANCE);
                if place >= repeated.end {
                    // Print titles leave room for at least one row, even if they fill the page.
                    let titles = f64::from(self.extent(repeated));
                    left = (left - titles).max(size);
                }
            }
            left -= size;
        }
        if start < places.end {
            pages.push(start..places.end);
        }
        pages
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_end_before_the_first_row_that_does_not_fit() {
        #[track_caller]
        fn check(breaks: &[u32], repeated: Range<usize>, expected: &[Range<usize>]) {
            let axis =
                Axis::new((0..6).map(|number| (number, if number == 2 { 0.0 } else { 10.0 })));
            let breaks = breaks.iter().copied().collect();
            assert_eq!(axis.divide(0..5, 25.0, &breaks, &repeated), expected);
        }
        check(&[], 0..0, &[0..2, 2..4, 4..5]);
        check(&[1], 0..0, &[0..1, 1..3, 3..5]);
        check(&[], 0..1, &[0..2, 2..3, 3..4, 4..5]);
        check(&[], 0..5, &[0..2, 2..4, 4..5]);
    }
}
