//! How a TIFF writes numbers (TIFF 6.0, section 2; BigTIFF: wider ones). Knows no tag.

use crate::{image::pages::Patch, job::Input};
use std::io::{self, SeekFrom};

#[derive(Clone, Copy)]
pub(crate) struct Numbers {
    little: bool,
    pub(crate) big: bool,
}

impl Numbers {
    /// Those of a file, and where its first directory stands. `None` for what is no TIFF.
    pub(crate) fn of(input: &mut dyn Input) -> io::Result<Option<(Self, u64)>> {
        let mut head = [0; 4];
        input.seek(SeekFrom::Start(0))?;
        input.read_exact(&mut head)?;
        let (little, big) = match &head {
            b"II*\0" => (true, false),
            b"MM\0*" => (false, false),
            b"II+\0" => (true, true),
            b"MM\0+" => (false, true),
            _ => return Ok(None),
        };
        let numbers = Self { little, big };
        if big {
            // The width of its numbers, which is always 8, and a zero.
            input.seek(SeekFrom::Start(8))?;
        }
        let first = numbers.offset(input)?;
        Ok(Some((numbers, first)))
    }

    /// Bytes of the number of entries in a directory.
    pub(crate) fn count_len(self) -> usize {
        if self.big { 8 } else { 2 }
    }

    /// Bytes of an entry.
    pub(crate) fn entry_len(self) -> usize {
        if self.big { 20 } else { 12 }
    }

    pub(crate) fn value(self, bytes: &[u8]) -> u64 {
        let digit = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        if self.little {
            bytes.iter().rev().fold(0, digit)
        } else {
            bytes.iter().fold(0, digit)
        }
    }

    /// Reads a number: 4 bytes or less, or twice as many in a BigTIFF.
    pub(crate) fn offset(self, input: &mut dyn Input) -> io::Result<u64> {
        let mut bytes = [0; 8];
        let bytes = &mut bytes[..if self.big { 8 } else { 4 }];
        input.read_exact(bytes)?;
        Ok(self.value(bytes))
    }

    /// The pointer to the first directory, turned to another.
    pub(crate) fn to(self, place: u64) -> Patch {
        let mut bytes = place.to_le_bytes().to_vec();
        bytes.truncate(if self.big { 8 } else { 4 });
        if !self.little {
            bytes.reverse();
        }
        Patch {
            start: if self.big { 8 } else { 4 },
            bytes,
        }
    }
}
