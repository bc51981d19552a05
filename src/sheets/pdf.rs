//! Tables of a PDF as sheets of a workbook. A PDF contains only texts, so numbers are recognised by their
//! notation, with the decimal separator that most of them use. Reads no text outside of tables.

use super::{
    cells::{Cells, Value},
    formats::ROWS,
    options,
    separators::Separators,
    sheet::{MEMORY, Rows, Sheet, View, Workbook},
    types,
};
use crate::{
    error::Result,
    format::Format,
    job::{Input, Job, Lease, Notes, OptionSpec, PASSWORD, Pair},
};
use convertd_pdf::read::tables::{self, Table};
use std::sync::LazyLock;

/// Approximate memory of a cell beside its text, in bytes.
const CELL: u64 = 64;

/// Options of each target, in the order of the targets.
static FIELDS: LazyLock<Vec<Vec<&OptionSpec>>> = LazyLock::new(|| {
    let targets = ROWS.iter().filter_map(|row| row.write.as_ref());
    let fields = targets.map(|target| {
        // A PDF has no number formats, so the option `values` has no meaning.
        let own = target
            .options
            .iter()
            .copied()
            .filter(|option| option.name != options::VALUES.name);
        let more = [
            &PASSWORD,
            #[cfg(feature = "ocr")]
            &convertd_scan::options::OCR,
            #[cfg(feature = "ocr")]
            &convertd_scan::options::LANGUAGE,
        ];
        own.chain(more).collect()
    });
    fields.collect()
});

/// Conversions from PDF to sheets.
pub(crate) fn pairs() -> Vec<Pair> {
    let targets = ROWS
        .iter()
        .filter_map(|row| Some((row, row.write.as_ref()?)));
    let pairs = targets
        .zip(FIELDS.iter())
        .map(|((row, target), options)| Pair {
            from: tables::format(),
            to: &row.format,
            quality: target.quality,
            options,
        });
    pairs.collect()
}

/// Returns whether this module reads a format.
pub(crate) fn is_source(format: &Format) -> bool {
    format == tables::format()
}

/// Reads the tables of a file.
///
/// Errors: those of [`tables::read`].
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    _: View,
) -> Result<Box<dyn Workbook + 'a>> {
    let mut notes = Notes::default();
    let (tables, language) = tables::read(job, input, &mut notes)?;
    let texts = tables.iter().flat_map(|table| &table.rows).flatten();
    let bytes: u64 = texts.map(|(_, text)| CELL + text.len() as u64).sum();
    let lease = job.lease(4 * bytes)?;
    // Replaces the reservation of the PDF reader, which has finished. This comes after the lease, so that lease and
    // reservation together never cover less than the memory in use.
    job.reserve(MEMORY)?;
    match tables.len() {
        0 => notes.add("No table was found in the PDF, so the result is empty."),
        1 => notes.add("1 table was found by its lines and the alignment of text; text outside of it was left out."),
        count => notes.add(format!(
            "{count} tables were found by their lines and the alignment of text, and each became a sheet; text outside of them was left out."
        )),
    }
    let sheets = (1..).zip(&tables).map(|(number, table)| Sheet {
        title: Some(format!("Table {number}, page {}", table.page)),
        hidden: false,
        chart: false,
    });
    let mut sheets: Vec<Sheet> = sheets.collect();
    // A workbook has at least one sheet, even an empty one.
    if sheets.is_empty() {
        sheets.push(Sheet::default());
    }
    let texts = tables.iter().flat_map(|table| &table.rows).flatten();
    let separators = Separators::of(texts.map(|(_, text)| text), language.as_deref());
    Ok(Box::new(Tables {
        tables,
        sheets,
        separators,
        notes,
        _lease: lease,
    }))
}

/// Tables of a PDF.
struct Tables<'a> {
    /// Tables in the order of the pages.
    tables: Vec<Table>,
    /// A sheet for each table, or an empty one.
    sheets: Vec<Sheet>,
    /// Decimal separator of the file's numbers.
    separators: Separators,
    /// Notes of the reader.
    notes: Notes,
    /// Memory of the tables.
    _lease: Lease<'a>,
}

impl Workbook for Tables<'_> {
    fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    fn read(&mut self, sheet: usize, rows: &mut Rows<'_>) -> Result<()> {
        let Some(table) = self.tables.get(sheet) else {
            return Ok(());
        };
        let mut cells = Cells::default();
        for (number, row) in (0..).zip(&table.rows) {
            cells.begin(number);
            for (column, text) in row {
                let plain = self.separators.plain(text);
                let number = plain.as_deref().and_then(types::number);
                cells.push(*column, number.map_or(Value::Text(text), Value::Number))?;
            }
            rows(&cells)?;
        }
        Ok(())
    }

    fn add_notes(&mut self, notes: &mut Notes) {
        for note in std::mem::take(&mut self.notes).0 {
            notes.add(note);
        }
    }
}
