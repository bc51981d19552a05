//! Reads image file directories (TIFF 6.0, section 2, and BigTIFF), of which TIFF files and EXIF blocks consist. Never
//! follows a chain of directories.
//!
//! A file begins with its byte order and a pointer to the first directory. A directory is the number of its entries,
//! the entries, and a pointer to the next directory, which is 0 in the last one. An entry has a tag, a type, the number
//! of its values, and a slot. The slot holds the values if they fit into it, and otherwise a pointer to them. BigTIFF
//! differs only in wider numbers.
//!
//! The trap: every pointer may lead anywhere, even back to an earlier directory, and every number may be wrong. So
//! memory is never allocated by a number in the file alone, and callers limit how many directories and values they
//! read. A block in memory is read through a [`Cursor`](std::io::Cursor).

use crate::job::Input;
use std::io::{self, SeekFrom};
use tiff::tags::{Tag, Type};

/// The byte order of a file's numbers and the width of its pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    little: bool,
    big: bool,
}

impl Numbers {
    /// Reads the header of a file: the form of its numbers, and the position of the first directory. `None` if the file
    /// is not a TIFF.
    pub fn of(input: &mut dyn Input) -> io::Result<Option<(Self, u64)>> {
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
            // The header of a BigTIFF also holds the width of its pointers, which is always 8, and a zero; both are
            // skipped.
            input.seek(SeekFrom::Start(numbers.first_pointer()))?;
        }
        let first = numbers.pointer(input)?;
        Ok(Some((numbers, first)))
    }

    /// Returns whether the file is a BigTIFF, whose pointers have 64 bits.
    pub fn is_big(self) -> bool {
        self.big
    }

    /// Returns whether numbers are stored with the low byte first.
    pub fn is_little(self) -> bool {
        self.little
    }

    /// Position in the header of the pointer to the first directory.
    pub fn first_pointer(self) -> u64 {
        if self.big { 8 } else { 4 }
    }

    /// The number in `bytes`, of which there are at most 8.
    pub fn value(self, bytes: &[u8]) -> u64 {
        let digit = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        if self.little {
            bytes.iter().rev().fold(0, digit)
        } else {
            bytes.iter().fold(0, digit)
        }
    }

    /// `value` as `N` bytes, into which it has to fit.
    pub fn bytes<const N: usize>(self, value: u64) -> [u8; N] {
        let at = |at: usize| (value >> (8 * at)) as u8;
        std::array::from_fn(|index| at(if self.little { index } else { N - 1 - index }))
    }

    /// A pointer to `offset`, as a file stores it.
    pub fn pointer_to(self, offset: u64) -> Vec<u8> {
        if self.big {
            self.bytes::<8>(offset).into()
        } else {
            self.bytes::<4>(offset).into()
        }
    }

    /// Length in bytes of a pointer; the slot of an entry has the same length.
    fn pointer_len(self) -> usize {
        if self.big { 8 } else { 4 }
    }

    /// Reads a pointer at the input's position.
    fn pointer(self, input: &mut dyn Input) -> io::Result<u64> {
        let mut bytes = [0; 8];
        let bytes = &mut bytes[..self.pointer_len()];
        input.read_exact(bytes)?;
        Ok(self.value(bytes))
    }
}

/// An entry of a directory: a tag, and the position of its values.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Meaning of the values.
    pub tag: Tag,
    /// The type of the values; `None` for a type that is in neither specification.
    pub kind: Option<Type>,
    /// The number of values.
    pub count: u64,
    /// Position of the slot in the file.
    pub slot: u64,
    /// Offset of the values in the file: the offset of the slot itself, or the offset that the slot contains.
    pub offset: u64,
}

impl Entry {
    /// Length of one value in bytes; 1 if the type is unknown.
    pub fn width(&self) -> u64 {
        self.kind.map_or(1, width)
    }

    /// Length of all values in bytes.
    pub fn byte_len(&self) -> u64 {
        self.count.saturating_mul(self.width())
    }
}

/// Length of a value of this type in bytes (TIFF 6.0, section 2; BigTIFF).
pub fn width(kind: Type) -> u64 {
    match kind {
        Type::SHORT | Type::SSHORT => 2,
        Type::LONG | Type::SLONG | Type::FLOAT | Type::IFD => 4,
        Type::RATIONAL | Type::SRATIONAL | Type::DOUBLE => 8,
        Type::LONG8 | Type::SLONG8 | Type::IFD8 => 8,
        // Bytes, text, and types that future versions of the crate may add.
        _ => 1,
    }
}

