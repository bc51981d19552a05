//! Reads workbooks record by record while the parts are being decompressed. Types of records are those of MS-XLSB
//! 2.3. Computes no formulas.

use super::{
    kinds::{
        CELL_BOOLEAN, CELL_COMPRESSED, CELL_ERROR, CELL_NUMBER, CELL_RICH, CELL_SHARED, CELL_TEXT,
        FORMULA_BOOLEAN, FORMULA_ERROR, FORMULA_NUMBER, FORMULA_TEXT, ROW,
    },
    records::Records,
};
#[cfg(feature = "document")]
use crate::sheet::Looks;
use crate::{
    biff::{self, Record},
    cells::{COLUMNS, Cells, MAX_ROWS, TOO_MANY_ROWS, Value, tell_beyond},
    error::Result,
    job::{Input, Job, Notes},
    ooxml::{Package, Strings, Styles},
    ordered::Ordered,
    sheet::{MAX_SHEETS, Rows, Sheet, View, Workbook},
    time::Epoch,
};

/// A shared string (`BrtSSTItem`).
const SHARED_STRING: u16 = 19;
/// A number format (`BrtFmt`).
const FORMAT: u16 = 44;
/// A cell style (`BrtXF`).
const STYLE: u16 = 47;
/// End of the cells of a sheet (`BrtEndSheetData`).
const SHEET_DATA_END: u16 = 146;
/// Properties of the workbook, such as the epoch of dates (`BrtWbProp`).
const WORKBOOK_PROPERTIES: u16 = 153;
/// Name and part of a sheet (`BrtBundleSh`).
const SHEET: u16 = 156;
/// Beginning of the cell styles (`BrtBeginCellXFs`).
const CELL_STYLES: u16 = 617;
/// End of the cell styles (`BrtEndCellXFs`).
const CELL_STYLES_END: u16 = 618;

/// An open workbook.
struct Book<'a> {
    package: Package<'a>,
    /// Name of the workbook part.
    #[cfg_attr(not(feature = "document"), allow(dead_code))]
    workbook: String,
    /// Sheets in the order of the workbook.
    sheets: Vec<Sheet>,
    /// Name of each sheet's part.
    parts: Vec<String>,
    /// Shared strings.
    strings: Strings,
    /// Number formats of the cell styles.
    styles: Styles,
    /// Epoch of dates.
    epoch: Epoch,
    /// Whether the rows of a sheet are out of order and must be sorted.
    sorts: bool,
    /// Value of `sorts` when the conversion last began.
    sorted: bool,
    /// Number of cells beyond the last column.
    beyond: u64,
}

/// Opens a workbook: lists the sheets with their parts, and reads shared strings and styles. Cells are read later,
/// sheet by sheet.
pub(super) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    view: View,
) -> Result<Box<dyn Workbook + 'a>> {
    let mut package = Package::open(job, input)?;
    let workbook = package.workbook("xl/workbook.bin")?;
    let references = package.references(&workbook)?;
    let (mut sheets, mut parts, mut epoch) = (Vec::new(), Vec::new(), Epoch::default());
    let mut records = Records::new(job, package.bytes(&workbook)?);
    while let Some(record) = records.next()? {
        match record.kind {
            WORKBOOK_PROPERTIES if record.u32(0) & 1 != 0 => epoch = Epoch::From1904,
            SHEET if sheets.len() < MAX_SHEETS => {
                let (mut id, mut name) = (String::new(), String::new());
                let end = record.text(8, &mut id);
                let named = end.and_then(|end| record.text(end, &mut name));
                let part = references.iter().find(|one| one.id == id);
                // Dialog sheets and macro sheets have no cells to convert.
                let kinds = ["worksheet", "chartsheet"];
                let part = part.filter(|one| kinds.contains(&&*one.kind) && named.is_some());
                if let Some(part) = part {
                    parts.push(part.target.clone());
                    sheets.push(Sheet {
                        title: Some(name.chars().take(255).collect()),
                        hidden: record.u32(0) != 0,
                        chart: part.kind == "chartsheet",
                    });
                }
            }
            _ => {}
        }
    }
    drop(records);
    if sheets.is_empty() {
        return Err(job.unreadable("it has no sheet with cells"));
    }
    let mut styles = Styles::new(view);
    if let Some((part, _)) = package.part("styles", &references) {
        let mut records = Records::new(job, package.bytes(&part)?);
        read_styles(&mut records, &mut styles)?;
    }
    let mut strings = Strings::default();
    if let Some((part, size)) = package.part("sharedStrings", &references) {
        package.grow(Strings::memory(size))?;
        strings = Strings::with_capacity(size);
        let mut records = Records::new(job, package.bytes(&part)?);
        let mut text = String::new();
        while let Some(record) = records.next()? {
            if record.kind == SHARED_STRING {
                text.clear();
                // A flags byte precedes the text.
                if record.text(1, &mut text).is_none() {
                    return Err(job.unreadable("a shared string is damaged"));
                }
                strings.open(&text);
                if !strings.push() {
                    return Err(job.unreadable("its shared strings are longer than 4 GiB"));
                }
            }
        }
    }
    Ok(Box::new(Book {
        package,
        workbook,
        sheets,
        parts,
        strings,
        styles,
        epoch,
        sorts: false,
        sorted: false,
        beyond: 0,
    }))
}

