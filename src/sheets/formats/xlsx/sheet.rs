//! Reads the cells of a sheet (ECMA-376 part 1, 18.3.1), row by row while the part is being decompressed.
//!
//! References of rows and cells (`r="B7"`) are optional: without one, a cell follows the previous one directly.
//! Nothing after `sheetData` is read. Formulas without a stored value are computed elsewhere.

use super::rich::Pictures;
use crate::{
    cells::{COLUMNS, Cells, MAX_ROWS, MAX_TEXT, TOO_MANY_ROWS, Value, reference},
    containers::xml::{Element, Stream, Token},
    error::Result,
    job::{Job, Notes},
    ooxml::{Strings, Styles, unescape},
    ordered::Ordered,
    time::{Epoch, Moment},
};
use std::io::BufRead;

/// Tables that the cells of all sheets refer to.
#[derive(Default)]
pub(super) struct Context {
    /// Shared strings.
    pub(super) strings: Strings,
    /// Number formats of the cell formats.
    pub(super) styles: Styles,
    /// Epoch of dates.
    pub(super) epoch: Epoch,
    /// Pictures in cells.
    pub(super) pictures: Pictures,
    /// Whether formulas without a stored value are computed. Set when the first one is met; the conversion then begins
    /// again, because a formula may refer to any cell of the workbook. Always false in a program without document
    /// formats.
    pub(super) computes: bool,
    /// Computed values of the current sheet.
    #[cfg(feature = "document")]
    pub(super) computed: crate::shown::compute::Values,
    /// Number of formulas without any value.
    pub(super) unknown: u64,
    /// Number of cells whose shared string is missing.
    pub(super) missing: u64,
    /// Number of cells beyond the last column.
    pub(super) beyond: u64,
    /// Number of cells that hold a picture.
    pub(super) with_picture: u64,
}

impl Context {
    /// Resets the counts for another pass.
    pub(super) fn start_over(&mut self) {
        (self.unknown, self.missing) = (0, 0);
        (self.beyond, self.with_picture) = (0, 0);
    }
}

/// The cell that is being read.
#[derive(Default)]
struct Open {
    /// Column, counted from 0.
    column: u32,
    /// Type of the value (`t`).
    kind: Kind,
    /// Index of the cell format (`s`).
    style: usize,
    /// Text of the value.
    value: String,
    /// Number of the cell's entry in the metadata part; empty if it has no entry.
    metadata: String,
    /// Whether the cell has a formula.
    formula: bool,
}

/// Type of a cell's value (18.18.11).
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Kind {
    /// A number, or a date as a serial number.
    #[default]
    Number,
    /// Index of a shared string.
    Shared,
    /// Text result of a formula.
    Text,
    /// Text in the cell itself.
    Inline,
    Boolean,
    /// Name of an error value.
    Error,
    /// Date in ISO 8601, which only the strict variant has.
    Date,
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
                    let at = begin_row(job, &element, row, &mut cells)?;
                    (row, column) = (at + 1, 0);
                }
                "c" if in_data => column = begin_cell(&element, column, &mut open) + 1,
                "v" if in_data => in_text = open.kind != Kind::Inline,
                "t" if in_data => in_text = open.kind == Kind::Inline,
                "rPh" => spoken += 1,
                "f" => open.formula = true,
                _ => {}
            },
            Token::End("s", name) => match name {
                "v" | "t" => in_text = false,
                "rPh" => spoken = spoken.saturating_sub(1),
                "c" if in_data && open.column < COLUMNS => {
                    end_cell(job, &open, context, &mut cells)?
                }
                "c" if in_data => context.beyond += 1,
                "row" if in_data => rows.row(&mut cells)?,
                "sheetData" => return Ok(()),
                _ => {}
            },
            Token::Start(_) | Token::End(..) => {}
        }
    }
    Ok(())
}

/// Begins a row. Returns its number, from 0.
fn begin_row(job: &Job<'_>, element: &Element<'_>, next: u32, cells: &mut Cells) -> Result<u32> {
    let (mut number, mut hidden) = (next, false);
    for (name, value) in element.attributes() {
        match name {
            "r" => {
                let stated = value.trim().parse::<u32>().ok();
                number = (stated.and_then(|number| number.checked_sub(1))).ok_or_else(|| {
                    job.unreadable(format!(
                        "a row has the number {value:.20}; rows are numbered from 1"
                    ))
                })?;
            }
            "hidden" => hidden = matches!(&*value, "1" | "true"),
            _ => {}
        }
    }
    if number >= MAX_ROWS {
        return Err(job.unreadable(TOO_MANY_ROWS));
    }
    cells.begin(number);
    cells.hidden = hidden;
    Ok(number)
}

