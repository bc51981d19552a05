//! Workbooks of Excel 2, 3 and 4 (BIFF2 to BIFF4), which are sequences of records without a compound file: values,
//! number formats and hidden rows. Reads no fonts and no colours.
//!
//! A file contains one sheet or, since Excel 4, several, each after a record with its name. Microsoft never
//! published these versions; the source for this reader is OpenOffice's "Documentation of the Microsoft Excel File
//! Format" (sections 4 and 5). The versions differ in the size of a cell's attributes and of the length of a text.
//! Number formats are numbered in file order.

use super::{cells, strings::Texts};
use crate::{
    biff::{self, RECORDS_PER_CHECK, Record},
    cells::Cells,
    error::{Error, Kind, Reason, Result},
    job::{Input, Job, Lease, Notes},
    ooxml::{Strings, Styles},
    sheet::{MAX_SHEETS, Rows, Sheet, View, Workbook},
    stored::{Stored, Tables},
    time::Epoch,
};
use encoding_rs::WINDOWS_1252;
use std::{collections::BTreeMap, io::SeekFrom};

// Types of records.
/// Cell with an integer, in version 2 only (`INTEGER`).
const INTEGER: u16 = 0x02;
/// Properties of a row (`ROW`).
const ROW: u16 = 0x08;
/// End of a substream (`EOF`).
const END: u16 = 0x0a;
/// Number format (`FORMAT`).
const FORMAT: u16 = 0x1e;
/// Epoch of dates (`DATEMODE`).
const DATE_MODE: u16 = 0x22;
/// Beginning of an encrypted file (`FILEPASS`).
const PASSWORD: u16 = 0x2f;
/// Code page of the texts (`CODEPAGE`).
const CODE_PAGE: u16 = 0x42;
/// Name of a sheet in a workbook of version 4 (`SHEETHDR`).
const NAME: u16 = 0x8f;
/// Number format from version 4 on (`FORMAT`).
const LATE_FORMAT: u16 = 0x41e;
/// Cell with a number in four bytes (`RK`).
const COMPRESSED: u16 = 0x27e;

/// Type of a substream in its first record: a sheet with cells.
const CELLS: u16 = 0x10;

/// An open workbook.
struct Book<'a> {
    job: &'a Job<'a>,
    /// The whole file.
    data: Vec<u8>,
    /// Sheets in file order.
    sheets: Vec<Sheet>,
    /// Offset of each sheet's first record after its BOF record.
    places: Vec<usize>,
    tables: Tables,
    /// Decoder of the texts.
    texts: Texts,
    _lease: Lease<'a>,
}

