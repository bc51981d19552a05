//! Texts of a workbook. Since Excel 97 they have one or two bytes per character; before, they are in the code page of
//! the workbook.
//!
//! The trap is the shared string table (MS-XLS 2.4.265). It is split into records of at most 8,224 bytes, possibly in
//! the middle of a string. The rest of such a string begins with a flags byte of its own, which may change the number
//! of bytes per character. Phonetic data is skipped.

use super::records::Records;
use crate::error::{Error, Result};
use encoding_rs::{Encoding, MACINTOSH, WINDOWS_1252};

/// Type of a record that continues the previous one (2.4.58).
pub(super) const CONTINUE: u16 = 0x3c;

/// Encoding of the texts of a workbook.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Texts {
    /// UTF-16, possibly compressed to one byte per character (since Excel 97).
    Unicode,
    /// Text in a code page (before Excel 97).
    Encoded(&'static Encoding),
}

impl Texts {
    /// Encoding of a code page (2.4.52). Unknown ones are read as Windows-1252.
    pub(super) fn of_code_page(page: u16) -> &'static Encoding {
        let label = match page {
            10_000 | 32_768 => return MACINTOSH,
            874 => "windows-874".to_owned(),
            932 => "shift_jis".to_owned(),
            936 => "gbk".to_owned(),
            949 => "euc-kr".to_owned(),
            950 => "big5".to_owned(),
            866 => "ibm866".to_owned(),
            1250..=1258 => format!("windows-{page}"),
            _ => return WINDOWS_1252,
        };
        Encoding::for_label(label.as_bytes()).unwrap_or(WINDOWS_1252)
    }

    /// Appends a text that begins with its length, in one byte if `short` and in two otherwise. `None` if the data
    /// ends within the text.
    pub(super) fn read(self, data: &[u8], short: bool, out: &mut String) -> Option<()> {
        let (len, rest) = match short {
            true => data
                .split_first()
                .map(|(len, rest)| (usize::from(*len), rest))?,
            false => data
                .split_first_chunk()
                .map(|(len, rest)| (usize::from(u16::from_le_bytes(*len)), rest))?,
        };
        match self {
            Self::Encoded(encoding) => {
                let (text, _) = encoding.decode_without_bom_handling(rest.get(..len)?);
                out.push_str(&text);
            }
            // Some programs omit the flags of an empty text.
            Self::Unicode if len == 0 && rest.is_empty() => {}
            Self::Unicode => {
                let (flags, rest) = rest.split_first()?;
                let width = if flags & 1 == 0 { 1 } else { 2 };
                // The counts of formatting runs and phonetic data come before the characters (2.5.293).
                let rest = rest.get(if flags & 8 == 0 { 0 } else { 2 }..)?;
                let rest = rest.get(if flags & 4 == 0 { 0 } else { 4 }..)?;
                push(rest.get(..len * width)?, width, out);
            }
        }
        Some(())
    }
}

/// Appends characters of `width` bytes each. Characters of one byte are the first 256 of Unicode.
fn push(bytes: &[u8], width: usize, out: &mut String) {
    match width {
        1 => out.extend(bytes.iter().map(|byte| char::from(*byte))),
        _ => {
            let (units, _) = bytes.as_chunks::<2>();
            let units = units.iter().map(|unit| u16::from_le_bytes(*unit));
            out.extend(char::decode_utf16(units).map(|c| c.unwrap_or('\u{fffd}')));
        }
    }
}

/// Formatting runs: positions in UTF-16 code units, each with the index of the font from there on (2.5.129).
pub(super) type Runs = Vec<(u16, u16)>;