/// Begins a cell. Returns its column.
fn begin_cell(element: &Element<'_>, next: u32, open: &mut Open) -> u32 {
    open.column = next;
    open.kind = Kind::Number;
    open.style = 0;
    open.formula = false;
    open.value.clear();
    open.metadata.clear();
    for (name, value) in element.attributes() {
        match name {
            "r" => {
                if let Some(stated) = column(&value) {
                    open.column = stated;
                }
            }
            "s" => open.style = value.trim().parse().unwrap_or(0),
            "vm" => open.metadata.push_str(&value),
            "t" => {
                open.kind = match &*value {
                    "s" => Kind::Shared,
                    "str" => Kind::Text,
                    "inlineStr" => Kind::Inline,
                    "b" => Kind::Boolean,
                    "e" => Kind::Error,
                    "d" => Kind::Date,
                    _ => Kind::Number,
                }
            }
            _ => {}
        }
    }
    open.column
}

/// Column of a reference. A reference beyond the last column becomes [`COLUMNS`], which is counted as a loss; if it
/// were ignored, the following cells would move to wrong columns.
pub(super) fn column(text: &str) -> Option<u32> {
    if let Some((column, _)) = reference(text) {
        return Some(column);
    }
    let digits = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let looks_like_one = digits.len() < text.len()
        && !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    looks_like_one.then_some(COLUMNS)
}

/// Adds a complete cell: its value by its type (ECMA-376 part 1, 18.18.11), in the number format of its style.
fn end_cell(job: &Job<'_>, open: &Open, context: &mut Context, cells: &mut Cells) -> Result<()> {
    let value = match open.kind {
        Kind::Text | Kind::Inline => &*open.value,
        _ => open.value.trim(),
    };
    let mut shown = String::new();
    if value.is_empty() {
        // Text results may be empty, so only a missing number counts as a missing value.
        if open.formula && open.kind == Kind::Number {
            return missing(job, open, context, cells);
        }
        return Ok(());
    }
    let value = match open.kind {
        Kind::Shared => {
            let text = value
                .parse()
                .ok()
                .and_then(|number| context.strings.get(number));
            let Some(text) = text else {
                context.missing += 1;
                return Ok(());
            };
            Value::Text(text)
        }
        Kind::Text | Kind::Inline => {
            let value = Value::Text(&unescape(value));
            return (context.styles).push(open.style, open.column, value, cells);
        }
        Kind::Boolean => Value::Boolean(matches!(value, "1" | "true")),
        Kind::Error => match context.pictures.get(&open.metadata) {
            Some(picture) => {
                context.with_picture += 1;
                if picture.text.is_empty() {
                    return Ok(());
                }
                Value::Text(&picture.text)
            }
            None => Value::Error(value),
        },
        Kind::Date => match date(value) {
            Some(moment) => context.styles.moment(open.style, moment, &mut shown),
            None => Value::Text(value),
        },
        Kind::Number => match value.parse::<f64>() {
            Ok(number) if number.is_finite() => {
                (context.styles).number(open.style, number, context.epoch, &mut shown)
            }
            _ => Value::Text(value),
        },
    };
    context.styles.push(open.style, open.column, value, cells)
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
    let mut shown = String::new();
    let value = match context.computed.get(&(cells.row, open.column)) {
        Some(book::Value::Number(number)) => {
            (context.styles).number(open.style, *number, context.epoch, &mut shown)
        }
        Some(book::Value::Text(text)) => Value::Text(text),
        Some(book::Value::Boolean(is)) => Value::Boolean(*is),
        Some(book::Value::Error(error)) => Value::Error(error),
        Some(book::Value::Empty | book::Value::Rich(_)) | None => {
            context.unknown += 1;
            return Ok(());
        }
    };
    context.styles.push(open.style, open.column, value, cells)
}

/// Counts a formula without a stored value. Formulas are computed only in builds with the feature `document`.
#[cfg(not(feature = "document"))]
fn missing(_: &Job<'_>, _: &Open, context: &mut Context, _: &mut Cells) -> Result<()> {
    context.unknown += 1;
    Ok(())
}

/// Parses a date of the strict variant, which may end in `Z` and in zeros.
pub(super) fn date(text: &str) -> Option<Moment> {
    let text = text.strip_suffix('Z').unwrap_or(text);
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => text,
    };
    Moment::parse(text).or_else(|| {
        let (whole, fraction) = text.split_once('.')?;
        Moment::parse(&format!("{whole}.{:0<3.3}", fraction))
    })
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

/// Adds a note about missing shared strings.
pub(super) fn note_missing(count: u64, notes: &mut Notes) {
    match count {
        0 => {}
        1 => notes.add("A cell is empty, because its shared string is missing.".to_owned()),
        _ => notes.add(format!(
            "{count} cells are empty, because their shared strings are missing."
        )),
    }
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
