//! The Palm database that contains a book: a table with the offset of each record, and the records. Interprets no
//! record.
//!
//! All numbers are big-endian. The table states no lengths: a record ends where the next one begins. Offsets that
//! decrease would make records overlap, so such a table is refused.

use crate::{error::Result, job::Job};
use std::ops::Range;

/// Offset of the table of records, after the header, in bytes.
const TABLE: usize = 78;

/// Length in bytes of an entry of the table, which has the offset, the attributes and the number of a record.
const ENTRY: usize = 8;

/// The fields of a record. Bytes beyond its end read as 0.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Record<'d>(pub(super) &'d [u8]);

impl<'d> Record<'d> {
    /// The byte at an offset.
    pub(super) fn u8(self, at: usize) -> u8 {
        self.0.get(at).copied().unwrap_or(0)
    }

    /// The 16-bit number at an offset.
    pub(super) fn u16(self, at: usize) -> u16 {
        u16::from_be_bytes([self.u8(at), self.u8(at + 1)])
    }

    /// The 32-bit number at an offset.
    pub(super) fn u32(self, at: usize) -> u32 {
        u32::from(self.u16(at)) << 16 | u32::from(self.u16(at + 2))
    }

    /// A 32-bit number that is an offset or a length, as a `usize`.
    pub(super) fn size(self, at: usize) -> usize {
        self.u32(at) as usize
    }

    /// The bytes from an offset to the end of the record. Empty if the offset is beyond the end.
    pub(super) fn from(self, at: usize) -> Self {
        Self(self.0.get(at..).unwrap_or_default())
    }

    /// At most `len` bytes from an offset on.
    pub(super) fn part(self, at: usize, len: usize) -> Self {
        let rest = self.from(at).0;
        Self(&rest[..len.min(rest.len())])
    }

    /// Returns whether the record begins with these bytes.
    pub(super) fn is(self, magic: &[u8]) -> bool {
        self.0.starts_with(magic)
    }
}

/// A database in memory.
pub(super) struct Database {
    bytes: Vec<u8>,
    /// Offset of each record, followed by the length of the file.
    starts: Vec<usize>,
    /// Whether the file ends before its last record begins.
    pub(super) is_cut: bool,
}

impl Database {
    /// Reads the table of records.
    ///
    /// Errors: [`BadInput`](crate::error::Kind::BadInput) if the table is cut off or empty, or if its offsets decrease
    /// or lead into the table.
    pub(super) fn new(job: &Job<'_>, bytes: Vec<u8>) -> Result<Self> {
        let head = Record(&bytes);
        let count = usize::from(head.u16(TABLE - 2));
        let mut last = TABLE + count * ENTRY;
        if bytes.len() < last || count == 0 {
            return Err(job.unreadable("it is cut off: its table of records is incomplete"));
        }
        let mut starts = Vec::with_capacity(count + 1);
        for number in 0..count {
            let start = head.size(TABLE + number * ENTRY);
            if start < last {
                return Err(job.unreadable(format!(
                    "its table of records is damaged: record {number} begins at byte {start}, within the data before it"
                )));
            }
            last = start;
            starts.push(start.min(bytes.len()));
        }
        starts.push(bytes.len());
        Ok(Self {
            is_cut: last > bytes.len(),
            bytes,
            starts,
        })
    }

    /// Number of records.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The record with this number. Empty beyond the last one.
    pub(super) fn record(&self, number: usize) -> Record<'_> {
        let range = |starts: &[usize]| -> Option<Range<usize>> {
            Some(*starts.get(number)?..*starts.get(number.checked_add(1)?)?)
        };
        Record(range(&self.starts).map_or(&[], |range| &self.bytes[range]))
    }

    /// Name of the database: the title of a book, shortened to 31 bytes.
    pub(super) fn name(&self) -> &[u8] {
        let name = &self.bytes[..self.bytes.len().min(32)];
        name.split(|byte| *byte == 0).next().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::testing::with_job;

    /// A database with records at these offsets.
    fn database(starts: &[u32], len: usize) -> Vec<u8> {
        let mut bytes = vec![0; TABLE - 2];
        bytes.extend((starts.len() as u16).to_be_bytes());
        for start in starts {
            bytes.extend(start.to_be_bytes());
            bytes.extend([0; 4]);
        }
        bytes.resize(len, 7);
        bytes
    }

    #[test]
    fn records_follow_one_another() {
        with_job(|job| {
            let database = Database::new(job, database(&[94, 97], 100)).unwrap();
            let lengths = [0, 1, 2, usize::MAX].map(|number| database.record(number).0.len());
            assert_eq!((lengths, database.is_cut), ([3, 3, 0, 0], false));
            assert_eq!(database.record(0).u32(1), 0x0707_0000);
        });
    }

    #[test]
    fn tables_that_lead_into_themselves_are_refused() {
        #[track_caller]
        fn check(starts: &[u32], len: usize, whole: Option<bool>) {
            let read = with_job(|job| {
                let database = Database::new(job, database(starts, len)).ok()?;
                (0..10).for_each(|number| _ = database.record(number));
                Some(!database.is_cut)
            });
            assert_eq!(read, whole, "{starts:?}");
        }
        check(&[94, 97], 100, Some(true));
        check(&[94, 94], 100, Some(true));
        check(&[94, 100], 100, Some(true));
        check(&[94, 101], 100, Some(false));
        check(&[94, u32::MAX], 100, Some(false));
        check(&[78, 97], 100, None);
        check(&[97, 94], 100, None);
        check(&[94, 97], 90, None);
        check(&[], 100, None);
    }
}
