//! Merged ranges, indexed by their cells. A sheet may have a hundred thousand ranges, and each row looks up whether its
//! cells belong to one, so a linear search would take too long. Stores no values.

use super::range::Range;

/// Maximum number of strips. Ranges beyond it, which only damaged files have, count as not merged.
const MAX_ENTRIES: usize = 1 << 19;

/// Part of a merged range in one row or column: number of the row or column, and the first and last cell in it.
type Strip = (u32, u32, u32);

/// Merged ranges of a sheet, cut into strips: one for each row of a range that is at least as wide as high, and one for
/// each column of any other range. In a valid file, ranges do not overlap, so the only strip of a row or column that
/// may contain a cell is the last one that begins at or before the cell.
#[derive(Debug, Default)]
pub(super) struct Merged {
    rows: Vec<Strip>,
    columns: Vec<Strip>,
}

impl Merged {
    /// Indexes ranges.
    pub(super) fn new(ranges: &[Range]) -> Self {
        let mut merged = Self::default();
        for Range { first, last } in ranges {
            let left = MAX_ENTRIES.saturating_sub(merged.rows.len() + merged.columns.len());
            let height = last.0.saturating_sub(first.0);
            if height <= last.1.saturating_sub(first.1) {
                let rows = (first.0..=last.0).map(|row| (row, first.1, last.1));
                merged.rows.extend(rows.take(left));
            } else {
                let columns = (first.1..=last.1).map(|column| (column, first.0, last.0));
                merged.columns.extend(columns.take(left));
            }
        }
        merged.rows.sort_unstable();
        merged.columns.sort_unstable();
        merged
    }

    /// Returns whether a cell is in a merged range.
    pub(super) fn contains(&self, row: u32, column: u32) -> bool {
        let within = |strips: &[Strip], number: u32, place: u32| {
            let after = strips.partition_point(|strip| (strip.0, strip.1) <= (number, place));
            let strip = after.checked_sub(1).map(|at| strips[at]);
            strip.is_some_and(|(own, _, last)| own == number && place <= last)
        };
        within(&self.rows, row, column) || within(&self.columns, column, row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_in_ranges_of_any_shape() {
        let range = |first, last| Range { first, last };
        let ranges = [
            range((0, 0), (0, 3)),
            range((0, 5), (9, 5)),
            range((2, 0), (4, 2)),
            range((2, 3), (2, 4)),
            range((6, 0), (6, 0)),
        ];
        let merged = Merged::new(&ranges);
        for row in 0..12 {
            for column in 0..8 {
                let expected = ranges.iter().any(|range| range.contains(row, column));
                assert_eq!(merged.contains(row, column), expected, "{row} {column}");
            }
        }
    }

    #[test]
    fn a_sheet_of_damaged_ranges_has_a_limit() {
        let whole = Range {
            first: (0, 0),
            last: (1_048_575, 16_383),
        };
        let merged = Merged::new(&[whole; 40]);
        assert!(merged.rows.len() + merged.columns.len() <= MAX_ENTRIES);
        assert!(merged.contains(1_000_000, 16_000));
    }
}
