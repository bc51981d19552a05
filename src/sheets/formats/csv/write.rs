//! Writes fields as in RFC 4180. Quotes only fields that need it.
//!
//! RFC 4180 requires the same number of fields in all rows, but the widest row is known only at the end of a sheet. So
//! the first rows are held back and padded to the widest of them. If a later row is wider, the rows after it are padded
//! to its width. Rows from a source that states their number of fields, such as CSV, keep this number.

use crate::{
    cells::Cells,
    error::Result,
    job::{Notes, Output},
    sheet::{BUFFER, Sheet, Writer, flush},
};

/// Maximum number of rows that are held back.
const HELD_ROWS: usize = 1000;
/// Maximum size of the rows that are held back, in bytes.
const HELD_BYTES: usize = 1 << 20;

/// Maximum number of consecutive empty rows that are written. Longer gaps are shortened.
const GAP: u32 = 1000;

/// State of the writer.
struct Fields<'a> {
    output: &'a mut dyn Output,
    /// Separator of the fields.
    delimiter: u8,
    /// Line end of each row.
    line_end: &'static str,
    /// Output that is not written yet.
    buffer: Vec<u8>,
    /// End and number of fields of each row in the buffer. A number of `u32::MAX` means that the row is not padded.
    /// `None` as soon as these rows were padded and written.
    held: Option<Vec<(usize, u32)>>,
    /// Number of fields of the widest row so far.
    width: u32,
    /// Number of the next row.
    next: u32,
    /// Number of empty rows that were left out.
    dropped: u64,
    /// Buffer for the text of a field.
    text: String,
}

/// Begins a file. The first rows are held back until the widest of them is known.
pub(super) fn create<'a>(
    output: &'a mut dyn Output,
    delimiter: u8,
    line_end: &'static str,
) -> Result<Box<dyn Writer + 'a>> {
    Ok(Box::new(Fields {
        output,
        delimiter,
        line_end,
        buffer: Vec::with_capacity(BUFFER),
        held: Some(Vec::new()),
        width: 0,
        next: 0,
        dropped: 0,
        text: String::new(),
    }))
}

impl Fields<'_> {
    /// Ends a row with `width` fields. It may be padded unless it is `fixed`.
    fn end_row(&mut self, width: u32, fixed: bool) -> Result<()> {
        self.width = self.width.max(width);
        match &mut self.held {
            Some(held) => {
                held.push((self.buffer.len(), if fixed { u32::MAX } else { width }));
                if held.len() == HELD_ROWS || self.buffer.len() > HELD_BYTES {
                    self.write_pending()?;
                }
                Ok(())
            }
            None => {
                if !fixed {
                    self.fill(width);
                }
                self.buffer.extend(self.line_end.as_bytes());
                flush(&mut self.buffer, BUFFER, self.output)
            }
        }
    }

    /// Pads a row with `width` fields to the width of the table.
    fn fill(&mut self, width: u32) {
        let missing = self.width.saturating_sub(width.max(1)) as usize;
        let len = self.buffer.len() + missing;
        self.buffer.resize(len, self.delimiter);
    }

    /// Pads and writes the rows that were held back.
    fn write_pending(&mut self) -> Result<()> {
        let Some(held) = self.held.take() else {
            return Ok(());
        };
        let rows = std::mem::take(&mut self.buffer);
        let mut start = 0;
        for (end, width) in held {
            self.buffer.extend(rows.get(start..end).unwrap_or_default());
            self.fill(width);
            self.buffer.extend(self.line_end.as_bytes());
            flush(&mut self.buffer, BUFFER, self.output)?;
            start = end;
        }
        Ok(())
    }
}

impl Writer for Fields<'_> {
    fn begin(&mut self, _: &Sheet) -> Result<()> {
        Ok(())
    }

    fn row(&mut self, cells: &Cells) -> Result<()> {
        let gap = cells.row.saturating_sub(self.next);
        self.dropped += u64::from(gap.saturating_sub(GAP));
        for _ in 0..gap.min(GAP) {
            self.end_row(0, cells.width.is_some())?;
        }
        self.next = cells.row.saturating_add(1);
        let mut width = 0;
        for (column, value) in cells.iter() {
            // There is one delimiter less than there are fields.
            let delimiters = column - width + u32::from(width > 0);
            let len = self.buffer.len() + delimiters as usize;
            self.buffer.resize(len, self.delimiter);
            self.text.clear();
            value.write(&mut self.text);
            field(&self.text, self.delimiter, &mut self.buffer);
            width = column + 1;
        }
        let fixed = cells.width.unwrap_or(0);
        if fixed > width {
            let len = self.buffer.len() + (fixed - width.max(1)) as usize;
            self.buffer.resize(len, self.delimiter);
        }
        self.end_row(width.max(fixed), cells.width.is_some())
    }

    fn end(&mut self) -> Result<()> {
        self.write_pending()
    }

    fn finish(mut self: Box<Self>, notes: &mut Notes) -> Result<()> {
        if self.dropped > 0 {
            notes.add(format!(
                "{} empty rows were left out, because more than {GAP} follow one another.",
                self.dropped
            ));
        }
        flush(&mut self.buffer, 1, self.output)
    }
}

/// Appends a field, quoted if it contains the delimiter, a quotation mark or a line end.
fn field(text: &str, delimiter: u8, out: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    let special = |byte: &u8| *byte == delimiter || matches!(byte, b'"' | b'\n' | b'\r');
    if !bytes.iter().any(special) {
        out.extend(bytes);
        return;
    }
    out.push(b'"');
    let mut rest = bytes;
    while let Some(at) = memchr::memchr(b'"', rest) {
        out.extend(&rest[..=at]);
        out.push(b'"');
        rest = &rest[at + 1..];
    }
    out.extend(rest);
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{cells::Value, testing::written};

    #[track_caller]
    fn check(rows: &[(u32, &[(u32, &str)])], expected: &str) {
        let file = written(|_, output, _| create(output, b',', "\r\n"), &mut |write| {
            let mut cells = Cells::default();
            for (row, fields) in rows {
                cells.begin(*row);
                for (column, text) in *fields {
                    cells.push(*column, Value::Text(text)).unwrap();
                }
                write(&cells);
            }
        });
        assert_eq!(String::from_utf8(file).unwrap(), expected);
    }

    #[test]
    fn rows_have_the_same_number_of_fields() {
        check(
            &[
                (0, &[(0, "a")]),
                (1, &[(1, "b"), (3, "c")]),
                (3, &[(0, "d")]),
            ],
            "a,,,\r\n,b,,c\r\n,,,\r\nd,,,\r\n",
        );
        check(&[(0, &[(0, "a")]), (2, &[(0, "b")])], "a\r\n\r\nb\r\n");
        check(&[], "");
    }

    #[test]
    fn fields_with_separators_are_quoted() {
        check(
            &[(0, &[(0, "a,b"), (1, "say \"hi\""), (2, "c\nd"), (3, " e ")])],
            "\"a,b\",\"say \"\"hi\"\"\",\"c\nd\", e \r\n",
        );
    }

    #[test]
    fn long_gaps_are_shortened() {
        let file = written(|_, output, _| create(output, b',', "\r\n"), &mut |write| {
            let mut cells = Cells::default();
            cells.begin(1_048_575);
            cells.push(16_383, Value::Text("x")).unwrap();
            write(&cells);
        });
        let lines = file.split(|byte| *byte == b'\n').count();
        assert_eq!(lines, GAP as usize + 2);
    }
}
