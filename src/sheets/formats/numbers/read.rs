//! Finds the tables of a document, and hands on their rows. The tables themselves are read in `office`.

use crate::{
    cells::{Cells, MAX_COLUMNS, MAX_ROWS, Value},
    containers::iwa::{Message, Objects},
    error::Result,
    job::{Input, Job, Notes},
    number::Number,
    sheet::{MAX_SHEETS, Rows, Sheet, View, Workbook},
};
use convertd_office::iwork::{self, Table, kind};

/// Type number of the objects that are sheets.
const SHEET: u64 = 2;

/// Number of the object that describes the document.
const DOCUMENT: u64 = 1;

/// Maximum length of a title, in characters.
const MAX_TITLE: usize = 255;

/// Memory of a formatted text while it is read, as a multiple of its bytes: the text, and a copy with other line
/// breaks. A byte that is not UTF-8 becomes three.
const TEXT_GROWTH: u64 = 8;

struct Document<'a> {
    job: &'a Job<'a>,
    objects: Objects<'a>,
    sheets: Vec<Sheet>,
    /// Object number of each sheet's table.
    tables: Vec<u64>,
    /// Number of cells whose values could not be read.
    unread: u64,
}

/// Opens the document. Each table becomes a sheet.
pub(super) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    _: View,
) -> Result<Box<dyn Workbook + 'a>> {
    let objects = Objects::read(job, input)?;
    let mut sheets = Vec::new();
    let mut tables = Vec::new();
    let Some((_, document)) = objects.get(DOCUMENT) else {
        return Err(job.unreadable("its root object, which refers to all others, is missing"));
    };
    for sheet in document.references(1).take(MAX_SHEETS) {
        let Some(sheet) = objects.of(sheet, &[SHEET]) else {
            continue;
        };
        let name = sheet.text(1).unwrap_or_default();
        let hidden = sheet.number(25) == Some(1);
        let own = tables_on(job, &objects, sheet)?;
        for (id, model) in &own {
            job.check()?;
            let table = model.text(8).unwrap_or_default();
            let title = match own.len() {
                1 => name.to_owned(),
                _ => format!("{name} - {table}"),
            };
            if sheets.len() < MAX_SHEETS {
                sheets.push(Sheet {
                    title: Some(title.chars().take(MAX_TITLE).collect()),
                    hidden,
                    chart: false,
                });
                tables.push(*id);
            }
        }
    }
    if sheets.is_empty() {
        return Err(job.unreadable("the document has no tables"));
    }
    Ok(Box::new(Document {
        job,
        objects,
        sheets,
        tables,
        unread: 0,
    }))
}

/// Finds the tables on a sheet. Returns them with their object numbers.
fn tables_on<'o>(
    job: &Job<'_>,
    objects: &'o Objects<'_>,
    sheet: Message<'o>,
) -> Result<Vec<(u64, Message<'o>)>> {
    let mut tables = Vec::new();
    for drawn in sheet.references(2) {
        job.check()?;
        let table = || {
            let info = objects.of(drawn, &[kind::TABLE_INFO])?;
            let number = Table::shown_by(objects, info)?;
            Some((number, objects.of(number, &[kind::TABLE])?))
        };
        tables.extend(table());
        if tables.len() == MAX_SHEETS {
            break;
        }
    }
    Ok(tables)
}

impl Workbook for Document<'_> {
    fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    fn read(&mut self, sheet: usize, rows: &mut Rows<'_>) -> Result<()> {
        let Some(number) = self.tables.get(sheet) else {
            return Ok(());
        };
        let Some(table) = Table::open(self.job, &self.objects, *number, MAX_ROWS)? else {
            return Ok(());
        };
        let width = table.width().min(MAX_COLUMNS.into()) as u32;
        let mut cells = Cells::default();
        let mut unread = 0_u64;
        for (row, info) in table.rows() {
            self.job.check()?;
            cells.begin(row);
            cells.width = Some(width);
            for (column, value) in table.cells(info, width) {
                self.job.check()?;
                let value = match value {
                    iwork::Value::Number(number) => Value::Number(Number::general(number)),
                    iwork::Value::Boolean(is) => Value::Boolean(is),
                    iwork::Value::Moment(moment) => Value::Moment(moment),
                    iwork::Value::Error => Value::Error(iwork::ERROR),
                    iwork::Value::Text(text) => Value::Text(text),
                    iwork::Value::Rich(storage) => {
                        let Some(storage) = self.objects.of(storage, kind::STORAGES) else {
                            continue;
                        };
                        let _room = self.job.lease(TEXT_GROWTH * storage.0.len() as u64)?;
                        let text = plain(storage);
                        cells.push(column, Value::Text(&text))?;
                        continue;
                    }
                    iwork::Value::Damaged => {
                        unread = unread.saturating_add(1);
                        continue;
                    }
                };
                cells.push(column, value)?;
            }
            rows(&cells)?;
        }
        self.unread = self.unread.saturating_add(unread);
        Ok(())
    }

    fn add_notes(&mut self, notes: &mut Notes) {
        notes.add("Only the values of the tables were converted; formats, formulas, charts, pictures and text boxes were left out.");
        if self.unread > 0 {
            notes.add(match self.unread {
                1 => "One cell could not be read.".to_owned(),
                cells => format!("{cells} cells could not be read."),
            });
        }
    }
}

/// Text of a cell without its formatting.
fn plain(storage: Message<'_>) -> String {
    let pieces = storage.all(3);
    let text: String = pieces
        .map(|piece| String::from_utf8_lossy(piece.0))
        .collect();
    // A line break is a separator of Unicode (U+2028 for lines, U+2029 for paragraphs) or a carriage return.
    text.replace(['\u{2028}', '\u{2029}', '\r'], "\n")
}
