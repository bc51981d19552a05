//! Parses CSV with a state machine. Does not reject malformed text, but reads it as spreadsheet programs do.
//!
//! The `csv` crate was tried. It skips empty lines, which are rows here, and does not limit the length of a field, so
//! that a single stray quotation mark would load the rest of the file into memory. RFC 4180 leaves two cases open: a
//! quotation mark inside an unquoted field is part of the text, and so is any text after the closing quotation mark of
//! a field.

#[cfg(feature = "document")]
use super::commas::Commas;
use super::sniff;
use crate::{
    cells::Cells,
    coding::utf8::{Utf8, encoding_of},
    error::Result,
    job::{Input, Job, Notes},
    sheet::{Rows, Sheet, View, Workbook},
};
use encoding_rs::Encoding;
use std::io::{BufRead, Read};

/// Number of bytes that the delimiter is guessed from.
const SAMPLE: u64 = 1 << 16;

/// Names of the targets for which numbers with a decimal comma become typed values.
#[cfg(feature = "document")]
const TYPED: [&str; 6] = ["xlsx", "ods", "json", "jsonl", "yaml", "toml"];

/// An open CSV file.
struct Fields<'a> {
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    encoding: &'static Encoding,
    /// Separator of the fields.
    delimiter: u8,
    /// Length of a leading `sep=` line, which is not data.
    skipped: usize,
    /// The only sheet of the file.
    sheets: [Sheet; 1],
    /// Columns of numbers with a decimal comma, if the target is one of [`TYPED`] and the file has such columns.
    #[cfg(feature = "document")]
    commas: Option<Commas>,
    /// Number of the row with a quotation mark that is never closed, from 0.
    unclosed_row: Option<u32>,
}

/// Opens a CSV file.
pub(super) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    _: View,
) -> Result<Box<dyn Workbook + 'a>> {
    Ok(Box::new(Fields::new(job, input, None)?))
}

/// Opens a TSV file.
pub(super) fn open_tabs<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    _: View,
) -> Result<Box<dyn Workbook + 'a>> {
    Ok(Box::new(Fields::new(job, input, Some(b'\t'))?))
}

impl<'a> Fields<'a> {
    /// Detects encoding and delimiter from the beginning of the file. A line such as `sep=;` states the delimiter;
    /// without one, `delimiter` applies, which is `None` for a format whose delimiter is guessed from the content.
    fn new(job: &'a Job<'a>, input: &'a mut dyn Input, delimiter: Option<u8>) -> Result<Self> {
        let failed = |err: std::io::Error| job.unreadable(err);
        let encoding = encoding_of(input).map_err(failed)?;
        let mut sample = Vec::new();
        let text = Utf8::new(&mut *input, encoding);
        text.take(SAMPLE).read_to_end(&mut sample).map_err(failed)?;
        let (stated, skipped) = sniff::stated(&sample).unzip();
        let delimiter = stated.or(delimiter);
        let delimiter = delimiter.unwrap_or_else(|| sniff::delimiter(&sample));
        let skipped = skipped.unwrap_or(0);
        #[cfg(feature = "document")]
        let commas = (delimiter != b',' && TYPED.contains(&job.to.name)).then(|| {
            let sample = String::from_utf8_lossy(&sample[skipped..]);
            Commas::of(&sample, delimiter)
        });
        Ok(Self {
            delimiter,
            skipped,
            #[cfg(feature = "document")]
            commas: commas.filter(|commas| !commas.are_none()),
            job,
            input,
            encoding,
            sheets: [Sheet::default()],
            unclosed_row: None,
        })
    }
}

