//! Helpers for tests: they represent sheets as text and collect rows in memory. Only compiled for tests.

use super::{
    cells::{Cells, Value},
    row::{Create, Open},
    sheet::{Sheet, View, Workbook},
};
use crate::{
    error::Result,
    job::{Notes, testing::with_job},
};
use std::io::Cursor;

/// Represents all sheets of a file as text, each row as its number and its cells. Numbers begin with `#`, booleans
/// with `?`, dates and times with `@`, errors with `!`. Each sheet after the first begins with its name.
pub(crate) fn drawn(open: Open, file: &[u8]) -> Result<String> {
    drawn_in(View::Exact, open, file)
}

/// Represents all sheets in a view. Reading begins again if necessary, as in a conversion.
pub(crate) fn drawn_in(view: View, open: Open, file: &[u8]) -> Result<String> {
    with_job(|job| {
        let mut input = Cursor::new(file);
        let mut workbook = open(job, &mut input, view)?;
        loop {
            match draw(&mut *workbook) {
                Err(_) if workbook.starts_over() => {}
                drawn => break drawn,
            }
        }
    })
}

fn draw(workbook: &mut dyn Workbook) -> Result<String> {
    let sheets = workbook.sheets().to_vec();
    let mut drawn = String::new();
    for (number, sheet) in sheets.iter().enumerate() {
        if number > 0 {
            let hidden = if sheet.hidden { " (hidden)" } else { "" };
            drawn += &format!("= {}{hidden}\n", sheet.name());
        }
        workbook.read(number, &mut |cells| {
            drawn += &row(cells);
            Ok(())
        })?;
    }
    Ok(drawn)
}

/// Returns the notes from reading a file.
pub(crate) fn notes(open: Open, file: &[u8]) -> Vec<String> {
    with_job(|job| {
        let mut input = Cursor::new(file);
        let mut workbook = open(job, &mut input, View::Exact).unwrap();
        for sheet in 0..workbook.sheets().len() {
            while let Err(error) = workbook.read(sheet, &mut |_| Ok(())) {
                assert!(workbook.starts_over(), "{error:?}");
            }
        }
        let mut notes = Notes::default();
        workbook.add_notes(&mut notes);
        notes.0
    })
}

fn row(cells: &Cells) -> String {
    let mut drawn = format!(
        "{}:{} ",
        cells.row + 1,
        if cells.hidden { "hidden" } else { "" }
    );
    let mut next = 0;
    for (column, value) in cells.iter() {
        let bars = column - next + u32::from(next > 0);
        drawn += &"|".repeat(bars as usize);
        drawn += match value {
            Value::Written(_) | Value::Text(_) => "",
            Value::Digits(_) | Value::Number(_) | Value::Shown(_) => "#",
            Value::Boolean(_) => "?",
            Value::Moment(_) => "@",
            Value::Error(_) => "!",
        };
        value.write(&mut drawn);
        next = column + 1;
    }
    let width = cells.width.unwrap_or(next);
    drawn += &"|".repeat(width.saturating_sub(next.max(1)) as usize);
    drawn.push('\n');
    drawn
}

/// Function that passes rows to its argument.
type Fill<'f> = dyn FnMut(&mut dyn FnMut(&Cells)) + 'f;

/// Writes a file of one sheet with the rows that `fill` passes on.
pub(crate) fn written(create: Create, fill: &mut Fill<'_>) -> Vec<u8> {
    with_job(|job| {
        let mut output = Cursor::new(Vec::new());
        let sheet = Sheet::default();
        let mut writer = create(job, &mut output, std::slice::from_ref(&sheet)).unwrap();
        writer.begin(&sheet).unwrap();
        fill(&mut |cells| writer.row(cells).unwrap());
        writer.end().unwrap();
        writer.finish(&mut Notes::default()).unwrap();
        output.into_inner()
    })
}

/// Writes a file of one sheet with a single row.
pub(crate) fn written_row(create: Create, values: &[Value<'_>]) -> Vec<u8> {
    written(create, &mut |write| {
        let mut cells = Cells::default();
        cells.begin(0);
        for (column, value) in values.iter().enumerate() {
            cells.push(column as u32, *value).unwrap();
        }
        write(&cells);
    })
}