/// The entries of one directory, read one after another.
pub struct Entries<'i> {
    input: &'i mut dyn Input,
    numbers: Numbers,
    /// Position of the next entry in the file.
    at: u64,
    left: u64,
}

impl<'i> Entries<'i> {
    /// Starts with the first entry of the directory at `offset`.
    pub fn of(input: &'i mut dyn Input, numbers: Numbers, offset: u64) -> io::Result<Self> {
        let mut count = [0; 8];
        let count = &mut count[..if numbers.big { 8 } else { 2 }];
        input.seek(SeekFrom::Start(offset))?;
        input.read_exact(count)?;
        Ok(Self {
            at: offset.saturating_add(count.len() as u64),
            left: numbers.value(count),
            input,
            numbers,
        })
    }

    /// Reads the next entry. `None` after the last one.
    pub fn next_entry(&mut self) -> io::Result<Option<Entry>> {
        if self.left == 0 {
            return Ok(None);
        }
        let (numbers, width) = (self.numbers, self.numbers.pointer_len());
        let mut bytes = [0; 20];
        let bytes = &mut bytes[..4 + 2 * width];
        self.input.read_exact(bytes)?;
        let (count, slot) = bytes[4..].split_at(width);
        let mut entry = Entry {
            tag: Tag::from_u16_exhaustive(numbers.value(&bytes[..2]) as u16),
            kind: Type::from_u16(numbers.value(&bytes[2..4]) as u16),
            count: numbers.value(count),
            slot: self.at.saturating_add(4 + width as u64),
            offset: 0,
        };
        entry.offset = if entry.byte_len() <= width as u64 {
            entry.slot
        } else {
            numbers.value(slot)
        };
        self.at = self.at.saturating_add(bytes.len() as u64);
        self.left -= 1;
        Ok(Some(entry))
    }

    /// Position of the pointer to the next directory: after the last entry.
    pub fn end(&self) -> u64 {
        let len = 4 + 2 * self.numbers.pointer_len() as u64;
        self.at.saturating_add(self.left.saturating_mul(len))
    }

    /// Reads the offset of the next directory; 0 if this is the last one.
    pub fn next_directory(self) -> io::Result<u64> {
        let end = self.end();
        self.input.seek(SeekFrom::Start(end))?;
        self.numbers.pointer(self.input)
    }
}

/// The entries of one directory. Their values are read from the file when they are asked for.
pub struct Directory {
    /// The byte order, and the width of offsets: four or eight bytes.
    pub numbers: Numbers,
    /// Entries, in the order of the file.
    pub entries: Vec<Entry>,
    /// Position of the pointer to the next directory in the file.
    pub end: u64,
}

impl Directory {
    /// Reads the directory at `offset`, and at most `most` of its entries.
    pub fn read(
        input: &mut dyn Input,
        numbers: Numbers,
        offset: u64,
        most: usize,
    ) -> io::Result<Self> {
        let mut found = Entries::of(input, numbers, offset)?;
        let end = found.end();
        let mut entries = Vec::new();
        while entries.len() < most
            && let Some(entry) = found.next_entry()?
        {
            entries.push(entry);
        }
        Ok(Self {
            numbers,
            entries,
            end,
        })
    }

    /// Reads at most the first `most` values of a tag. Empty if the directory does not have the tag.
    pub fn values(&self, input: &mut dyn Input, tag: Tag, most: usize) -> io::Result<Vec<u64>> {
        let Some((width, bytes)) = self.raw(input, tag, most)? else {
            return Ok(Vec::new());
        };
        let values = bytes.chunks_exact(width);
        Ok(values.map(|bytes| self.numbers.value(bytes)).collect())
    }

    /// Reads the first value of a tag.
    pub fn value(&self, input: &mut dyn Input, tag: Tag) -> io::Result<Option<u64>> {
        Ok(self.values(input, tag, 1)?.first().copied())
    }

