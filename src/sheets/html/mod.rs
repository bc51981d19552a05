//! Tables of an HTML page as a workbook. Many web applications export such a page under a file name that ends in
//! `.xls`, with the extensions that Excel itself writes: `mso-number-format` in styles, `x:num` and `x:fmla` on cells,
//! names of sheets in a comment. Runs no scripts and fetches nothing.
//!
//! A page for Excel becomes one sheet, as in Excel: its tables below one another, with the text between them in rows
//! of their own. In other pages, and in pages that name a sheet for each table, each table becomes a sheet, and text
//! outside of tables is left out. A table with fewer cells than the tables nested in it only serves the layout and
//! does not become a sheet.
//!
//! ```text
//! text ──► dom, cascade ──► page (which tables) ──► table (which cells) ──► value, text, looks ──► shown::book::Book
//! ```

mod hints;
mod looks;
mod page;
mod table;
mod text;
mod value;

use super::{
    cells::{Cells, Value},
    formats::ROWS,
    ooxml::Styles,
    sheet::{Looks, MEMORY, Rows, Sheet, View, Workbook},
    shown::book::{self, Book, Line, MAX_CELLS},
};
use crate::{
    error::Result,
    format::Format,
    job::{Input, Job, Lease, Notes, Pair},
};
use convertd_markup::{dom, html::xhtml_page};
use convertd_pages::document;
use convertd_tree::{encoding::decode_html, input::read_all};

/// Approximate memory for each tag, in bytes: the styles and the cell of an element take twice as much, and half of all
/// tags are end tags. The tree has a lease of its own.
const TAG: u64 = 450;

/// First identifier of number formats that are not built in.
const FIRST_CODE: u32 = 1 << 16;

/// Conversions from HTML to sheets.
pub(super) fn pairs() -> impl Iterator<Item = Pair> {
    ROWS.iter().filter_map(|row| {
        let target = row.write.as_ref()?;
        Some(Pair {
            from: document::html_format(),
            to: &row.format,
            quality: target.quality,
            options: target.options,
        })
    })
}

/// Returns whether this module reads a format.
pub(super) fn is_source(format: &Format) -> bool {
    format == document::html_format()
}

/// An open page.
struct Page<'a> {
    /// Sheets with their formatting.
    book: Book,
    /// Names of the sheets.
    sheets: Vec<Sheet>,
    /// Number of cells in all sheets.
    cells: usize,
    /// Number formats of the cells.
    styles: Styles,
    /// Notes of the reader.
    notes: Notes,
    /// Memory of the workbook.
    _lease: Lease<'a>,
}

/// Reads the tables of a page.
///
/// Errors: the input cannot be read, the memory is not granted, or the job is cancelled.
pub(super) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    view: View,
) -> Result<Box<dyn Workbook + 'a>> {
    let (bytes, lease) = read_all(job, input, 4)?;
    let (text, syntax) = xhtml_page(decode_html(bytes));
    let tags = memchr::memchr_iter(b'<', text.as_bytes()).count() as u64;
    lease.set_exactly(2 * text.len() as u64 + tags * TAG)?;
    let mut notes = Notes::default();
    let hints = hints::Hints::of(&text);
    let room = job.empty_lease();
    let mut dom = dom::build_within(job, &text, syntax, &room)?;
    drop(text);
    let book = page::read(job, &mut dom, &hints, &mut notes)?;
    drop(dom);
    drop(room);
    job.reserve(MEMORY)?;
    let mut styles = Styles::new(view);
    for (number, style) in (FIRST_CODE..).zip(&book.styles) {
        styles.add_code(number, &style.format.code);
        styles.add_cell(number);
    }
    let lines = book.grids.iter().flat_map(|grid| &grid.rows);
    Ok(Box::new(Page {
        cells: lines.map(|line| line.cells.len()).sum(),
        sheets: book.grids.iter().map(|grid| grid.sheet.clone()).collect(),
        book,
        styles,
        notes,
        _lease: lease,
    }))
}

impl Page<'_> {
    /// Converts a row to values.
    fn row(&self, line: &Line, cells: &mut Cells) -> Result<()> {
        cells.begin(line.number);
        cells.hidden = line.hidden;
        let mut shown = String::new();
        for cell in &line.cells {
            let (style, text) = (cell.style as usize, cell.value.text());
            let value = match &cell.value {
                book::Value::Empty => continue,
                book::Value::Number(number) => {
                    (self.styles).number(style, *number, self.book.epoch, &mut shown)
                }
                book::Value::Text(_) | book::Value::Rich(_) => {
                    Value::Text(text.as_deref().unwrap_or_default())
                }
                book::Value::Boolean(is) => Value::Boolean(*is),
                book::Value::Error(code) => Value::Error(code),
            };
            self.styles.push(style, cell.column, value, cells)?;
        }
        Ok(())
    }
}

impl Workbook for Page<'_> {
    fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    fn read(&mut self, sheet: usize, rows: &mut Rows<'_>) -> Result<()> {
        let Some(grid) = self.book.grids.get(sheet) else {
            return Ok(());
        };
        let mut cells = Cells::default();
        for line in &grid.rows {
            self.row(line, &mut cells)?;
            if !cells.is_empty() {
                rows(&cells)?;
            }
        }
        Ok(())
    }

    fn shown(
        &mut self,
        sheets: &[usize],
        _: &mut convertd_tree::Builder<'_>,
        _: &mut Notes,
    ) -> Result<Looks> {
        if self.cells > MAX_CELLS {
            return Ok(Looks::TooMany);
        }
        let mut book = std::mem::take(&mut self.book);
        let grids = std::mem::take(&mut book.grids).into_iter().enumerate();
        let chosen = grids.filter(|(number, _)| sheets.contains(number));
        book.grids = chosen.map(|(_, grid)| grid).collect();
        Ok(Looks::Read(Box::new(book)))
    }

    fn add_notes(&mut self, notes: &mut Notes) {
        for note in std::mem::take(&mut self.notes).0 {
            notes.add(note);
        }
    }
}
