//! The cells of one row. Conversions stream row by row, so that only one row of a sheet is in memory. Depends on no
//! file format.

use super::{number::Number, time::Moment};
use crate::{
    error::{Error, Kind, Result},
    job::Notes,
};

/// Maximum length of the texts of one row, in bytes.
pub(crate) const MAX_TEXT: usize = 8 << 20;

/// Maximum number of columns of a row. Spreadsheet formats end at 16,384, but text formats have no limit of their
/// own.
pub(crate) const MAX_COLUMNS: u32 = 1 << 18;

/// Number of columns of spreadsheet formats. The last one is XFD (ECMA-376 part 1, 18.3.1.4).
pub(crate) const COLUMNS: u32 = 1 << 14;

/// Number of rows of a sheet in all common spreadsheet programs.
pub(crate) const MAX_ROWS: u32 = 1 << 20;

/// Reason to refuse a sheet with values in a row beyond the last one.
pub(crate) const TOO_MANY_ROWS: &str = "a sheet has more than 1,048,576 rows";

/// The value of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value<'t> {
    /// A field of a format without types, such as CSV. See [`super::types`].
    Written(&'t str),
    /// Text that stays text, even if it looks like a number.
    Text(&'t str),
    /// A number from a format with types, in the decimal notation of JSON.
    Digits(&'t str),
    /// A floating-point number with its number format.
    Number(Number),
    /// True or false.
    Boolean(bool),
    /// A date, a time, or both.
    Moment(Moment),
    /// A number, a date or a time as its number format shows it.
    Shown(&'t str),
    /// An error instead of a value, such as `#N/A`.
    Error(&'t str),
}

/// The non-empty cells of a row, from left to right. One object serves all rows, so that its buffers are reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    /// Row number, from 0.
    pub(crate) row: u32,
    /// Whether the row is hidden.
    pub(crate) hidden: bool,
    /// Number of columns including empty ones at the end, if the source states it.
    pub(crate) width: Option<u32>,
    /// Cells with their columns.
    cells: Vec<(u32, Stored)>,
    /// Texts of all cells in one buffer, which saves an allocation for each cell.
    text: String,
}

/// A value whose text is a byte range of the row's text buffer.
#[derive(Clone, Copy, Debug)]
enum Stored {
    /// A field of a format without types.
    Written(usize, usize),
    /// Text that stays text.
    Text(usize, usize),
    /// A number in decimal notation.
    Digits(usize, usize),
    /// A floating-point number with its number format.
    Number(Number),
    Boolean(bool),
    /// A date, a time, or both.
    Moment(Moment),
    /// A number, a date or a time as displayed.
    Shown(usize, usize),
    /// Name of an error value.
    Error(usize, usize),
}

impl Cells {
    /// Clears the cells and begins another row.
    pub(crate) fn begin(&mut self, row: u32) {
        self.row = row;
        self.hidden = false;
        self.width = None;
        self.cells.clear();
        self.text.clear();
    }

    /// Adds a cell on the right of the others. An empty text is not added.
    ///
    /// Errors: [`Kind::BadInput`] if the row has too many columns or too much text.
    pub(crate) fn push(&mut self, column: u32, value: Value<'_>) -> Result<()> {
        let stored = match value {
            Value::Written("") | Value::Text("") | Value::Digits("") | Value::Shown("") => {
                return Ok(());
            }
            Value::Written(text) => self.keep(text, Stored::Written)?,
            Value::Text(text) => self.keep(text, Stored::Text)?,
            Value::Digits(text) => self.keep(text, Stored::Digits)?,
            Value::Shown(text) => self.keep(text, Stored::Shown)?,
            Value::Error(text) => self.keep(text, Stored::Error)?,
            Value::Number(number) => Stored::Number(number),
            Value::Boolean(is) => Stored::Boolean(is),
            Value::Moment(moment) => Stored::Moment(moment),
        };
        // A damaged file may state a cell again and again.
        if column >= MAX_COLUMNS || self.cells.len() >= 2 * MAX_COLUMNS as usize {
            return Err(self.too_wide());
        }
        self.cells.push((column, stored));
        Ok(())
    }

    /// Appends to the text of the next cell. [`Cells::push_open`] completes it.
    pub(crate) fn open(&mut self, text: &str) -> Result<()> {
        self.keep(text, Stored::Written).map(drop)
    }

    /// Adds a cell with the text collected by [`Cells::open`], as [`Value::Written`].
    pub(crate) fn push_open(&mut self, column: u32) -> Result<()> {
        let (start, end) = (self.closed(), self.text.len());
        if column >= MAX_COLUMNS {
            return Err(self.too_wide());
        }
        if start < end {
            self.cells.push((column, Stored::Written(start, end)));
        }
        Ok(())
    }

    /// Total length of all texts, in bytes.
    pub(crate) fn text_len(&self) -> u64 {
        self.text.len() as u64
    }

    /// Iterates over the non-empty cells with their column numbers, from 0.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, Value<'_>)> {
        self.cells.iter().map(|(column, stored)| {
            let text = |start, end| self.text.get(start..end).unwrap_or_default();
            let value = match *stored {
                Stored::Written(start, end) => Value::Written(text(start, end)),
                Stored::Text(start, end) => Value::Text(text(start, end)),
                Stored::Digits(start, end) => Value::Digits(text(start, end)),
                Stored::Shown(start, end) => Value::Shown(text(start, end)),
                Stored::Error(start, end) => Value::Error(text(start, end)),
                Stored::Number(number) => Value::Number(number),
                Stored::Boolean(is) => Value::Boolean(is),
                Stored::Moment(moment) => Value::Moment(moment),
            };
            (*column, value)
        })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Number of columns up to the last non-empty cell.
    pub(crate) fn filled(&self) -> u32 {
        self.cells.last().map_or(0, |(column, _)| column + 1)
    }

    /// Adds the cells of another row on the right.
    pub(crate) fn append(&mut self, others: &Self) -> Result<()> {
        others
            .iter()
            .try_for_each(|(column, value)| self.push(column, value))
    }

    /// Sorts the cells by column. Keeps the first of several cells in one column.
    pub(crate) fn sort(&mut self) {
        if !self.cells.is_sorted_by(|a, b| a.0 < b.0) {
            self.cells.sort_by_key(|(column, _)| *column);
            self.cells.dedup_by_key(|(column, _)| *column);
        }
    }

    /// Sorts the cells by column. Keeps the last of several cells in one column.
    pub(crate) fn sort_by_last(&mut self) {
        if !self.cells.is_sorted_by(|a, b| a.0 < b.0) {
            self.cells.reverse();
            self.sort();
        }
    }

    /// Copies a text to the buffer of the row.
    fn keep(&mut self, text: &str, stored: fn(usize, usize) -> Stored) -> Result<Stored> {
        let start = self.text.len();
        if start + text.len() > MAX_TEXT {
            return Err(Error::new(
                Kind::BadInput,
                format!(
                    "row {} has more than {} MiB of text, the limit; split it",
                    self.row + 1,
                    MAX_TEXT >> 20
                ),
            ));
        }
        self.text.push_str(text);
        Ok(stored(start, self.text.len()))
    }

    /// End of the last complete cell's text in the buffer. Whatever follows belongs to an open cell.
    fn closed(&self) -> usize {
        let mut ends = self
            .cells
            .iter()
            .rev()
            .filter_map(|(_, stored)| match stored {
                Stored::Written(_, end)
                | Stored::Text(_, end)
                | Stored::Digits(_, end)
                | Stored::Shown(_, end)
                | Stored::Error(_, end) => Some(*end),
                Stored::Number(_) | Stored::Boolean(_) | Stored::Moment(_) => None,
            });
        ends.next().unwrap_or(0)
    }

    fn too_wide(&self) -> Error {
        Error::new(
            Kind::BadInput,
            format!(
                "row {} has more than {MAX_COLUMNS} columns, the limit; split it",
                self.row + 1
            ),
        )
    }
}

/// Adds a note about cells beyond the last column.
pub(crate) fn tell_beyond(count: u64, notes: &mut Notes) {
    let cells = match count {
        0 => return,
        1 => "A cell was left out, because it lies".to_owned(),
        _ => format!("{count} cells were left out, because they lie"),
    };
    notes.add(format!(
        "{cells} beyond column XFD, the last one of a workbook."
    ));
}

/// Letters of a column: A to Z, then AA to ZZ, and so on. `column` counts from 0.
pub(crate) fn letters(column: u32) -> String {
    let mut letters = Vec::new();
    let mut left = column + 1;
    while left > 0 {
        // Bijective base 26: there is no digit for 0, so each step subtracts 1 first.
        left -= 1;
        letters.push(b'A' + (left % 26) as u8);
        left /= 26;
    }
    letters
        .iter()
        .rev()
        .map(|letter| char::from(*letter))
        .collect()
}

/// Parses a cell reference such as `B7` or `$B$7` to column and row, from 0. `None` if it is not a reference or lies
/// outside the sheet.
pub(crate) fn reference(text: &str) -> Option<(u32, u32)> {
    let text = text.as_bytes();
    let mut at = usize::from(text.first() == Some(&b'$'));
    let mut column = 0_u32;
    while let Some(letter) = text.get(at).filter(|byte| byte.is_ascii_alphabetic()) {
        column = column * 26 + u32::from(letter.to_ascii_uppercase() - b'A') + 1;
        if column > COLUMNS {
            return None;
        }
        at += 1;
    }
    at += usize::from(text.get(at) == Some(&b'$'));
    let digits = text.get(at..)?;
    if digits.is_empty() || digits.len() > 7 {
        return None;
    }
    let mut row = 0_u32;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        row = row * 10 + u32::from(digit - b'0');
    }
    Some((column.checked_sub(1)?, row.checked_sub(1)?)).filter(|(_, row)| *row < MAX_ROWS)
}

/// First and last row or column, from 0.
#[cfg(feature = "document")]
pub(crate) type Interval = (u32, u32);

/// Parses a reference to a range, such as `$A$1:$C$9`, or to a single cell, row or column. Returns its rows and its
/// columns; an inner `None` stands for all of them, as in `1:2` and `A:C`. `None` for other texts.
#[cfg(feature = "document")]
pub(crate) fn span(text: &str) -> Option<(Option<Interval>, Option<Interval>)> {
    let (first, last) = text
        .trim()
        .split_once(':')
        .unwrap_or((text.trim(), text.trim()));
    if let (Some(first), Some(last)) = (reference(first), reference(last)) {
        let ends = |one: u32, other: u32| Some((one.min(other), one.max(other)));
        return Some((ends(first.1, last.1), ends(first.0, last.0)));
    }
    // A row or a column alone becomes a cell reference with the other part added.
    let row = |text: &str| reference(&format!("A{}", text.trim_start_matches('$')));
    if let (Some(first), Some(last)) = (row(first), row(last)) {
        return Some((Some((first.1.min(last.1), first.1.max(last.1))), None));
    }
    let column = |text: &str| reference(&format!("{text}1"));
    let (first, last) = (column(first)?, column(last)?);
    Some((None, Some((first.0.min(last.0), first.0.max(last.0)))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_name_columns_and_rows() {
        #[track_caller]
        fn check(text: &str, place: Option<(u32, u32)>) {
            assert_eq!(reference(text), place, "{text}");
        }
        check("A1", Some((0, 0)));
        check("$AB$10", Some((27, 9)));
        check("XFD1048576", Some((16_383, 1_048_575)));
        for wrong in [
            "",
            "A",
            "1",
            "A0",
            "XFE1",
            "A1048577",
            "AAAAAAAA1",
            "A1B",
            "A99999999999",
        ] {
            check(wrong, None);
        }
        for column in [0, 25, 26, 701, 702, 16_383] {
            check(&format!("{}1", letters(column)), Some((column, 0)));
        }
    }

    #[test]
    fn cells_are_kept_in_order_and_once() {
        let mut cells = Cells::default();
        cells.begin(3);
        cells.push(2, Value::Text("c")).unwrap();
        cells.push(0, Value::Boolean(true)).unwrap();
        cells.push(2, Value::Text("again")).unwrap();
        cells.push(1, Value::Text("")).unwrap();
        cells.sort();
        let all: Vec<_> = cells.iter().collect();
        assert_eq!(all, [(0, Value::Boolean(true)), (2, Value::Text("c"))]);
        assert_eq!(cells.filled(), 3);
    }

    #[test]
    fn a_row_has_an_end() {
        let mut cells = Cells::default();
        cells.begin(0);
        let long = "x".repeat(MAX_TEXT);
        cells.push(0, Value::Text(&long)).unwrap();
        assert!(cells.push(1, Value::Text("x")).is_err());
        assert!(cells.push(MAX_COLUMNS, Value::Boolean(true)).is_err());
    }
}