/// Opens a file that begins with a BOF record instead of a compound file.
pub(super) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    view: View,
) -> Result<Box<dyn Workbook + 'a>> {
    let lease = job.lease(job.input_len)?;
    let mut data = Vec::new();
    let read = input.seek(SeekFrom::Start(0));
    read.and_then(|_| input.read_to_end(&mut data))
        .map_err(|err| job.unreadable(err))?;
    let mut book = Book {
        job,
        data: Vec::new(),
        sheets: Vec::new(),
        places: Vec::new(),
        tables: Tables::new(Strings::default(), Styles::new(view), Epoch::default()),
        texts: Texts::Encoded(WINDOWS_1252),
        _lease: lease,
    };
    let (mut at, mut name, mut formats) = (0, None, 0);
    let mut cells = Vec::new();
    while let Some((record, end)) = next(&data, at) {
        match record.kind {
            kind if is_begin(kind) && record.u16(2) == CELLS && book.sheets.len() < MAX_SHEETS => {
                book.places.push(end);
                book.sheets.push(Sheet {
                    title: name.take(),
                    hidden: false,
                    chart: false,
                });
            }
            PASSWORD => {
                return Err(Error::new(
                    Kind::BadInput,
                    "the file is encrypted: remove the password and send it again",
                )
                .because(Reason::Encrypted));
            }
            CODE_PAGE => book.texts = Texts::Encoded(Texts::of_code_page(record.u16(0))),
            DATE_MODE if record.u16(0) == 1 => book.tables.epoch = Epoch::From1904,
            NAME => {
                let mut text = String::new();
                let own = record.data.get(4..).unwrap_or_default();
                book.texts.read(own, true, &mut text);
                name = Some(text).filter(|text| !text.is_empty());
            }
            FORMAT | LATE_FORMAT => {
                let skip = if record.kind == FORMAT { 0 } else { 2 };
                let mut code = String::new();
                let own = record.data.get(skip..).unwrap_or_default();
                book.texts.read(own, true, &mut code);
                book.tables.styles.add_code(formats, &code);
                formats += 1;
            }
            // Cell format of Excel 3 or 4 (`XF`). The cells of Excel 2 refer to number formats directly.
            0x243 | 0x443 => cells.push(u32::from(record.u8(1))),
            _ => {}
        }
        at = end;
    }
    if book.sheets.is_empty() {
        return Err(Error::new(
            Kind::BadInput,
            "no sheet can be found in this Excel workbook: open it in a spreadsheet program, save it as .xlsx and send it again",
        ));
    }
    if cells.is_empty() {
        cells = (0..formats).collect();
    }
    for format in cells {
        book.tables.styles.add_cell(format);
    }
    book.data = data;
    Ok(Box::new(book))
}

/// Returns whether a record is a BOF record, which begins a sheet or a workbook, in any version.
fn is_begin(kind: u16) -> bool {
    matches!(kind, 0x09 | 0x209 | 0x409)
}

/// Returns the record at an offset, and the offset of the next one.
fn next(data: &[u8], at: usize) -> Option<(Record<'_>, usize)> {
    let head: &[u8; 4] = data.get(at..)?.first_chunk()?;
    let kind = u16::from_le_bytes([head[0], head[1]]);
    let len = usize::from(u16::from_le_bytes([head[2], head[3]]));
    let end = at + 4 + len;
    let data = data.get(at + 4..end)?;
    Some((Record { kind, data }, end))
}

/// A cell whose value is not decoded yet.
struct EncodedCell<'d> {
    /// Column, counted from 0.
    column: u32,
    /// Index of the cell format.
    style: usize,
    /// The record without row, column and attributes.
    record: Record<'d>,
    /// Whether lengths of texts have one byte, as in Excel 2.
    short: bool,
    /// Text result of a formula, which is in a record of its own.
    text: Option<&'d [u8]>,
}

impl Book<'_> {
    /// Splits a cell's record into its row and the rest. `None` for other records.
    fn cell<'d>(&self, record: Record<'d>) -> Option<(u32, EncodedCell<'d>)> {
        let skip = match record.kind {
            INTEGER | 0x03 | 0x04 | 0x05 => 7,
            // Formula of Excel 2. Those of Excel 3 and 4 have types of their own.
            0x06 => 7,
            0x203 | 0x204 | 0x205 | 0x206 | 0x406 | COMPRESSED => 6,
            _ => return None,
        };
        let short = skip == 7;
        let style = match short {
            true => usize::from(record.u8(5) & 0x3f),
            false => usize::from(record.u16(4)),
        };
        let found = EncodedCell {
            column: record.u16(2).into(),
            style,
            record: Record {
                kind: record.kind,
                data: record.data.get(skip..)?,
            },
            short,
            text: None,
        };
        Some((record.u16(0).into(), found))
    }
}

impl EncodedCell<'_> {
    /// Value of the cell; `text` is a buffer for its text. The layout of values is the same in all versions.
    fn value<'t>(&self, texts: Texts, text: &'t mut String) -> Stored<'t> {
        let record = self.record;
        let own = match record.kind & 0xff {
            0x02 => return Stored::Number(record.u16(0).into()),
            0x03 => return Stored::number(record.f64(0)),
            0x7e => return Stored::number(biff::compressed(record.u32(0))),
            0x05 => return cells::boolean_or_error(record),
            0x04 => record.data,
            _ => match cells::in_field(record.field(0)) {
                Some(value) => return value,
                None => self.text.unwrap_or_default(),
            },
        };
        text.clear();
        texts.read(own, self.short, text);
        Stored::text(text)
    }
}

