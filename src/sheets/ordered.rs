//! Rows in the order of their numbers, whatever the order is that a file has them in. Reads no cell.
//!
//! A file may have its rows in any order, though hardly any does, and a reader that streams cannot know before it meets one that comes
//! too late. It then ends with an error and [asks](super::sheet::Workbook::starts_over) for another round, in which all rows of a sheet
//! are kept until they are sorted. To look through every file beforehand would take a fifth of the time of a conversion to CSV.

use super::{cells::Cells, sheet::Rows};
use crate::{
    error::{Error, Kind, Result},
    job::{Job, Lease},
};

/// The memory that a row takes beside its text, and each of its cells, in bytes, about.
const ROW: u64 = 128;
const CELL: u64 = 32;

/// Passes on the rows of one sheet.
pub(crate) struct Ordered<'a, 'r, 'w> {
    rows: &'r mut Rows<'w>,
    /// The rows so far, if they are to be sorted.
    kept: Option<(Vec<Cells>, Lease<'a>)>,
    /// The lowest number that the next row may have.
    next: u32,
    /// Set once a row comes too late, so that the sheet has to be read again.
    sorts: &'r mut bool,
}

impl<'a, 'r, 'w> Ordered<'a, 'r, 'w> {
    /// Passes rows to `rows`: at once, or all at the end if it `sorts`, which is set if a row comes too late.
    pub(crate) fn new(job: &Job<'a>, sorts: &'r mut bool, rows: &'r mut Rows<'w>) -> Self {
        Self {
            rows,
            kept: sorts.then(|| (Vec::new(), job.empty_lease())),
            next: 0,
            sorts,
        }
    }

    /// Takes a row, whose cells need not be in order.
    ///
    /// Errors: those of the receiver; the row comes too late and is not sorted in.
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

    /// Passes on what is left. If a row is there twice, it has the cells of both; where both have one, the first counts.
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
