//! The structure of EXIF: directories of tags (TIFF 6.0, section 2; Exif 2.32, 4.6), which are parsed and written
//! again. Never trusts an offset.

use convertd_core::{
    containers::{
        bytes,
        ifd::{Directory, Numbers},
    },
    job::Input,
};
use std::io::{Cursor, SeekFrom};
use tiff::tags::{Tag, Type};

/// The prefix of EXIF in a JPEG segment (Exif 2.32, 4.7.2). Some writers put it before EXIF in other formats, too.
pub(crate) const PREFIX: &[u8] = b"Exif\0\0";

/// The tag of XMP in TIFF (XMP specification, part 3, 1.1.7).
pub(crate) const XMP: Tag = Tag::Unknown(700);

/// The pointer to the Interoperability directory within the Exif directory. It is dropped, as it is of little use.
const INTEROPERABILITY: Tag = Tag::Unknown(0xa005);
/// MakerNote. It is dropped, because its offsets count from the beginning of the original file.
const MAKER_NOTE: Tag = Tag::Unknown(0x927c);

/// Tags of the first directory that describe the picture rather than the file: description, author, date, device and
/// software, XMP, rating and copyright, and the tags that Windows adds.
const DESCRIPTIVE: [Tag; 15] = [
    Tag::ImageDescription,
    Tag::Make,
    Tag::Model,
    Tag::Software,
    Tag::DateTime,
    Tag::Artist,
    XMP,
    // Rating and its percentage.
    Tag::Unknown(18_246),
    Tag::Unknown(18_249),
    Tag::Copyright,
    // XPTitle, XPComment, XPAuthor, XPKeywords and XPSubject.
    Tag::Unknown(40_091),
    Tag::Unknown(40_092),
    Tag::Unknown(40_093),
    Tag::Unknown(40_094),
    Tag::Unknown(40_095),
];

/// Largest number of entries that are read from a directory.
pub(crate) const MAX_ENTRIES: usize = 512;

/// Largest size of a tree in bytes, including XMP. Values in a file may overlap, so their sum may exceed its length.
const MAX_BYTES: u64 = 2 * super::MAX as u64;

/// A tag with its value, in little-endian order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) tag: Tag,
    /// Type of the numbers.
    pub(crate) kind: Type,
    /// Count of the numbers.
    pub(crate) count: u32,
    /// Bytes of the numbers.
    pub(crate) value: Vec<u8>,
}

/// The directories of EXIF, parsed. In TIFF, they are those of the picture itself.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Tree {
    /// Entries that describe the picture, from the first directory.
    pub(crate) first: Vec<Entry>,
    /// Entries of the Exif directory.
    pub(crate) exif: Vec<Entry>,
    /// Entries of the GPS directory.
    pub(crate) gps: Vec<Entry>,
}

impl Tree {
    /// Reads the TIFF structure at the beginning of `input`, except maker notes and thumbnails. `None` if it is
    /// invalid, or a BigTIFF.
    pub(crate) fn read(input: &mut dyn Input) -> Option<Self> {
        let (numbers, first) = Numbers::of(input).ok()??;
        if numbers.is_big() {
            return None;
        }
        let mut budget = MAX_BYTES;
        let mut tree = Self::default();
        let (mut exif, mut gps) = (None, None);
        for entry in entries(input, numbers, first, &mut budget)? {
            let offset = entry.value.first_chunk().copied().map(u32::from_le_bytes);
            match entry.tag {
                Tag::ExifDirectory => exif = offset,
                Tag::GpsDirectory => gps = offset,
                tag if DESCRIPTIVE.contains(&tag) => tree.first.push(entry),
                _ => {}
            }
        }
        // A damaged directory is left out; the others are kept.
        let mut within = |offset: Option<u32>| {
            let offset = offset?.into();
            entries(input, numbers, offset, &mut budget)
        };
        tree.exif = within(exif).unwrap_or_default();
        tree.exif
            .retain(|entry| !matches!(entry.tag, MAKER_NOTE | INTEROPERABILITY));
        tree.gps = within(gps).unwrap_or_default();
        Some(tree)
    }

    /// Parses a block in memory.
    pub(crate) fn of(block: &[u8]) -> Option<Self> {
        Self::read(&mut Cursor::new(block))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.first.is_empty() && self.exif.is_empty() && self.gps.is_empty()
    }

    /// Removes a tag from the first directory, and returns its bytes.
    pub(crate) fn take(&mut self, tag: Tag) -> Option<Vec<u8>> {
        let at = self.first.iter().position(|entry| entry.tag == tag)?;
        Some(self.first.remove(at).value)
    }

