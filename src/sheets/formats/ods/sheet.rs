//! Reads the cells of a sheet (part 3, 9.1), row by row while the part is being decompressed.
//!
//! The trap is repetition. Rows and cells have a repeat count, which programs use to fill a sheet to its last row and
//! column, so a file of some hundred bytes may stand for a billion cells. Empty cells cost nothing here, and the
//! repetition of other cells is limited. Computes no formulas.

use super::{
    cell::{CellText, Stated, Type, count, is_hidden},
    styles::Styles,
};
use crate::{
    cells::{COLUMNS, Cells, MAX_ROWS, Value},
    containers::xml::{Element, Stream, Token},
    error::{Error, Kind, Result},
    job::Job,
    number::{Number, NumberStyle},
    sheet::Rows,
    stored::Stored,
};
use std::io::BufRead;

/// Maximum number of cells that repeated rows add to a sheet.
const MAX_REPEATED: u64 = 10_000_000;

/// Finder of sheets: `table:table` elements directly inside `office:spreadsheet`. Tables inside cells or in the list
/// of tracked changes do not count.
#[derive(Default)]
pub(super) struct Tables {
    /// Depth below `office:spreadsheet`. `None` outside of that element.
    depth: Option<usize>,
}

impl Tables {
    /// Returns whether the last token was inside of `office:spreadsheet`.
    pub(super) fn begun(&self) -> bool {
        self.depth.is_some()
    }

    /// Returns the element of the sheet that this token begins. `None` for all other tokens.
    pub(super) fn next<'t>(&mut self, token: &Token<'t>) -> Option<Element<'t>> {
        match token {
            Token::Start(element) => match &mut self.depth {
                Some(depth) => {
                    *depth += 1;
                    let table = element.space == "table" && element.name == "table";
                    (*depth == 1 && table).then_some(*element)
                }
                None => {
                    let all = element.space == "office" && element.name == "spreadsheet";
                    self.depth = all.then_some(0);
                    None
                }
            },
            Token::End(..) => {
                self.depth = self.depth.and_then(|depth| depth.checked_sub(1));
                None
            }
            Token::Text(_) => None,
        }
    }
}

/// The cell that is being read.
#[derive(Default)]
struct Open {
    stated: Stated,
    text: CellText,
    /// Number format.
    look: NumberStyle,
    /// Whether the cell is hidden behind a merged cell.
    covered: bool,
}

/// Number formats of the columns, for cells without a style: the column after each run, and its format.
type Columns = Vec<(u32, NumberStyle)>;

/// Content of a sheet that is not among its rows.
#[derive(Default)]
pub(super) struct LeftOut {
    /// Number of cells beyond the last column.
    pub(super) beyond: u64,
    /// Whether the sheet has charts, pictures or shapes.
    pub(super) has_drawings: bool,
}