impl Workbook for Book<'_> {
    fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    fn read(&mut self, sheet: usize, rows: &mut Rows<'_>) -> Result<()> {
        let mut at = self.places.get(sheet).copied().unwrap_or(usize::MAX);
        // Cells may be in any order, so all of them are kept. Their number is limited by the size of the file.
        let _lease = self.job.lease(23 * self.data.len() as u64)?;
        let mut lines: BTreeMap<u32, Vec<EncodedCell<'_>>> = BTreeMap::new();
        let mut hidden = std::collections::HashSet::<u32>::new();
        let (mut depth, mut count, mut last) = (0_u32, 0_u32, None);
        while let Some((record, end)) = next(&self.data, at) {
            at = end;
            count += 1;
            if count.is_multiple_of(RECORDS_PER_CHECK) {
                self.job.check()?;
            }
            match record.kind {
                kind if is_begin(kind) => depth += 1,
                END if depth == 0 => break,
                END => depth -= 1,
                _ if depth > 0 => {}
                // Excel 2 has no flag for hidden rows: their height is 0. Bit 15 stands for the default height.
                ROW if record.data.len() >= 8 && record.u16(6) == 0 => {
                    hidden.insert(record.u16(0).into());
                }
                0x208 if record.u16(12) & 0x20 != 0 => {
                    hidden.insert(record.u16(0).into());
                }
                0x07 | 0x207 => {
                    let cell = last.and_then(|row| lines.get_mut(&row)?.last_mut());
                    if let Some(cell) = cell {
                        cell.text = Some(record.data);
                    }
                }
                _ => {
                    if let Some((row, found)) = self.cell(record) {
                        last = Some(row);
                        lines.entry(row).or_default().push(found);
                    }
                }
            }
        }
        let (mut cells, mut text) = (Cells::default(), String::new());
        for (row, found) in &lines {
            cells.begin(*row);
            cells.hidden = hidden.contains(row);
            for one in found {
                let value = one.value(self.texts, &mut text);
                (self.tables).push(one.style, one.column, value, &mut cells)?;
            }
            cells.sort();
            if !cells.is_empty() {
                rows(&cells)?;
            }
        }
        Ok(())
    }

    fn add_notes(&mut self, _: &mut Notes) {}
}

#[cfg(test)]
mod tests {
    use crate::{formats::xls::ROW, testing::drawn};

    /// Builds a record: its type, its length and its data.
    fn record(kind: u16, data: &[u8]) -> Vec<u8> {
        let len = data.len() as u16;
        [&kind.to_le_bytes()[..], &len.to_le_bytes(), data].concat()
    }

    /// Builds a row of Excel 2 with a height in twips, and whether it states default attributes of its cells.
    fn row(number: u8, height: u16, has_attributes: bool) -> Vec<u8> {
        let [low, high] = height.to_le_bytes();
        let flag = u8::from(has_attributes);
        let data = [number, 0, 0, 0, 1, 0, low, high, 0, 0, flag, 0, 0, 0, 0, 0];
        record(super::ROW, &data)
    }

    #[test]
    fn rows_of_excel_2_without_height_are_hidden() {
        let cell = |row: u8| record(super::INTEGER, &[row, 0, 0, 0, 0, 0, 0, row, 0]);
        let file = [
            record(0x09, &[2, 0, 0x10, 0]),
            row(0, 255, true),
            row(1, 0, false),
            row(2, 0x8000, false),
            (0..3).flat_map(cell).collect(),
            record(super::END, &[]),
        ]
        .concat();
        assert_eq!(
            drawn(ROW.open, &file).unwrap(),
            "1: #0\n2:hidden #1\n3: #2\n"
        );
    }
}
