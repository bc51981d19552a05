//! The compression with Huffman codes (HUFF/CDIC). Each code represents a phrase of a dictionary, and a phrase may
//! itself be compressed in this way. Does not unpack other compression.
//!
//! The record `HUFF` has two tables. The first table has an entry for each value of the next eight bits. It states the
//! length of the code that begins with them. If the code is short enough to be determined by these bits, the entry also
//! states the highest code of that length. Otherwise the second table, with the lowest and the highest code of each
//! length, determines the code. The number of a phrase is the distance of its code from the highest code of the same
//! length. The records `CDIC` contain the phrases.
//!
//! A damaged or hostile file may have phrases that contain themselves, and phrases that double in length with each
//! level. So each phrase is unpacked only once, the number of levels is limited, and no phrase may be longer than a
//! record of text.

use super::database::{Database, Record};
use crate::{
    error::Result,
    job::{Job, Lease},
};

/// Limit on the nesting of phrases.
const MAX_LEVELS: u8 = 32;

/// Limit on the text of a record or a phrase, in bytes.
const LONGEST: usize = 1 << 16;

/// A phrase of the dictionary.
enum Phrase<'d> {
    /// Uncompressed text.
    Plain(&'d [u8]),
    /// Compressed text that has not been needed yet.
    Packed(&'d [u8]),
    /// Text that was compressed and is now unpacked.
    Unpacked(Box<[u8]>),
    /// A phrase that is being unpacked and therefore must not occur in itself, or a damaged phrase.
    Broken,
}

/// The codes and the phrases of a book.
pub(super) struct Dictionary<'d, 'j> {
    /// For each value of eight bits: the length of the code that begins with them, and the highest code of this length.
    /// Without a highest code, the length is only a lower bound.
    first: Vec<(u32, Option<u64>)>,
    /// The lowest and the highest code of each length, extended to 32 bits with zeros and ones respectively.
    bounds: [(u64, u64); 33],
    phrases: Vec<Phrase<'d>>,
    lease: Lease<'j>,
}

impl<'d, 'j> Dictionary<'d, 'j> {
    /// Reads `count` records from record `first` on: one `HUFF`, then `CDIC`.
    ///
    /// Errors: [`BadInput`](crate::error::Kind::BadInput) if record `first` is not `HUFF`, or if its first table is cut
    /// off.
    pub(super) fn read(
        job: &Job<'j>,
        database: &'d Database,
        (first, count): (usize, usize),
    ) -> Result<Self> {
        let record = database.record(first);
        let (table, base) = (record.size(8), record.size(12));
        if !record.is(b"HUFF") || record.part(table, 1024).0.len() < 1024 {
            return Err(job.unreadable("the table of its Huffman codes is damaged"));
        }
        let first_bits = (0..256).map(|byte| {
            let entry = record.u32(table.saturating_add(4 * byte));
            let len = entry & 0x1f;
            let is_all = entry & 0x80 != 0;
            (len, is_all.then(|| highest(entry >> 8, len)))
        });
        let mut bounds = [(0, 0); 33];
        for (len, bound) in bounds.iter_mut().enumerate().skip(1) {
            let at = base.saturating_add(8 * (len - 1));
            let len = len as u32;
            *bound = (
                u64::from(record.u32(at)) << (32 - len),
                highest(record.u32(at.saturating_add(4)), len),
            );
        }
        let mut dictionary = Self {
            first: first_bits.collect(),
            bounds,
            phrases: Vec::new(),
            lease: job.empty_lease(),
        };
        for number in (first + 1..).take(count.saturating_sub(1).min(database.len())) {
            job.check()?;
            dictionary.add(database.record(number))?;
        }
        Ok(dictionary)
    }

    /// Adds the phrases of a record `CDIC`. Its header states the number of all phrases in the book, and the number of
    /// bits of an index into one record. With n bits, a record has at most 2ⁿ phrases. Their offsets follow the header.
    fn add(&mut self, record: Record<'d>) -> Result<()> {
        if !record.is(b"CDIC") {
            return Ok(());
        }
        let most = 1_usize.checked_shl(record.u32(12)).unwrap_or(usize::MAX);
        let count = record.size(8).saturating_sub(self.phrases.len()).min(most);
        let body = record.from(16);
        let count = count.min(body.0.len() / 2);
        self.lease
            .grow((count * size_of::<Phrase<'_>>() * 2) as u64)?;
        for number in 0..count {
            let at = usize::from(body.u16(2 * number));
            let len = body.u16(at);
            let phrase = body.part(at + 2, usize::from(len & 0x7fff)).0;
            self.phrases.push(match len & 0x8000 {
                0 => Phrase::Packed(phrase),
                _ => Phrase::Plain(phrase),
            });
        }
        Ok(())
    }

    /// Unpacks a record and appends its text to `out`. Returns false if the record is damaged.
    ///
    /// Errors: those of [`Job::check`] and of the memory for unpacked phrases.
    pub(super) fn unpack(
        &mut self,
        job: &Job<'_>,
        packed: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<bool> {
        self.codes(job, packed, out, 0)
    }

    /// Unpacks codes that are nested in `level` phrases.
    fn codes(
        &mut self,
        job: &Job<'_>,
        packed: &[u8],
        out: &mut Vec<u8>,
        level: u8,
    ) -> Result<bool> {
        let start = out.len();
        let end = packed.len() * 8;
        let mut at = 0;
        while at < end {
            let Some((len, number)) = self.code(window(packed, at)) else {
                return Ok(false);
            };
            at += len as usize;
            // If the bits of a code extend beyond the last byte, they are padding.
            if at > end {
                break;
            }
            let phrase = match self.phrases.get(number) {
                Some(Phrase::Plain(phrase)) => {
                    out.extend_from_slice(phrase);
                    None
                }
                Some(Phrase::Unpacked(phrase)) => {
                    out.extend_from_slice(phrase);
                    None
                }
                Some(Phrase::Packed(phrase)) if level < MAX_LEVELS => Some(*phrase),
                _ => return Ok(false),
            };
            if let Some(phrase) = phrase {
                job.check()?;
                self.phrases[number] = Phrase::Broken;
                let mut text = Vec::new();
                if !self.codes(job, phrase, &mut text, level + 1)? {
                    return Ok(false);
                }
                out.extend_from_slice(&text);
                self.lease.grow(text.len() as u64)?;
                self.phrases[number] = Phrase::Unpacked(text.into());
            }
            if out.len() - start > LONGEST {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The length of the code that begins these 32 bits, and the number of its phrase. `None` if no code begins them.
    fn code(&self, bits: u32) -> Option<(u32, usize)> {
        let (mut len, highest) = self.first[(bits >> 24) as usize];
        let bits = u64::from(bits);
        let highest = match highest {
            Some(highest) => highest,
            None => {
                while len <= 32 && bits < self.bounds[len as usize].0 {
                    len += 1;
                }
                self.bounds.get(len as usize)?.1
            }
        };
        if len == 0 {
            return None;
        }
        let number = highest.checked_sub(bits)? >> (32 - len);
        Some((len, number as usize))
    }
}

/// The highest code of a length, extended to 32 bits with ones.
fn highest(code: u32, len: u32) -> u64 {
    ((u64::from(code) + 1) << (32 - len)) - 1
}

/// 32 bits from the bit `at` on. Bits beyond the end are zeros.
fn window(bytes: &[u8], at: usize) -> u32 {
    let mut word = [0; 8];
    let rest = bytes.get(at / 8..).unwrap_or_default();
    let len = rest.len().min(8);
    word[..len].copy_from_slice(&rest[..len]);
    (u64::from_be_bytes(word) << (at % 8) >> 32) as u32
}