/// Reads the rows of the sheet whose start tag was just read.
pub(super) fn read<R: BufRead>(
    job: &Job<'_>,
    xml: &mut Stream<'_, R>,
    styles: &Styles,
    rows: &mut Rows<'_>,
) -> Result<LeftOut> {
    let (mut cells, mut columns) = (Cells::default(), Columns::new());
    let mut open = Open::default();
    let (mut row, mut row_repeated, mut column) = (0_u32, 1, 0_u32);
    let (mut repeated_cells, mut left_out) = (0_u64, LeftOut::default());
    let (mut in_cell, mut in_paragraph) = (false, 0_u32);
    // Depth within an element that is skipped, or 0.
    let mut skipped = 0_u32;
    while let Some(token) = xml.next()? {
        if skipped > 0 {
            match token {
                Token::Start(_) => skipped += 1,
                Token::End(..) => skipped -= 1,
                Token::Text(_) => {}
            }
            continue;
        }
        match token {
            Token::Text(text) if in_paragraph > 0 => {
                open.text.add(text);
                open.text.check(job)?;
            }
            Token::Text(_) => {}
            Token::Start(element) => match (element.space, element.name) {
                ("table", "table-row") => {
                    row_repeated = count(&element, "number-rows-repeated");
                    column = 0;
                    cells.begin(row);
                    cells.hidden = is_hidden(&element);
                }
                ("table", "table-cell" | "covered-table-cell") if !in_cell => {
                    open.begin(&element, styles, &columns, column);
                    in_cell = true;
                }
                ("text", "p" | "h") if in_cell => {
                    open.text.begin_paragraph();
                    in_paragraph += 1;
                }
                _ if in_paragraph > 0 && open.text.add_element(&element).is_some() => {
                    open.text.check(job)?;
                }
                ("table", "table-column") => add_columns(&element, styles, &mut columns),
                (
                    "table",
                    "table-row-group"
                    | "table-rows"
                    | "table-header-rows"
                    | "table-column-group"
                    | "table-columns"
                    | "table-header-columns",
                ) => {}
                (space, name) => {
                    // Shapes are in cells, or in front of the rows if they are anchored to the sheet.
                    left_out.has_drawings |=
                        space == "draw" || (space, name) == ("table", "shapes");
                    skipped = 1;
                }
            },
            Token::End(space, name) => match (space, name) {
                ("text", "p" | "h") => in_paragraph = in_paragraph.saturating_sub(1),
                ("table", "table-cell" | "covered-table-cell") if in_cell => {
                    in_cell = false;
                    left_out.beyond += open.push(column, styles.shown(), &mut cells)?;
                    column = column.saturating_add(open.stated.repeated);
                }
                ("table", "table-row") => {
                    if !cells.is_empty() {
                        let more = u64::from(row_repeated - 1) * cells.iter().count() as u64;
                        repeated_cells = repeated_cells.saturating_add(more);
                        if repeated_cells > MAX_REPEATED
                            || row.saturating_add(row_repeated) > MAX_ROWS
                        {
                            return Err(Error::new(
                                Kind::BadInput,
                                "a sheet repeats a row too often: it has more than 10 million cells or 1,048,576 rows, the limits",
                            ));
                        }
                        for _ in 0..row_repeated {
                            rows(&cells)?;
                            cells.row += 1;
                        }
                    }
                    row = row.saturating_add(row_repeated);
                }
                ("table", "table") => return Ok(left_out),
                _ => {}
            },
        }
    }
    Ok(left_out)
}

/// Adds a run of columns with their number format.
fn add_columns(element: &Element<'_>, styles: &Styles, columns: &mut Columns) {
    let begin = columns.last().map_or(0, |(end, _)| *end);
    if begin < COLUMNS {
        let count = count(element, "number-columns-repeated");
        let style = element.attribute("default-cell-style-name");
        columns.push((begin.saturating_add(count), styles.style(style.as_deref())));
    }
}

impl Open {
    /// Begins a cell with its attributes. Its text follows in paragraphs.
    fn begin(&mut self, element: &Element<'_>, styles: &Styles, columns: &Columns, column: u32) {
        let (stated, style) = Stated::of(element);
        self.stated = stated;
        self.text.clear();
        self.covered = element.name != "table-cell";
        self.look = match (self.stated.kind, style) {
            (Type::Number | Type::Percent, Some(style)) => styles.style(Some(&style)),
            (Type::Number | Type::Percent, None) => {
                let at = columns.partition_point(|(end, _)| *end <= column);
                columns
                    .get(at)
                    .map_or_else(|| styles.style(None), |run| run.1)
            }
            _ => NumberStyle::General,
        };
    }

    /// Adds the cell to the row as often as it is repeated: its displayed text if `wants_shown`, or else its value.
    /// Returns the number of repetitions beyond the last column.
    fn push(&self, column: u32, wants_shown: bool, cells: &mut Cells) -> Result<u64> {
        let kind = self.stated.kind;
        if self.covered {
            return Ok(0);
        }
        let value = match self.stated.value(&self.text) {
            _ if wants_shown && kind.is_displayed() && self.text.paragraphs > 0 => {
                Value::Shown(&self.text.text)
            }
            Stored::Empty | Stored::Shared(_) => return Ok(0),
            Stored::Number(value) => Value::Number(Number {
                value,
                look: match (kind, self.look) {
                    (Type::Percent, NumberStyle::Percent(_)) | (Type::Number, _) => self.look,
                    _ => NumberStyle::Percent(0),
                },
            }),
            Stored::Moment(moment) => Value::Moment(moment),
            Stored::Boolean(is) => Value::Boolean(is),
            Stored::Error(error) => Value::Error(error),
            Stored::Text(text) => Value::Text(text),
        };
        if matches!(value, Value::Text("") | Value::Shown("")) {
            return Ok(0);
        }
        let all = column.saturating_add(self.stated.repeated);
        for column in column..all.min(COLUMNS) {
            cells.push(column, value)?;
        }
        Ok(u64::from(all - all.min(COLUMNS.max(column))))
    }
}