impl Workbook for Fields<'_> {
    fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    fn read(&mut self, _: usize, rows: &mut Rows<'_>) -> Result<()> {
        #[cfg(feature = "document")]
        if let Some(commas) = self.commas.take() {
            let mut typed = Cells::default();
            let read = self.read(0, &mut |cells| {
                commas.typed(cells, &mut typed)?;
                rows(&typed)
            });
            self.commas = Some(commas);
            return read;
        }
        let failed = |err: std::io::Error| self.job.unreadable(err);
        self.input.rewind().map_err(failed)?;
        let mut text = Utf8::new(&mut *self.input, self.encoding);
        let mut parser = Parser::new(self.delimiter);
        let mut skipped = self.skipped;
        loop {
            let bytes = text.fill_buf().map_err(failed)?;
            if bytes.is_empty() {
                break;
            }
            let len = bytes.len();
            if skipped > 0 {
                let now = skipped.min(len);
                skipped -= now;
                text.consume(now);
                continue;
            }
            // The decoder only emits complete characters, so the bytes are always valid.
            let piece = std::str::from_utf8(bytes).unwrap_or_default();
            parser.parse(piece, rows)?;
            text.consume(len);
        }
        self.unclosed_row = parser.finish(rows)?;
        Ok(())
    }

    fn add_notes(&mut self, notes: &mut Notes) {
        if let Some(row) = self.unclosed_row {
            notes.add(format!(
                "A quotation mark that opens in row {} is never closed, so everything after it is one cell.",
                row + 1
            ));
        }
    }
}

/// Position of the parser within a field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before the first character of a field.
    Start,
    /// Within a field without quotation marks.
    Unquoted,
    /// Within quotation marks.
    Quoted,
    /// After a quotation mark inside a quoted field. It either ends the field or is the first of an escaped pair.
    Mark,
}

/// Parser of fields, which is fed with pieces of a text.
pub(super) struct Parser {
    delimiter: u8,
    state: State,
    /// Fields of the current row.
    cells: Cells,
    /// Number of the current field in its row.
    column: u32,
    /// Whether the last byte was a carriage return, so that a following line feed does not end another row.
    carriage: bool,
}

impl Parser {
    pub(super) fn new(delimiter: u8) -> Self {
        Self {
            delimiter,
            state: State::Start,
            cells: Cells::default(),
            column: 0,
            carriage: false,
        }
    }

    /// Parses the next piece of the text, which may end anywhere, even within a quoted field or between CR and LF.
    /// Quotes follow RFC 4180: a doubled quotation mark within quotes stands for itself.
    pub(super) fn parse(&mut self, text: &str, rows: &mut Rows<'_>) -> Result<()> {
        let bytes = text.as_bytes();
        let mut at = 0;
        if std::mem::take(&mut self.carriage) && bytes.first() == Some(&b'\n') {
            at = 1;
        }
        while at < bytes.len() {
            match self.state {
                State::Quoted => {
                    let end = memchr::memchr(b'"', &bytes[at..]).map(|len| at + len);
                    self.cells.open(&text[at..end.unwrap_or(bytes.len())])?;
                    let Some(end) = end else {
                        return Ok(());
                    };
                    self.state = State::Mark;
                    at = end + 1;
                    continue;
                }
                State::Mark if bytes[at] == b'"' => {
                    self.cells.open("\"")?;
                    self.state = State::Quoted;
                    at += 1;
                    continue;
                }
                State::Start if bytes[at] == b'"' => {
                    self.state = State::Quoted;
                    at += 1;
                    continue;
                }
                // Text after the closing quotation mark is part of the field.
                State::Start | State::Mark | State::Unquoted => {}
            }
            let end = self.end_of_field(&bytes[at..]).map(|len| at + len);
            self.cells.open(&text[at..end.unwrap_or(bytes.len())])?;
            self.state = State::Unquoted;
            let Some(end) = end else {
                return Ok(());
            };
            self.cells.push_open(self.column)?;
            self.state = State::Start;
            self.column += 1;
            at = end + 1;
            // CR, LF, and CR LF end a row. The LF after a CR may be in the next piece.
            if bytes[end] != self.delimiter {
                self.end_row(rows)?;
                if bytes[end] == b'\r' {
                    match bytes.get(at) {
                        Some(b'\n') => at += 1,
                        Some(_) => {}
                        None => self.carriage = true,
                    }
                }
            }
        }
        Ok(())
    }

