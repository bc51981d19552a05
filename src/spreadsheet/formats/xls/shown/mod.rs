//! Reads workbooks as they are shown: fonts, cell formats, sizes, print set-up (MS-XLS 2.4). Reads only what a target shows that people
//! look at; values alone are read by [`sheet`](super::sheet).

mod cells;
mod links;
mod names;
mod print;
mod styles;

use super::{records::Records, sheet::Context};
use crate::{
    document::{layout::faces::Faces, tree::Builder},
    error::Result,
    spreadsheet::{
        sheet::Sheet,
        shown::{
            book::{Book, CELL, Grid, MAX_CELLS},
            measure,
        },
    },
};

/// Reads these sheets, with the positions at which they begin. `None` if there are too many cells to be shown with their looks.
pub(super) fn read(
    records: &mut Records<'_>,
    context: &Context,
    sheets: &[(usize, Sheet, u64)],
    build: &mut Builder<'_>,
) -> Result<Option<Book>> {
    let most = (records.job.input_len / 4).min(MAX_CELLS as u64);
    build.own_memory(context.memory + most * CELL)?;
    let mut book = Book {
        epoch: context.epoch,
        ..Book::default()
    };
    records.seek(0);
    let names = styles::read(records, context, &mut book)?;
    let digit = measure::digit_width(&book.normal, &mut Faces::new());
    let mut left = MAX_CELLS;
    for (number, sheet, place) in sheets {
        records.seek(*place);
        let mut grid = Grid {
            sheet: sheet.clone(),
            ..Grid::default()
        };
        print::begin(&mut grid, digit);
        let mut reader = cells::Sheet {
            context,
            digit,
            grid: &mut grid,
            left: &mut left,
        };
        if !reader.read(records)? {
            return Ok(None);
        }
        names.apply(*number, &mut grid);
        book.grids.push(grid);
    }
    Ok(Some(book))
}
