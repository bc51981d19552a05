//! Iterates over the records of a part (MS-XLSB 2.1.4): a type, a length, and data. Type and length have a variable
//! number of bytes. Holds one record at a time.

use crate::{
    biff::{RECORDS_PER_CHECK, Record},
    error::Result,
    job::Job,
};
use std::io::{self, BufRead};

/// Maximum length of a record's data that is kept, in bytes. Cells have shorter records; the rest of a longer record
/// is skipped.
const MAX_KEPT: u32 = 1 << 20;

/// Records of a part.
pub(super) struct Records<'a, R> {
    pub(super) job: &'a Job<'a>,
    /// Stream of the part.
    source: R,
    /// Data of the current record.
    data: Vec<u8>,
    /// Number of records since the job's deadline was checked.
    since_check: u32,
}

impl<'a, R: BufRead> Records<'a, R> {
    pub(super) fn new(job: &'a Job<'a>, source: R) -> Self {
        Self {
            job,
            source,
            data: Vec::new(),
            since_check: 0,
        }
    }

    /// Reads the next record. `None` at the end of the part.
    pub(super) fn next(&mut self) -> Result<Option<Record<'_>>> {
        self.since_check += 1;
        if self.since_check == RECORDS_PER_CHECK {
            self.since_check = 0;
            self.job.check()?;
        }
        let job = self.job;
        match self.read() {
            Ok(Some(kind)) => Ok(Some(Record {
                kind,
                data: &self.data,
            })),
            Ok(None) => Ok(None),
            Err(err) if err.kind() == io::ErrorKind::UnexpectedEof => {
                Err(job.unreadable("a part ends in the middle of a record"))
            }
            Err(err) => Err(job.unreadable(err)),
        }
    }

    /// Reads the next record and returns its type. The type has one or two bytes, the length up to four, each with
    /// seven bits and a continuation bit (MS-XLSB 2.1.4).
    fn read(&mut self) -> io::Result<Option<u16>> {
        if self.source.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let low = self.byte()?;
        let kind = match low & 0x80 {
            0 => u16::from(low),
            _ => u16::from(low & 0x7f) | u16::from(self.byte()? & 0x7f) << 7,
        };
        let mut len = 0;
        for shift in [0, 7, 14, 21] {
            let byte = self.byte()?;
            len |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                break;
            }
        }
        let kept = len.min(MAX_KEPT) as usize;
        self.data.resize(kept, 0);
        self.source.read_exact(&mut self.data)?;
        let mut rest = len as usize - kept;
        while rest > 0 {
            let now = self.source.fill_buf()?.len().min(rest);
            if now == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            self.source.consume(now);
            rest -= now;
        }
        Ok(Some(kind))
    }

    /// Reads a byte.
    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.source.read_exact(&mut byte)?;
        Ok(byte[0])
    }
}

impl Record<'_> {
    /// Appends the text at an offset, which begins with its length in UTF-16 code units (2.5.168). Returns the offset
    /// of its end. A length of 2³² - 1 stands for a missing text.
    pub(super) fn text(self, at: usize, out: &mut String) -> Option<usize> {
        let len = match self.u32(at) {
            u32::MAX => 0,
            len => usize::try_from(len).ok()?.checked_mul(2)?,
        };
        let start = at.checked_add(4)?;
        let end = start.checked_add(len)?;
        let bytes = self.data.get(start..end)?;
        let (units, _) = bytes.as_chunks::<2>();
        let units = units.iter().map(|unit| u16::from_le_bytes(*unit));
        out.extend(char::decode_utf16(units).map(|c| c.unwrap_or('\u{fffd}')));
        Some(end)
    }
}