    /// Reads `N` fractions, which some writers store as whole numbers. `None` if the tag has fewer, or if a denominator
    /// is 0.
    pub fn fractions<const N: usize>(
        &self,
        input: &mut dyn Input,
        tag: Tag,
    ) -> io::Result<Option<[f32; N]>> {
        let Some((width, bytes)) = self.raw(input, tag, N)? else {
            return Ok(None);
        };
        if !matches!(width, 2 | 4 | 8) || bytes.len() < width * N {
            return Ok(None);
        }
        let mut fractions = [0.0; N];
        for (fraction, bytes) in fractions.iter_mut().zip(bytes.chunks_exact(width)) {
            *fraction = match bytes.split_at_checked(4) {
                Some((above, below @ [_, ..])) => {
                    self.numbers.value(above) as f32 / self.numbers.value(below) as f32
                }
                _ => self.numbers.value(bytes) as f32,
            };
        }
        let usable = fractions.iter().all(|fraction| fraction.is_finite());
        Ok(usable.then_some(fractions))
    }

    /// Reads at most the first `most` values of a tag as bytes.
    pub fn bytes(
        &self,
        input: &mut dyn Input,
        tag: Tag,
        most: usize,
    ) -> io::Result<Option<Vec<u8>>> {
        Ok(self.raw(input, tag, most)?.map(|(_, bytes)| bytes))
    }

    /// Reads at most `most` values of a tag: the length of one in bytes, and the bytes of all.
    fn raw(
        &self,
        input: &mut dyn Input,
        tag: Tag,
        most: usize,
    ) -> io::Result<Option<(usize, Vec<u8>)>> {
        let Some(entry) = self.entries.iter().find(|entry| entry.tag == tag) else {
            return Ok(None);
        };
        let width = entry.width() as usize;
        let mut bytes = vec![0; width * entry.count.min(most as u64) as usize];
        input.seek(SeekFrom::Start(entry.offset))?;
        input.read_exact(&mut bytes)?;
        Ok(Some((width, bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// A file with one directory of three entries: a value in its slot, three values after the directory, and two
    /// values of an unknown type.
    fn file(head: &[u8; 4]) -> Vec<u8> {
        let numbers = Numbers {
            little: head[0] == b'I',
            big: head.contains(&b'+'),
        };
        let wide = |value: u64| numbers.pointer_to(value);
        let short = |value: u64| numbers.bytes::<2>(value).to_vec();
        let mut file = head.to_vec();
        if numbers.big {
            file.extend([short(8), short(0)].concat());
        }
        let first = file.len() + wide(0).len();
        file.extend(wide(first as u64));
        file.extend(if numbers.big { wide(3) } else { short(3) });
        let entries = first + if numbers.big { 8 } else { 2 };
        let beyond = entries + 3 * (4 + 2 * wide(0).len()) + wide(0).len();
        let slot = [short(7), vec![0; wide(0).len() - 2]].concat();
        for (tag, kind, count, slot) in [
            (256, 3, 1, slot),
            (273, 16, 3, wide(beyond as u64)),
            (999, 77, 2, wide(0)),
        ] {
            file.extend([short(tag), short(kind), wide(count), slot].concat());
        }
        file.extend(wide(1234));
        for value in [5, 6, 70_000] {
            file.extend(numbers.bytes::<8>(value));
        }
        file
    }

    #[test]
    fn both_orders_and_both_widths_are_read() {
        for head in [b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"] {
            let mut input = Cursor::new(file(head));
            let (numbers, first) = Numbers::of(&mut input).unwrap().unwrap();
            let directory = Directory::read(&mut input, numbers, first, 100).unwrap();
            let mut values = |tag, most| directory.values(&mut input, tag, most).unwrap();
            assert_eq!(values(Tag::ImageWidth, 9), [7]);
            assert_eq!(values(Tag::StripOffsets, 9), [5, 6, 70_000]);
            assert_eq!(values(Tag::StripOffsets, 2), [5, 6]);
            assert!(values(Tag::ImageLength, 9).is_empty());
            assert_eq!(directory.entries[2].byte_len(), 2);
            let entries = Entries::of(&mut input, numbers, first).unwrap();
            assert_eq!(entries.next_directory().unwrap(), 1234);
        }
    }

    #[test]
    fn other_files_are_not_tiff() {
        let mut input = Cursor::new(b"II*!\0\0\0\0");
        assert!(Numbers::of(&mut input).unwrap().is_none());
    }

    #[test]
    fn a_truncated_directory_is_an_error() {
        let whole = file(b"II*\0");
        for len in 8..whole.len() - 28 {
            let mut input = Cursor::new(&whole[..len]);
            let (numbers, first) = Numbers::of(&mut input).unwrap().unwrap();
            assert!(Directory::read(&mut input, numbers, first, 100).is_err());
        }
    }
}
