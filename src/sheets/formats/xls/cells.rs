//! Values of cells in records (MS-XLS 2.4), for rows and for whole workbooks. Reads no formulas but their results.

use super::{
    records::{FORMULA, Records},
    strings::Texts,
};
use crate::{
    biff::{self, Record},
    error::Result,
    job::Job,
    stored::Stored,
};

// Types of records.
/// Several cells of a row with numbers in four bytes (`MulRk`).
const MANY_COMPRESSED: u16 = 0xbd;
/// Several cells of a row with a style only (`MulBlank`).
pub(super) const MANY_EMPTY: u16 = 0xbe;
/// Cell with formatted text, in older files (`RString`).
pub(super) const RICH: u16 = 0xd6;
/// Cell with a shared string (`LabelSst`).
const SHARED: u16 = 0xfd;
/// Cell with a number (`Number`).
const NUMBER: u16 = 0x203;
/// Cell with plain text, in older files (`Label`).
const LABEL: u16 = 0x204;
/// Cell with a boolean or an error (`BoolErr`).
const BOOLEAN_OR_ERROR: u16 = 0x205;
/// Text result of the formula before it (`String`).
const STRING: u16 = 0x207;
/// Cell with a number in four bytes (`RK`).
const COMPRESSED: u16 = 0x27e;
/// Records that may come between a formula and its text result: `ShrFmla`, `Array` and `Table`.
const BEFORE_STRING: [u16; 3] = [0x4bc, 0x221, 0x236];

/// Types of the records that hold values of cells.
pub(super) const VALUES: [u16; 8] = [
    FORMULA,
    MANY_COMPRESSED,
    RICH,
    SHARED,
    NUMBER,
    LABEL,
    BOOLEAN_OR_ERROR,
    COMPRESSED,
];

/// A cell of a record.
pub(super) struct Cell<'r> {
    /// Column, from 0.
    pub(super) column: u32,
    /// Number of the cell format.
    pub(super) style: u16,
    /// Value, in a notation by the type of the record.
    pub(super) value: Record<'r>,
}

/// Cells of a record, from left to right.
pub(super) fn cells(record: Record<'_>) -> impl Iterator<Item = Cell<'_>> {
    let data = record.data.get(4..).unwrap_or_default();
    // The number of the last column follows several cells.
    let several = &data[..data.len().saturating_sub(2)];
    let (mut data, len) = match record.kind {
        MANY_COMPRESSED => (several, 6),
        MANY_EMPTY => (several, 2),
        _ if data.is_empty() => (&[0; 2][..], 2),
        _ => (data, data.len()),
    };
    let mut columns = u32::from(record.u16(2))..;
    std::iter::from_fn(move || {
        let (cell, rest) = data.split_at_checked(len)?;
        data = rest;
        let cell = Record {
            data: cell,
            ..record
        };
        Some(Cell {
            column: columns.next()?,
            style: cell.u16(0),
            value: Record {
                data: cell.data.get(2..).unwrap_or_default(),
                ..record
            },
        })
    })
}

impl Cell<'_> {
    /// Reads the value of a cell without a formula in a row; `text` is a buffer for its text.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) for a damaged text.
    pub(super) fn value<'t>(
        &self,
        job: &Job<'_>,
        row: u16,
        texts: Texts,
        text: &'t mut String,
    ) -> Result<Stored<'t>> {
        let value = self.value;
        Ok(match value.kind {
            NUMBER => Stored::number(value.f64(0)),
            COMPRESSED | MANY_COMPRESSED => Stored::number(biff::compressed(value.u32(0))),
            SHARED => Stored::Shared(value.u32(0) as usize),
            BOOLEAN_OR_ERROR => boolean_or_error(value),
            LABEL | RICH => {
                text.clear();
                texts.read(value.data, false, text).ok_or_else(|| {
                    let row = u32::from(row) + 1;
                    job.unreadable(format!("a cell in row {row} is damaged"))
                })?;
                Stored::text(text)
            }
            _ => Stored::Empty,
        })
    }
}

/// Value of a record that holds a boolean or an error: a byte with the value, and one with the type.
pub(super) fn boolean_or_error<'t>(value: Record<'_>) -> Stored<'t> {
    match value.u8(1) {
        0 => Stored::Boolean(value.u8(0) != 0),
        _ => Stored::Error(biff::error(value.u8(0))),
    }
}

/// Result of a formula in its field. `None` for a text, which is in a record of its own.
///
/// If the result is not a number, the field is a NaN whose bytes encode type and value (2.5.133).
pub(super) fn in_field<'t>(field: [u8; 8]) -> Option<Stored<'t>> {
    Some(match field {
        [0, .., 0xff, 0xff] => return None,
        [1, _, is, .., 0xff, 0xff] => Stored::Boolean(is != 0),
        [2, _, code, .., 0xff, 0xff] => Stored::Error(biff::error(code)),
        [.., 0xff, 0xff] => Stored::Empty,
        _ => Stored::number(f64::from_le_bytes(field)),
    })
}

/// Result of the formula whose record was just read, from the field of the record, or from the record after it.
pub(super) fn result<'t>(
    field: [u8; 8],
    records: &mut Records<'_>,
    texts: Texts,
    text: &'t mut String,
) -> Result<Stored<'t>> {
    if let Some(value) = in_field(field) {
        return Ok(value);
    }
    text.clear();
    while BEFORE_STRING.contains(&records.peek()?) {
        records.next()?;
    }
    if records.peek()? == STRING
        && let Some(record) = records.next()?
    {
        texts.read(record.data, false, text);
    }
    Ok(Stored::text(text))
}
