//! Reads workbooks record by record while the parts are being decompressed. Types of records are those of MS-XLSB
//! 2.3. Computes no formulas.

use super::{
    cells::{CELL_EMPTY, CELL_RICH, FORMULA_ERROR, ROW, cell},
    records::Records,
};
#[cfg(feature = "document")]
use crate::sheet::Looks;
use crate::{
    cells::{Cells, MAX_ROWS, TOO_MANY_ROWS},
    error::Result,
    job::{Input, Job, Notes},
    ooxml::{Package, Strings, Styles},
    ordered::Ordered,
    sheet::{MAX_SHEETS, Rows, Sheet, View, Workbook},
    stored::{Losses, Tables},
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
    tables: Tables,
    /// Whether the rows of a sheet are out of order and must be sorted.
    sorts: bool,
    /// Value of `sorts` when the conversion last began.
    sorted: bool,
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
        tables: Tables::new(strings, styles, epoch),
        sorts: false,
        sorted: false,
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
                CELL_EMPTY..=FORMULA_ERROR | CELL_RICH if has_row => {
                    let losses = &mut self.tables.losses;
                    if let Some(cell) = cell(job, cells.row, record, &mut text, losses)? {
                        let style = cell.style as usize;
                        (self.tables).push(style, cell.column, cell.value, &mut cells)?;
                    }
                }
                _ => {}
            }
        }
        rows.row(&mut cells)?;
        rows.finish()
    }

    fn starts_over(&mut self) -> bool {
        self.tables.losses = Losses::default();
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
            epoch: self.tables.epoch,
        };
        let book = super::shown::read(&mut self.package, &parts, build, notes)?;
        Ok(book.map_or(Looks::TooMany, |book| Looks::Read(Box::new(book))))
    }

    fn has_drawings(&mut self, sheet: usize) -> Result<bool> {
        self.package.has_drawings(self.parts.get(sheet))
    }

    fn add_notes(&mut self, notes: &mut Notes) {
        self.tables.losses.tell(notes);
    }
}
