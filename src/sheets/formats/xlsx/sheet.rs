//! Reads the cells of a sheet (ECMA-376 part 1, 18.3.1), row by row while the part is being decompressed.
//!
//! Nothing after `sheetData` is read. Formulas without a stored value are computed elsewhere.

use super::{
    cells::{self, Cell, Kind},
    rich::Pictures,
};
use crate::{
    cells::{COLUMNS, Cells, MAX_TEXT},
    containers::xml::{Stream, Token},
    error::Result,
    job::{Job, Notes},
    ordered::Ordered,
    stored::{Losses, Stored, Tables},
};
use std::io::BufRead;

/// Data that the cells of all sheets need.
#[derive(Default)]
pub(super) struct Context {
    pub(super) tables: Tables,
    /// Pictures in cells.
    pub(super) pictures: Pictures,
    /// Whether formulas without a stored value are computed. Set when the first one is met; the conversion then begins
    /// again, because a formula may refer to any cell of the workbook. Always false in builds without the feature
    /// `document`.
    pub(super) computes: bool,
    /// Computed values of the current sheet.
    #[cfg(feature = "document")]
    pub(super) computed: crate::shown::compute::Values,
    /// Number of formulas without any value.
    pub(super) unknown: u64,
    /// Number of cells that hold a picture.
    pub(super) with_picture: u64,
}

impl Context {
    /// Resets the counts for another pass.
    pub(super) fn start_over(&mut self) {
        (self.unknown, self.with_picture) = (0, 0);
        self.tables.losses = Losses::default();
    }
}

/// The cell that is being read.
#[derive(Default)]
struct Open {
    cell: Cell,
    /// Text of the value.
    value: String,
    /// Whether the cell has a value, which may be empty.
    has_value: bool,
    /// Whether the cell has a formula.
    has_formula: bool,
}

/// Reads the rows of a sheet.
pub(super) fn read<R: BufRead>(
    job: &Job<'_>,
    xml: &mut Stream<'_, R>,
    context: &mut Context,
    rows: &mut Ordered<'_, '_, '_>,
) -> Result<()> {
    let mut cells = Cells::default();
    let mut open = Open::default();
    // Position of the next cell, unless the file states another one.
    let (mut row, mut column) = (0, 0);
    let (mut in_data, mut in_text, mut spoken) = (false, false, 0_u32);
    while let Some(token) = xml.next()? {
        match token {
            Token::Text(text) => {
                if in_text && spoken == 0 {
                    if open.value.len() + text.len() > MAX_TEXT {
                        return Err(job.unreadable("a cell holds more than 8 MiB of text"));
                    }
                    open.value.push_str(text);
                }
            }
            Token::Start(element) if element.space == "s" => match element.name {
                "sheetData" => in_data = true,
                "row" if in_data => {
                    let (at, hidden) =
                        cells::row(&element, row).map_err(|why| job.unreadable(why))?;
                    cells.begin(at);
                    cells.hidden = hidden;
                    (row, column) = (at + 1, 0);
                }
                "c" if in_data => {
                    open.cell.begin(&element, column);
                    column = open.cell.column + 1;
                    open.value.clear();
                    (open.has_value, open.has_formula) = (false, false);
                }
                "v" | "t" if in_data => {
                    in_text = (element.name == "t") == (open.cell.kind == Kind::Inline);
                    open.has_value |= in_text;
                }
                "rPh" => spoken += 1,
                "f" => open.has_formula = true,
                _ => {}
            },
            Token::End("s", name) => match name {
                "v" | "t" => in_text = false,
                "rPh" => spoken = spoken.saturating_sub(1),
                "c" if in_data && open.cell.column < COLUMNS => {
                    end_cell(job, &open, context, &mut cells)?
                }
                "c" if in_data => context.tables.losses.beyond += u64::from(open.has_value),
                "row" if in_data => rows.row(&mut cells)?,
                "sheetData" => return Ok(()),
                _ => {}
            },
            Token::Start(_) | Token::End(..) => {}
        }
    }
    Ok(())
}

/// Adds a complete cell.
fn end_cell(job: &Job<'_>, open: &Open, context: &mut Context, cells: &mut Cells) -> Result<()> {
    let Cell { kind, style, .. } = open.cell;
    let text = kind.text(&open.value);
    let value = match context.pictures.get(&open.cell.metadata) {
        Some(picture) => {
            // The stored value is only the error that older programs show.
            context.with_picture += 1;
            Stored::text(&picture.text)
        }
        None => match kind.value(&text) {
            value if !open.has_formula => value,
            value if open.has_value && value != Stored::Empty => value,
            _ => return missing(job, open, context, cells),
        },
    };
    (context.tables).push(style, open.cell.column, value, cells)
}

/// Adds the computed value of a formula without a stored one.
///
/// Errors: the first such formula ends the pass, so that the values are computed.
#[cfg(feature = "document")]
fn missing(job: &Job<'_>, open: &Open, context: &mut Context, cells: &mut Cells) -> Result<()> {
    use crate::shown::book;
    if !context.computes {
        context.computes = true;
        return Err(
            job.unreadable("it has formulas without values, which have to be computed first")
        );
    }
    let Cell { column, style, .. } = open.cell;
    let value = match context.computed.get(&(cells.row, column)) {
        Some(book::Value::Number(number)) => Stored::number(*number),
        Some(book::Value::Text(text)) => Stored::text(text),
        Some(book::Value::Boolean(is)) => Stored::Boolean(*is),
        Some(book::Value::Error(error)) => Stored::Error(error),
        Some(book::Value::Empty | book::Value::Rich(_)) | None => {
            context.unknown += 1;
            return Ok(());
        }
    };
    context.tables.push(style, column, value, cells)
}

/// Counts a formula without a stored value. Formulas are computed only in builds with the feature `document`.
#[cfg(not(feature = "document"))]
fn missing(_: &Job<'_>, _: &Open, context: &mut Context, _: &mut Cells) -> Result<()> {
    context.unknown += 1;
    Ok(())
}

/// Adds a note about formulas without a value.
pub(super) fn note_unknown(count: u64, notes: &mut Notes) {
    let (values, them) = match count {
        0 => return,
        1 => ("The value of a formula is".to_owned(), "it"),
        _ => (format!("The values of {count} formulas are"), "them"),
    };
    notes.add(format!(
        "{values} missing, because the program that wrote the file did not store {them} and the functions in {them} cannot be computed here; open the file and save it in a spreadsheet program."
    ));
}

/// Adds a note about pictures in cells.
pub(super) fn note_pictures(count: u64, notes: &mut Notes) {
    match count {
        0 => {}
        1 => notes.add(
            "The picture in a cell was replaced by its alternative text, or left out if it has none.".to_owned(),
        ),
        _ => notes.add(format!(
            "The pictures in {count} cells were replaced by their alternative texts, or left out if they have none."
        )),
    }
}
