//! Reads which cells of a table span several rows or columns. Does not read the content of cells.

use super::{kind, table::Table};
use crate::{
    containers::iwa::Message,
    error::Result,
    job::{Job, Lease},
};
use std::collections::HashMap;

/// Limit on the total number of rows in all merged ranges.
const MAX_ROWS: u64 = 100_000;

/// Memory of the entry of a merged range in [`Spans::begin`], in bytes.
const RANGE: u64 = 128;
/// Memory of the entry of a merged range for one row in [`Spans::rows`], in bytes.
const ENTRY: u64 = 128;

/// Cells of a table that span several rows or columns.
pub struct Spans<'o> {
    /// Numbers of rows and columns in each merged range, by the row and column of its first cell.
    begin: HashMap<(u32, u32), (u16, u16)>,
    /// Columns of the merged ranges in each row: the first column of a range, and the column after its last column.
    rows: HashMap<u32, Vec<(u32, u32)>>,
    lease: Lease<'o>,
}

impl<'o> Spans<'o> {
    /// Reads the merged ranges in the first `height` rows and `width` columns of a table. Ranges that extend further
    /// are cut.
    pub fn read(table: &Table<'o>, width: u32, height: u32) -> Result<Self> {
        let map = table.objects.of(table.store.reference(13), &[kind::MERGED]);
        let ranges = map.iter().flat_map(|map| map.all(1)).filter_map(range_of);
        Self::of(table.job, ranges, width, height)
    }

    /// Collects the ranges that begin inside the table, in a cell that no earlier range covers. Stops at [`MAX_ROWS`].
    /// A range consists of its first row, first column, number of rows and number of columns.
    fn of(
        job: &'o Job<'o>,
        ranges: impl Iterator<Item = [u32; 4]>,
        width: u32,
        height: u32,
    ) -> Result<Self> {
        let mut spans = Self {
            begin: HashMap::new(),
            rows: HashMap::new(),
            lease: job.empty_lease(),
        };
        let mut all = 0_u64;
        for [row, column, rows, columns] in ranges {
            job.check()?;
            if row >= height || column >= width {
                continue;
            }
            // Ranges that are covered count towards the limit as well, because each of them costs a search.
            let rows = rows.clamp(1, height - row);
            all = all.saturating_add(rows.into());
            if all > MAX_ROWS {
                break;
            }
            let is_repeated = spans.begin.contains_key(&(row, column));
            if is_repeated || spans.at(row, column).is_none() {
                continue;
            }
            spans.add([row, column, rows, columns.clamp(1, width - column)])?;
        }
        Ok(spans)
    }

    /// Adds a merged range: its first row and column, and its numbers of rows and columns.
    fn add(&mut self, [row, column, rows, columns]: [u32; 4]) -> Result<()> {
        self.lease.grow(RANGE + ENTRY * u64::from(rows))?;
        let size = (rows as u16, columns as u16);
        self.begin.insert((row, column), size);
        for row in row..row + rows {
            let covered = self.rows.entry(row).or_default();
            covered.push((column, column + columns));
        }
        Ok(())
    }

    /// Returns the numbers of rows and columns that a cell spans. `None` if another cell covers it.
    pub fn at(&self, row: u32, column: u32) -> Option<(u16, u16)> {
        if let Some(span) = self.begin.get(&(row, column)) {
            return Some(*span);
        }
        let covered = self.rows.get(&row);
        let is_covered = covered.is_some_and(|ranges| {
            ranges
                .iter()
                .any(|(begin, end)| (*begin..*end).contains(&column))
        });
        (!is_covered).then_some((1, 1))
    }
}

/// Returns the row and column of the first cell of a merged range, and its numbers of rows and columns. Each pair is
/// stored in one number of 32 bits.
fn range_of(range: Message<'_>) -> Option<[u32; 4]> {
    let pair = |field| {
        let pair = range.message(field)?.number(1)?;
        Some(((pair & 0xffff) as u32, (pair >> 16 & 0xffff) as u32))
    };
    let ((row, column), (rows, columns)) = (pair(1)?, pair(2)?);
    Some([row, column, rows, columns])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::testing::with_job;

    /// Size of the table, in columns and rows.
    const SIZE: (u32, u32) = (300, 1000);

    /// A cell by its row and column, and the rows and columns that it spans.
    type Spanned = ((u32, u32), Option<(u16, u16)>);

    /// Checks the spans of cells.
    #[track_caller]
    fn check(ranges: &[[u32; 4]], cells: &[Spanned]) {
        with_job(|job| {
            let spans = Spans::of(job, ranges.iter().copied(), SIZE.0, SIZE.1).unwrap();
            for ((row, column), expected) in cells {
                assert_eq!(spans.at(*row, *column), *expected, "{row} {column}");
            }
        });
    }

    #[test]
    fn ranges_in_covered_cells_are_ignored() {
        let cells = [
            ((0, 1), Some((2, 3))),
            ((1, 3), None),
            ((1, 4), Some((1, 1))),
        ];
        check(&[[0, 1, 2, 3]], &cells);
        // A second range that begins in the same cell, and a range that begins in a covered cell.
        check(&[[0, 1, 2, 3], [0, 1, 9, 9], [1, 2, 5, 5]], &cells);
        // Ranges outside of the table, and a range that extends beyond the table.
        let (width, height) = SIZE;
        check(
            &[
                [height, 0, 2, 2],
                [0, width, 2, 2],
                [height - 1, width - 2, 9, 9],
            ],
            &[
                ((0, 0), Some((1, 1))),
                ((height - 1, width - 2), Some((1, 2))),
                ((height - 1, width - 1), None),
            ],
        );
    }

    #[test]
    fn ignored_ranges_count_towards_the_limit() {
        #[track_caller]
        fn check(range: impl Fn(u64) -> [u32; 4], most: u64) {
            let mut read = 0;
            let ranges = (0..10 * MAX_ROWS).map(|nth| {
                read = nth + 1;
                range(nth)
            });
            with_job(|job| Spans::of(job, ranges, SIZE.0, SIZE.1).map(drop)).unwrap();
            assert_eq!(read, most);
        }
        // The same range again and again, ranges in a covered row, and ranges of all rows.
        check(|_| [0, 0, 1, 2], MAX_ROWS + 1);
        check(
            |nth| match nth {
                0 => [0, 0, 1, SIZE.0],
                _ => [0, 1 + (nth % 200) as u32, 1, 1],
            },
            MAX_ROWS + 1,
        );
        check(
            |nth| [0, nth as u32 % SIZE.0, SIZE.1, 1],
            MAX_ROWS / 1000 + 1,
        );
    }
}
