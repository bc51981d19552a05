//! Reads workbooks with their styles: fonts, cell formats, sizes, page setups (MS-XLS 2.4). Conversions that need
//! only values use [`sheet`](super::sheet) instead.

mod cells;
mod charts;
mod conditions;
mod drawing;
mod globals;
mod links;
mod margin_art;
mod margins;
mod markup;
mod names;
mod objects;
mod print;
mod styles;
mod validations;

use self::objects::Objects;
use super::{records::Records, sheet::Context};
use crate::{
    biff::Shared,
    error::Result,
    formats::xlsx::shown::colours::Colours,
    job::Notes,
    sheet::Sheet,
    shown::{
        self,
        book::{Book, CELL, Grid, MAX_CELLS},
        header::Saved,
        measure,
    },
    stored::Losses,
};
use convertd_layout::faces::Faces;
use convertd_tree::Builder;

/// Reads sheets, each given by its index, its entry and its position in the stream. `None` if there are too many
/// cells.
pub(super) fn read(
    records: &mut Records<'_>,
    context: &Context,
    sheets: &[(usize, Sheet, u64)],
    build: &mut Builder<'_>,
    notes: &mut Notes,
) -> Result<Option<Book>> {
    let most = (records.job.input_len / 4).min(MAX_CELLS as u64);
    let formulas = Shared::memory(records.job.input_len);
    // The records of drawings stay in memory until all sheets are read.
    let memory = most * CELL + formulas + records.job.input_len;
    build.own_memory(memory)?;
    let mut book = Book {
        epoch: context.tables.epoch,
        saved: context.saved.as_deref().and_then(Saved::parse),
        ..Book::default()
    };
    records.seek(0);
    let globals = globals::read(records, context, &mut book, &mut |more| {
        build.own_memory(memory + more)
    })?;
    let colours = Colours {
        palette: book.palette.clone(),
        ..Colours::default()
    };
    let digit = measure::digit_width(&book.normal, &mut Faces::new());
    let (mut drawings, mut left_out) = (Vec::new(), 0);
    let (mut left, mut shared, mut losses) = (MAX_CELLS, Shared::default(), Losses::default());
    for (number, sheet, begin) in sheets {
        records.seek(*begin);
        let mut grid = Grid {
            sheet: sheet.clone(),
            ..Grid::default()
        };
        print::begin(&mut grid, digit);
        if sheet.chart {
            print::of_chart(records, &mut grid, context.texts)?;
            let place = grid.fill_page();
            drawings.push(Objects::of_chart(*begin, place));
            book.grids.push(grid);
            continue;
        }
        let mut reader = cells::Sheet {
            context,
            globals: &globals,
            digit,
            grid: &mut grid,
            left: &mut left,
            losses: &mut losses,
            shared: &mut shared,
            most_formulas: formulas,
            objects: Objects::default(),
            rules: conditions::Rules::default(),
        };
        if !reader.read(records)? {
            return Ok(None);
        }
        let objects = std::mem::take(&mut reader.objects);
        let rules = std::mem::take(&mut reader.rules);
        shared.clear();
        let (rules, unclear) = rules.finish(&conditions::Book {
            scope: &globals.scope,
            colours: &colours,
        });
        left_out += unclear + shown::conditions::apply(rules, &mut grid, &book);
        objects.comment(&mut grid);
        grid.add_anchors();
        globals.names.apply(*number, &mut grid);
        drawings.push(objects);
        book.grids.push(grid);
    }
    // Drawings come last, because charts take values from all sheets.
    for (at, objects) in drawings.iter().enumerate() {
        let mut drawing_context = drawing::DrawingContext {
            globals: &globals,
            palette: &book.palette,
            memory,
            build: &mut *build,
            notes: &mut *notes,
        };
        let pictures = drawing::read(records, objects, (&book.grids, at), &mut drawing_context)?;
        let in_margins = margins::read(
            &objects.margins,
            records.job.input_len,
            &mut drawing_context,
        )?;
        book.grids[at].pictures = pictures;
        book.grids[at].margin_pictures = in_margins;
    }
    shown::conditions::add_notes(left_out, notes);
    losses.tell(notes);
    let place = |number| sheets.iter().position(|(own, ..)| *own == number);
    book.names = globals.names.defined(&globals.scope, &place);
    Ok(Some(book))
}
