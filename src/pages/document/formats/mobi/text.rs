//! Reads the text of a book: unpacks its records, without the additional entries at the end of each. Interprets no
//! markup.

use super::{
    database::{Database, Record},
    header::{Compression, Header},
    huffman::Dictionary,
    lz77,
};
use crate::{
    error::Result,
    job::{Job, Lease},
};

/// Unpacked text.
pub(super) struct Text {
    pub(super) bytes: Vec<u8>,
    /// Number of damaged or missing records.
    pub(super) damaged: usize,
}

/// Unpacks the text of a book. Its memory is added to the lease.
///
/// Errors: [`BadInput`](crate::error::Kind::BadInput) if the dictionary is damaged, or if the text exceeds a limit.
pub(super) fn read(
    job: &Job<'_>,
    database: &Database,
    header: &Header<'_>,
    lease: &Lease<'_>,
) -> Result<Text> {
    let mut dictionary = match header.compression {
        Compression::Huffman => Some(Dictionary::read(job, database, header.huffman)?),
        Compression::Stored | Compression::Lz77 => None,
    };
    let mut text = Text {
        bytes: Vec::new(),
        damaged: 0,
    };
    for number in (header.start..).skip(1).take(header.texts) {
        job.check()?;
        let record = database.record(number).0;
        let packed = &record[..record.len() - trailing_len(record, header.trailing)];
        // Upper bound on the text of a record: LZ77 gives at most five bytes for each byte, and Huffman codes give at
        // most 128 KiB.
        let max_len = 5 * packed.len() + (1 << 17);
        lease.grow_exactly(max_len as u64)?;
        let before = text.bytes.len();
        let is_whole = match &mut dictionary {
            Some(dictionary) => dictionary.unpack(job, packed, &mut text.bytes)?,
            None if header.compression == Compression::Lz77 => {
                lz77::unpack(packed, &mut text.bytes)
            }
            None => {
                text.bytes.extend_from_slice(packed);
                true
            }
        };
        text.damaged += usize::from(!is_whole || number >= database.len());
        let len = text.bytes.len() - before;
        lease.set((lease.bytes() + len as u64).saturating_sub(max_len as u64))?;
        job.check_growth(text.bytes.len() as u64)?;
    }
    Ok(text)
}

/// Length of the additional entries at the end of a record of text. Each bit of `kinds` is a kind of entry. The length
/// of an entry is at its end, with seven bits in each byte. The exception is the entry of the lowest bit, which comes
/// first and contains the end of a character that began in this record: its length is in the two lowest bits of its
/// last byte.
fn trailing_len(record: &[u8], kinds: u16) -> usize {
    let mut rest = record;
    for _ in 0..(kinds >> 1).count_ones() {
        let mut len = 0;
        for byte in &rest[rest.len().saturating_sub(4)..] {
            // The highest bit marks the first byte of the length.
            if byte & 0x80 != 0 {
                len = 0;
            }
            len = len << 7 | usize::from(byte & 0x7f);
        }
        rest = &rest[..rest.len().saturating_sub(len)];
    }
    if kinds & 1 != 0 && !rest.is_empty() {
        let last = Record(rest).u8(rest.len() - 1);
        rest = &rest[..rest.len().saturating_sub(usize::from(last & 3) + 1)];
    }
    record.len() - rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trailing_entries_are_measured_from_their_ends() {
        #[track_caller]
        fn check(record: &[u8], kinds: u16, len: usize) {
            assert_eq!(trailing_len(record, kinds), len, "{record:x?}");
        }
        check(b"text", 0, 0);
        check(b"text\0", 1, 1);
        check(b"text\xa9\x01", 1, 2);
        check(b"text\x81", 2, 1);
        check(b"text\0ab\x83", 3, 4);
        check(&[&[b'x'; 130][..], b"\x81\0"].concat(), 2, 128);
        check(b"text12345\x80\x8a", 2, 10);
        check(b"text1\x82\x81", 6, 3);
        // Lengths that exceed the record.
        check(b"text\xff", 2, 5);
        check(b"", 7, 0);
    }
}