    /// Finds the end of an unquoted field. Most fields are short, and a plain loop is then faster than `memchr`.
    fn end_of_field(&self, bytes: &[u8]) -> Option<usize> {
        let ends = |byte: &u8| *byte == self.delimiter || matches!(byte, b'\n' | b'\r');
        let window = bytes.len().min(24);
        bytes[..window].iter().position(ends).or_else(|| {
            memchr::memchr3(self.delimiter, b'\n', b'\r', &bytes[window..]).map(|far| window + far)
        })
    }

    /// Passes on a row and begins the next one.
    fn end_row(&mut self, rows: &mut Rows<'_>) -> Result<()> {
        // An empty line is a row with one empty field. It is counted, but not passed on.
        self.cells.width = Some(self.column);
        if !self.cells.is_empty() || self.column > 1 {
            rows(&self.cells)?;
        }
        self.column = 0;
        let next = self.cells.row.saturating_add(1);
        self.cells.begin(next);
        Ok(())
    }

    /// Ends the last row, which may lack a line end. Returns its number if a quotation mark is still open.
    fn finish(mut self, rows: &mut Rows<'_>) -> Result<Option<u32>> {
        let row = self.cells.row;
        let open = self.state == State::Quoted;
        if self.state != State::Start || self.column > 0 {
            self.cells.push_open(self.column)?;
            self.column += 1;
            self.end_row(rows)?;
        }
        Ok(open.then_some(row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::drawn;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        check_bytes(text.as_bytes(), expected);
    }

    #[track_caller]
    fn check_bytes(bytes: &[u8], expected: &str) {
        assert_eq!(drawn(open, bytes).unwrap(), expected, "{bytes:?}");
    }

    #[test]
    fn fields_are_read_as_they_are_written() {
        check("a,b\r\n1,2\r\n", "1: a|b\n2: 1|2\n");
        check("a,b\n1,2", "1: a|b\n2: 1|2\n");
        check("a,b\r1,2\r", "1: a|b\n2: 1|2\n");
        check("a,,c\n,,\n", "1: a||c\n2: ||\n");
        check("a\n\nb\n", "1: a\n3: b\n");
        check(" a , b \n", "1:  a | b \n");
        check("007,1.50,1e5\n", "1: 007|1.50|1e5\n");
        check("", "");
        check("\n", "");
        check("ä;日本\n1;2\n", "1: ä|日本\n2: 1|2\n");
    }

    #[test]
    fn quoted_fields_may_contain_separators() {
        check("\"a,b\",\"c\r\nd\"\r\n", "1: a,b|c\r\nd\n");
        check("\"say \"\"hi\"\"\",x\n", "1: say \"hi\"|x\n");
        check("\"\",x\n", "1: |x\n");
        check("\"\"\"\",x\n", "1: \"|x\n");
    }

    #[test]
    fn lone_quotation_marks_are_text() {
        check("a 5\" pipe,b\n", "1: a 5\" pipe|b\n");
        check("\"ab\"c,d\n", "1: abc|d\n");
        check("\"ab\"c\"d\",e\n", "1: abc\"d\"|e\n");
        check("a,\"b\nc,d\n", "1: a|b\nc,d\n\n");
    }

    #[test]
    fn encodings_and_delimiters_are_found() {
        check_bytes(b"\xef\xbb\xbfa;b\n", "1: a|b\n");
        check_bytes(b"\xff\xfea\0;\0\xfc\0\n\0", "1: a|ü\n");
        check_bytes(
            b"Stra\xdfe;Gr\xf6\xdfe\nsch\xf6n;gro\xdf\n",
            "1: Straße|Größe\n2: schön|groß\n",
        );
        check("sep=|\r\na|b,c\r\n", "1: a|b,c\n");
        check("a\tb,c\n", "1: a|b,c\n");
    }
}