/// Reads the shared string table from its first record, whose data is `data`, and the `Continue` records after it.
/// Passes on each string with its formatting runs.
///
/// Errors: those of the stream, and a damaged table or one that `take` has no room for.
pub(super) fn read_table(
    records: &mut Records<'_>,
    data: &[u8],
    take: &mut dyn FnMut(&str, &Runs) -> bool,
) -> Result<()> {
    let job = records.job;
    let damaged = || job.unreadable("its shared string table is damaged");
    let count = data
        .get(4..8)
        .and_then(|four| four.first_chunk())
        .ok_or_else(damaged)?;
    let mut pieces = Pieces {
        records,
        data: data[8..].to_vec(),
        at: 0,
    };
    let (mut text, mut runs) = (String::new(), Runs::new());
    for _ in 0..u32::from_le_bytes(*count) {
        // Some programs state more strings than the table contains.
        if pieces.is_at_end()? {
            break;
        }
        text.clear();
        runs.clear();
        pieces.string(&mut text, &mut runs, &damaged)?;
        if !take(&text, &runs) {
            return Err(damaged());
        }
    }
    Ok(())
}

/// Data of a record and its continuations, as one sequence of bytes.
struct Pieces<'r, 'a> {
    records: &'r mut Records<'a>,
    /// Data of the current record.
    data: Vec<u8>,
    /// Offset of the next byte in `data`.
    at: usize,
}

impl Pieces<'_, '_> {
    /// Returns whether no data is left.
    fn is_at_end(&mut self) -> Result<bool> {
        Ok(self.at == self.data.len() && !self.advance()?)
    }

    /// Moves on to the next record if that continues the current one. Returns whether it does.
    fn advance(&mut self) -> Result<bool> {
        if self.records.peek()? != CONTINUE {
            return Ok(false);
        }
        if let Some(record) = self.records.next()? {
            self.data.clear();
            self.data.extend(record.data);
            self.at = 0;
        }
        Ok(true)
    }

    /// Reads a byte.
    fn byte(&mut self, damaged: &dyn Fn() -> Error) -> Result<u8> {
        while self.at == self.data.len() {
            if !self.advance()? {
                return Err(damaged());
            }
        }
        self.at += 1;
        Ok(self.data[self.at - 1])
    }

    /// Reads a little-endian number of up to four bytes, which may be split over records.
    fn number(&mut self, bytes: usize, damaged: &dyn Fn() -> Error) -> Result<u32> {
        let mut number = 0;
        for shift in 0..bytes {
            number |= u32::from(self.byte(damaged)?) << (8 * shift);
        }
        Ok(number)
    }

    /// Skips bytes.
    fn skip(&mut self, mut len: usize, damaged: &dyn Fn() -> Error) -> Result<()> {
        while len > 0 {
            let now = len.min(self.data.len() - self.at);
            self.at += now;
            len -= now;
            if len > 0 && !self.advance()? {
                return Err(damaged());
            }
        }
        Ok(())
    }

    /// Reads a string with its formatting runs, and skips its phonetic data (MS-XLS 2.5.293). If the characters
    /// continue in the next record, a new flags byte states their width.
    fn string(
        &mut self,
        out: &mut String,
        runs: &mut Runs,
        damaged: &dyn Fn() -> Error,
    ) -> Result<()> {
        let mut left = self.number(2, damaged)? as usize;
        let mut flags = self.byte(damaged)?;
        let fonts = if flags & 8 == 0 {
            0
        } else {
            self.number(2, damaged)? as usize
        };
        let spoken = if flags & 4 == 0 {
            0
        } else {
            self.number(4, damaged)? as usize
        };
        while left > 0 {
            // Characters of two bytes are never split over records.
            let width = if flags & 1 == 0 { 1 } else { 2 };
            let here = (self.data.len() - self.at) / width;
            let now = left.min(here);
            push(&self.data[self.at..self.at + now * width], width, out);
            self.at += now * width;
            left -= now;
            if left > 0 {
                if !self.advance()? {
                    return Err(damaged());
                }
                flags = self.byte(damaged)?;
            }
        }
        for _ in 0..fonts {
            let run = self.number(4, damaged)?;
            runs.push((run as u16, (run >> 16) as u16));
        }
        self.skip(spoken, damaged)
    }
}