/// Reads number formats and cell formats. All other records of the styles part are skipped.
fn read_styles<R: std::io::BufRead>(
    records: &mut Records<'_, R>,
    styles: &mut Styles,
) -> Result<()> {
    let mut in_cells = false;
    while let Some(record) = records.next()? {
        match record.kind {
            FORMAT => {
                let mut code = String::new();
                record.text(2, &mut code);
                styles.add_code(record.u16(0).into(), &code);
            }
            CELL_STYLES => in_cells = true,
            CELL_STYLES_END => in_cells = false,
            STYLE if in_cells => styles.add_cell(record.u16(2).into()),
            _ => {}
        }
    }
    Ok(())
}

impl Workbook for Book<'_> {
    fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    fn read(&mut self, sheet: usize, rows: &mut Rows<'_>) -> Result<()> {
        let part = self.parts.get(sheet).map_or("", String::as_str);
        let job = self.package.job;
        let mut records = Records::new(job, self.package.bytes(part)?);
        let mut rows = Ordered::new(job, &mut self.sorts, rows);
        let mut cells = Cells::default();
        let mut text = String::new();
        let mut has_row = false;
        while let Some(record) = records.next()? {
            match record.kind {
                ROW => {
                    let row = record.u32(0);
                    if row >= MAX_ROWS {
                        return Err(job.unreadable(TOO_MANY_ROWS));
                    }
                    rows.row(&mut cells)?;
                    has_row = true;
                    cells.begin(row);
                    cells.hidden = record.u8(11) & 0x10 != 0;
                }
                SHEET_DATA_END => break,
                CELL_COMPRESSED..=FORMULA_ERROR | CELL_RICH if has_row => {
                    text.clear();
                    let column = record.u32(0);
                    if column >= COLUMNS {
                        self.beyond += 1;
                        continue;
                    }
                    let style = (record.u32(4) & 0xff_ffff) as usize;
                    let value = match record.kind {
                        CELL_COMPRESSED => {
                            let value = biff::compressed(record.u32(8));
                            Some((self.styles).number(style, value, self.epoch, &mut text))
                        }
                        CELL_NUMBER | FORMULA_NUMBER => {
                            Some((self.styles).number(style, record.f64(8), self.epoch, &mut text))
                        }
                        CELL_BOOLEAN | FORMULA_BOOLEAN => Some(Value::Boolean(record.u8(8) != 0)),
                        CELL_ERROR | FORMULA_ERROR => Some(Value::Error(biff::error(record.u8(8)))),
                        CELL_TEXT | FORMULA_TEXT => string(record, 8, &mut text),
                        CELL_RICH => string(record, 9, &mut text),
                        CELL_SHARED => self.strings.get(record.u32(8) as usize).map(Value::Text),
                        _ => None,
                    };
                    let value = value.ok_or_else(|| {
                        job.unreadable(format!("a cell in row {} is damaged", cells.row + 1))
                    })?;
                    self.styles.push(style, column, value, &mut cells)?;
                }
                _ => {}
            }
        }
        rows.row(&mut cells)?;
        rows.finish()
    }

    fn starts_over(&mut self) -> bool {
        self.beyond = 0;
        std::mem::replace(&mut self.sorted, self.sorts) != self.sorts
    }

    #[cfg(feature = "document")]
    fn shown(
        &mut self,
        sheets: &[usize],
        build: &mut convertd_tree::Builder<'_>,
        notes: &mut Notes,
    ) -> Result<Looks> {
        let wanted = sheets.iter().filter_map(|at| {
            let sheet = self.sheets.get(*at)?.clone();
            Some((sheet, self.parts.get(*at)?.as_str()))
        });
        let parts = super::shown::Parts {
            workbook: &self.workbook,
            sheets: wanted.collect(),
            epoch: self.epoch,
        };
        let book = super::shown::read(&mut self.package, &parts, build, notes)?;
        Ok(book.map_or(Looks::TooMany, |book| Looks::Read(Box::new(book))))
    }

    fn has_drawings(&mut self, sheet: usize) -> Result<bool> {
        self.package.has_drawings(self.parts.get(sheet))
    }

    fn add_notes(&mut self, notes: &mut Notes) {
        tell_beyond(self.beyond, notes);
    }
}

/// Value of a text cell, whose text is at an offset.
fn string<'t>(record: Record<'_>, at: usize, text: &'t mut String) -> Option<Value<'t>> {
    record.text(at, text)?;
    Some(Value::Text(text))
}
