//! The tags of a TIFF's first picture (TIFF 6.0, section 2; BigTIFF), each read when it is asked for. Never reads more
//! values of one than it is told to.

use super::numbers::Numbers;
use crate::job::Input;
use std::io::{self, SeekFrom};

/// A tag that has not been read.
struct Entry {
    id: u64,
    kind: u64,
    count: u64,
    /// Where the values stand in the file.
    place: u64,
}

pub(crate) struct Directory {
    numbers: Numbers,
    entries: Vec<Entry>,
}

impl Directory {
    /// `None` for what is no TIFF. `tiff_tags` has checked that the values lie within the file.
    pub(crate) fn of(input: &mut dyn Input) -> io::Result<Option<Self>> {
        let Some((numbers, first)) = Numbers::of(input)? else {
            return Ok(None);
        };
        let mut count = [0; 8];
        let count = &mut count[..numbers.count_len()];
        input.seek(SeekFrom::Start(first))?;
        input.read_exact(count)?;
        let count = numbers.value(count).min(65_535);
        let width = if numbers.big { 8 } else { 4 };
        let mut at = first + numbers.count_len() as u64;
        let mut bytes = [0; 20];
        let bytes = &mut bytes[..numbers.entry_len()];
        let mut entries = Vec::new();
        for _ in 0..count {
            input.read_exact(bytes)?;
            let kind = numbers.value(&bytes[2..4]);
            let count = numbers.value(&bytes[4..4 + width]);
            // Short values stand in the entry itself.
            let inside = count.saturating_mul(value_len(kind)) <= width as u64;
            entries.push(Entry {
                id: numbers.value(&bytes[..2]),
                kind,
                count,
                place: if inside {
                    at + 4 + width as u64
                } else {
                    numbers.value(&bytes[4 + width..])
                },
            });
            at += bytes.len() as u64;
        }
        Ok(Some(Self { numbers, entries }))
    }

    /// The values of a tag, `most` at most. Empty if there is none.
    pub(crate) fn values(
        &self,
        input: &mut dyn Input,
        id: u64,
        most: usize,
    ) -> io::Result<Vec<u64>> {
        let Some((len, bytes)) = self.read(input, id, most)? else {
            return Ok(Vec::new());
        };
        let values = bytes.chunks_exact(len);
        Ok(values.map(|bytes| self.numbers.value(bytes)).collect())
    }

    /// The first value of a tag.
    pub(crate) fn value(&self, input: &mut dyn Input, id: u64) -> io::Result<Option<u64>> {
        Ok(self.values(input, id, 1)?.first().copied())
    }

    /// The values of a tag that holds fractions, if it has `N` of them.
    pub(crate) fn fractions<const N: usize>(
        &self,
        input: &mut dyn Input,
        id: u64,
    ) -> io::Result<Option<[f32; N]>> {
        let Some((8, bytes)) = self.read(input, id, N)? else {
            return Ok(None);
        };
        let mut fractions = [0.0; N];
        if bytes.len() < 8 * N {
            return Ok(None);
        }
        for (fraction, bytes) in fractions.iter_mut().zip(bytes.chunks_exact(8)) {
            let (above, below) = bytes.split_at(4);
            *fraction = self.numbers.value(above) as f32 / self.numbers.value(below) as f32;
        }
        let usable = fractions.iter().all(|fraction| fraction.is_finite());
        Ok(usable.then_some(fractions))
    }

    /// The bytes of a tag, `most` at most.
    pub(crate) fn bytes(
        &self,
        input: &mut dyn Input,
        id: u64,
        most: usize,
    ) -> io::Result<Option<Vec<u8>>> {
        Ok(self.read(input, id, most)?.map(|(_, bytes)| bytes))
    }

    /// The length of each value of a tag, and `most` of them.
    fn read(
        &self,
        input: &mut dyn Input,
        id: u64,
        most: usize,
    ) -> io::Result<Option<(usize, Vec<u8>)>> {
        let Some(entry) = self.entries.iter().find(|entry| entry.id == id) else {
            return Ok(None);
        };
        let len = value_len(entry.kind) as usize;
        let mut bytes = vec![0; len * entry.count.min(most as u64) as usize];
        input.seek(SeekFrom::Start(entry.place))?;
        input.read_exact(&mut bytes)?;
        Ok(Some((len, bytes)))
    }
}

/// Bytes of a value of the type `kind`.
fn value_len(kind: u64) -> u64 {
    match kind {
        3 | 8 => 2,
        4 | 9 | 11 | 13 => 4,
        5 | 10 | 12 | 16 | 17 | 18 => 8,
        _ => 1,
    }
}
