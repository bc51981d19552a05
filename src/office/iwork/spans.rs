//! Reads which cells of a table span several rows or columns. Knows no content of cells.

use super::{kind, table::Table};
use crate::{containers::iwa::Message, error::Result, job::Lease};
use std::collections::HashMap;

/// Limit on the number of rows that merged ranges reach into, of all ranges together.
const MAX_ROWS: u64 = 100_000;

/// Memory of a merged range, and of its entry for each row, in bytes.
const RANGE: u64 = 128;
const ENTRY: u64 = 128;

/// Cells of a table that span several rows or columns.
pub struct Spans<'o> {
    /// Numbers of rows and columns by the places of the first cells.
    begin: HashMap<(u32, u32), (u16, u16)>,
    /// Merged ranges by the rows that they reach into: the first column, and that behind the last one.
    rows: HashMap<u32, Vec<(u32, u32)>>,
    lease: Lease<'o>,
}

impl<'o> Spans<'o> {
    /// Reads the merged ranges within the first columns and rows of a table.
    pub fn read(table: &Table<'o>, width: u32, height: u32) -> Result<Self> {
        let mut spans = Self {
            begin: HashMap::new(),
            rows: HashMap::new(),
            lease: table.job.empty_lease(),
        };
        let map = table.objects.of(table.store.reference(13), &[kind::MERGED]);
        let mut all = 0_u64;
        for range in map.iter().flat_map(|map| map.all(1)) {
            table.job.check()?;
            let Some([row, column, rows, columns]) = range_of(range) else {
                continue;
            };
            if row >= height || column >= width || spans.at(row, column).is_none() {
                continue;
            }
            let rows = rows.clamp(1, height - row);
            all = all.saturating_add(rows.into());
            if all > MAX_ROWS {
                break;
            }
            spans.add([row, column, rows, columns.clamp(1, width - column)])?;
        }
        Ok(spans)
    }

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

    /// Numbers of rows and columns of a cell. `None` if another one covers it.
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

/// Row and column of the first cell of a merged range, and numbers of rows and columns. Each pair is in one number of 32
/// bits.
fn range_of(range: Message<'_>) -> Option<[u32; 4]> {
    let pair = |field| {
        let pair = range.message(field)?.number(1)?;
        Some(((pair & 0xffff) as u32, (pair >> 16 & 0xffff) as u32))
    };
    let ((row, column), (rows, columns)) = (pair(1)?, pair(2)?);
    Some([row, column, rows, columns])
}