    /// Serialises the tree as a block, which begins with the header of TIFF.
    pub(crate) fn block(mut self) -> Vec<u8> {
        let mut block = b"II*\0\x08\0\0\0".to_vec();
        let pointer = |tag: Tag| Entry {
            tag,
            kind: Type::LONG,
            count: 1,
            value: vec![0; 4],
        };
        let parts = [
            (Tag::ExifDirectory, &mut self.exif),
            (Tag::GpsDirectory, &mut self.gps),
        ];
        // The pointers to the other directories are written as 0, and set when the position of each is known.
        for (tag, entries) in &parts {
            if !entries.is_empty() {
                self.first.push(pointer(*tag));
            }
        }
        self.first.sort_by_key(|entry| entry.tag.to_u16());
        let start = block.len() + 2;
        let tags: Vec<Tag> = self.first.iter().map(|entry| entry.tag).collect();
        put(&mut block, &self.first);
        for (tag, entries) in parts {
            let Some(at) = tags.iter().position(|found| *found == tag) else {
                continue;
            };
            let offset = (block.len() as u32).to_le_bytes();
            block[start + 12 * at + 8..][..4].copy_from_slice(&offset);
            entries.sort_by_key(|entry| entry.tag.to_u16());
            put(&mut block, entries);
        }
        block
    }
}

/// Appends a directory, followed by those values that do not fit into its entries.
fn put(block: &mut Vec<u8>, entries: &[Entry]) {
    block.extend((entries.len() as u16).to_le_bytes());
    let mut beyond = Vec::new();
    let end = block.len() + 12 * entries.len() + 4;
    for entry in entries {
        block.extend(entry.tag.to_u16().to_le_bytes());
        block.extend(entry.kind.to_u16().to_le_bytes());
        block.extend(entry.count.to_le_bytes());
        let mut value = [0; 4];
        if let Some(short) = value.get_mut(..entry.value.len()) {
            short.copy_from_slice(&entry.value);
        } else {
            value = ((end + beyond.len()) as u32).to_le_bytes();
            beyond.extend(&entry.value);
            beyond.resize(beyond.len().next_multiple_of(2), 0);
        }
        block.extend(value);
    }
    block.extend([0; 4]);
    block.extend(beyond);
}

/// Reads the entries of a directory. Leaves out entries that cannot be read, and those that exceed the remaining budget
/// of bytes.
fn entries(
    input: &mut dyn Input,
    numbers: Numbers,
    offset: u64,
    budget: &mut u64,
) -> Option<Vec<Entry>> {
    let directory = Directory::read(input, numbers, offset, MAX_ENTRIES).ok()?;
    let mut found = Vec::new();
    for entry in directory.entries {
        let Some((kind, part)) = entry.kind.and_then(|kind| Some((kind, part(kind)?))) else {
            continue;
        };
        let Some(left) = budget.checked_sub(entry.byte_len()) else {
            continue;
        };
        let value = input
            .seek(SeekFrom::Start(entry.offset))
            .and_then(|_| bytes::read(input, entry.byte_len()));
        let Ok(mut value) = value else {
            continue;
        };
        *budget = left;
        // Converts big-endian values to little-endian.
        if !numbers.is_little() {
            value.chunks_exact_mut(part).for_each(<[u8]>::reverse);
        }
        found.push(Entry {
            tag: entry.tag,
            kind,
            count: entry.count as u32,
            value,
        });
    }
    Some(found)
}

/// Length in bytes of the unit whose byte order is swapped; for rational numbers, each half of the fraction. `None` for
/// types that EXIF does not have.
fn part(kind: Type) -> Option<usize> {
    match kind {
        Type::BYTE | Type::ASCII | Type::SBYTE | Type::UNDEFINED => Some(1),
        Type::SHORT | Type::SSHORT => Some(2),
        Type::LONG | Type::SLONG | Type::FLOAT | Type::IFD => Some(4),
        Type::RATIONAL | Type::SRATIONAL => Some(4),
        Type::DOUBLE => Some(8),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(tag: Tag, kind: Type, value: &[u8]) -> Entry {
        Entry {
            tag,
            kind,
            count: (value.len() / convertd_core::containers::ifd::width(kind) as usize) as u32,
            value: value.to_vec(),
        }
    }

    fn tree() -> Tree {
        Tree {
            first: vec![
                entry(Tag::Make, Type::ASCII, b"Somebody\0"),
                entry(Tag::DateTime, Type::ASCII, b"Now\0"),
            ],
            exif: vec![
                entry(
                    Tag::Unknown(0x829a),
                    Type::RATIONAL,
                    &[1, 0, 0, 0, 100, 0, 0, 0],
                ),
                entry(Tag::Unknown(0xa002), Type::SHORT, &[9, 0]),
                entry(Tag::Unknown(0xa003), Type::LONG, &[7, 0, 0, 0]),
            ],
            gps: vec![entry(Tag::Unknown(1), Type::ASCII, b"N\0")],
        }
    }

    #[test]
    fn a_written_tree_is_read_back() {
        assert_eq!(Tree::of(&tree().block()), Some(tree()));
        assert_eq!(Tree::of(b"II*\0"), None);
        assert_eq!(Tree::of(b""), None);
    }

    #[test]
    fn damaged_blocks_cause_no_panic() {
        let block = tree().block();
        for at in 0..block.len() {
            for byte in [0, 1, 0x7f, 0xff] {
                let mut damaged = block.clone();
                damaged[at] = byte;
                drop(Tree::of(&damaged));
            }
            drop(Tree::of(&block[..at]));
        }
    }
}
