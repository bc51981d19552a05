//! The text of a book: its records, unpacked and without what stands behind the text of each. Interprets no markup.

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
    /// Number of records that were damaged or missing.
    pub(super) damaged: usize,
}

/// Unpacks the text of a book. Its memory is added to the lease.
///
/// Errors: [`BadInput`](crate::error::Kind::BadInput) for a damaged dictionary, or a text that is larger than all
/// limits.
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
        // The most that it can become: five bytes for each, or as much as a dictionary gives.
        let room = 5 * packed.len() + (1 << 17);
        lease.grow_exactly(room as u64)?;
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
        lease.set((lease.bytes() + len as u64).saturating_sub(room as u64))?;
        job.check_growth(text.bytes.len() as u64)?;
    }
    Ok(text)
}

/// Length of the entries behind the text of a record: of those kinds that the bits of `kinds` say. The last bytes of
/// each entry are its own length, in seven bits a byte; only the first entry, the rest of a character that the record
/// divides, has its length in two bits.
fn trailing_len(record: &[u8], kinds: u16) -> usize {
    let mut rest = record;
    for _ in 0..(kinds >> 1).count_ones() {
        let mut len = 0;
        for byte in &rest[rest.len().saturating_sub(4)..] {
            // The first byte of the length is marked.
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
    fn entries_behind_the_text_are_known_by_their_ends() {
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
        // Lengths that lie.
        check(b"text\xff", 2, 5);
        check(b"", 7, 0);
    }
}
