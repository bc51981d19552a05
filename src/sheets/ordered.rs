//! Sorting of rows, for readers of files whose rows may be in any order. Reads no cells.
//!
//! Few files have rows out of order, and a streaming reader notices this only at the first row that comes too late. It
//! then ends with an error and [asks](super::sheet::Workbook::starts_over) for a second pass, in which all rows of a
//! sheet are kept in memory and sorted. Checking every file beforehand would add a fifth to the time of a conversion to
//! CSV.

use super::{cells::Cells, sheet::Rows};
use crate::{
    error::{Error, Kind, Result},
    job::{Job, Lease},
};

/// Approximate memory of a row beside its text, in bytes.
const ROW: u64 = 128;
/// Approximate memory of a cell beside its text, in bytes.
const CELL: u64 = 32;

/// Passes on the rows of one sheet in order.
pub(crate) struct Ordered<'a, 'r, 'w> {
    /// Receiver of the rows.
    rows: &'r mut Rows<'w>,
    /// Rows so far, in the second pass. `None` in the first pass, which passes rows on immediately.
    kept: Option<(Vec<Cells>, Lease<'a>)>,
    /// Smallest permitted number of the next row.
    next: u32,
    /// Set when a row comes too late, so that the next pass sorts.
    sorts: &'r mut bool,
}

impl<'a, 'r, 'w> Ordered<'a, 'r, 'w> {
    /// Creates an object for one sheet. `sorts` selects the second pass; it is set if a row comes too late in the
    /// first.
    pub(crate) fn new(job: &Job<'a>, sorts: &'r mut bool, rows: &'r mut Rows<'w>) -> Self {
        Self {
            rows,
            kept: sorts.then(|| (Vec::new(), job.empty_lease())),
            next: 0,
            sorts,
        }
    }

    /// Takes a row. Its cells need not be in order.
    ///
    /// Errors: those of the receiver; [`Kind::BadInput`] if the row comes too late in the first pass.
    pub(crate) fn row(&mut self, cells: &mut Cells) -> Result<()> {
        if cells.is_empty() {
            return Ok(());
        }
        cells.sort();
        if let Some((kept, lease)) = &mut self.kept {
            lease.grow(ROW + CELL * cells.iter().count() as u64 + cells.text_len())?;
            kept.push(cells.clone());
            return Ok(());
        }
        if cells.row < self.next {
            *self.sorts = true;
            let text = format!(
                "row {} of a sheet comes after row {}",
                cells.row + 1,
                self.next
            );
            return Err(Error::new(Kind::BadInput, text));
        }
        self.next = cells.row + 1;
        (self.rows)(cells)
    }

    /// Passes on the kept rows. Rows with the same number are joined. If two of their cells are in the same column, the
    /// first one is kept.
    pub(crate) fn finish(self) -> Result<()> {
        let Some((mut kept, _lease)) = self.kept else {
            return Ok(());
        };
        kept.sort_by_key(|cells| cells.row);
        let mut kept = kept.into_iter().peekable();
        while let Some(mut cells) = kept.next() {
            while let Some(same) = kept.next_if(|next| next.row == cells.row) {
                cells.append(&same)?;
            }
            cells.sort();
            (self.rows)(&cells)?;
        }
        Ok(())
    }
}
