//! Iterates over the records of a workbook stream (MS-XLS 2.1.4): a type, a length, and up to 8,224 bytes of data.
//! Holds one record at a time.

use crate::{
    biff::{RECORDS_PER_CHECK, Record},
    containers::cfb,
    error::Result,
    job::Job,
};

/// Record type of formulas.
pub(super) const FORMULA: u16 = 0x06;

/// Record types of formulas in Excel 3 and 4. Later versions of Excel use the type of Excel 2 again, but Apple's
/// Numbers writes these types.
const LATER_FORMULAS: [u16; 2] = [0x206, 0x406];

/// Number of bytes that are read at a time.
const BUFFER: u64 = 1 << 15;

/// Records of a workbook stream.
pub(super) struct Records<'a> {
    pub(super) job: &'a Job<'a>,
    /// Workbook stream in the compound file.
    stream: cfb::Stream<'a>,
    /// Part of the stream that is in memory.
    buffer: Vec<u8>,
    /// Position of the buffer in the stream.
    start: u64,
    /// Offset of the next record in the buffer.
    at: usize,
    /// Data of the current record in the buffer.
    data: std::ops::Range<usize>,
    /// Number of records since the job's deadline was checked.
    since_check: u32,
}

impl<'a> Records<'a> {
    pub(super) fn new(job: &'a Job<'a>, stream: cfb::Stream<'a>) -> Self {
        Self {
            job,
            stream,
            buffer: Vec::new(),
            start: 0,
            at: 0,
            data: 0..0,
            since_check: 0,
        }
    }

    /// Continues with the record at a position of the stream.
    pub(super) fn seek(&mut self, position: u64) {
        self.stream.seek(position);
        self.start = self.stream.position();
        self.buffer.clear();
        self.at = 0;
    }

    /// Position of the next record.
    pub(super) fn position(&self) -> u64 {
        self.start + self.at as u64
    }

    /// Reads the next record. `None` at the end of the stream.
    pub(super) fn next(&mut self) -> Result<Option<Record<'_>>> {
        self.since_check += 1;
        if self.since_check == RECORDS_PER_CHECK {
            self.since_check = 0;
            self.job.check()?;
        }
        if !self.fill(4)? {
            return Ok(None);
        }
        let (kind, len) = (self.header(0), usize::from(self.header(2)));
        let kind = match LATER_FORMULAS.contains(&kind) {
            true => FORMULA,
            false => kind,
        };
        if !self.fill(4 + len)? {
            return Err(self
                .job
                .unreadable("its workbook stream ends in the middle of a record"));
        }
        self.data = self.at + 4..self.at + 4 + len;
        self.at = self.data.end;
        Ok(Some(Record {
            kind,
            data: &self.buffer[self.data.clone()],
        }))
    }

    /// Type of the next record, or 0 at the end of the stream.
    pub(super) fn peek(&mut self) -> Result<u16> {
        Ok(match self.fill(4)? {
            true => self.header(0),
            false => 0,
        })
    }

    /// Reads a field of the next record's header.
    fn header(&self, at: usize) -> u16 {
        let two = self
            .buffer
            .get(self.at + at..)
            .and_then(|rest| rest.first_chunk());
        two.map_or(0, |two| u16::from_le_bytes(*two))
    }

    /// Returns whether `len` bytes follow, counted from the next record. Reads them into the buffer if necessary.
    fn fill(&mut self, len: usize) -> Result<bool> {
        if self.buffer.len() - self.at >= len {
            return Ok(true);
        }
        self.buffer.drain(..self.at);
        self.start += self.at as u64;
        self.at = 0;
        let left = self.stream.len() - self.stream.position();
        let have = self.buffer.len();
        if ((have as u64) + left) < len as u64 {
            return Ok(false);
        }
        let more = left.min(BUFFER.max(len as u64)) as usize;
        self.buffer.resize(have + more, 0);
        let job = self.job;
        self.stream
            .read_exact(&mut self.buffer[have..])
            .map_err(|_| job.unreadable("its workbook stream is cut off"))?;
        Ok(true)
    }
}
