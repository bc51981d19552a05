//! Erases thumbnails in EXIF (Exif 2.32, 4.5.8): zeros replace their bytes and the directories that point to them.
//! Changes nothing else.
//!
//! It is not sufficient to remove the pointer to a thumbnail: the thumbnail may show parts of the picture that were
//! cropped or painted over, and the bytes of a JPEG are easily found without a pointer.

use super::exif::MAX_ENTRIES;
use convertd_core::containers::ifd::{Directory, Numbers};
use std::io::Cursor;
use tiff::tags::{Tag, Type};

/// JPEGInterchangeFormat: offset of a thumbnail in JPEG.
const JPEG: Tag = Tag::Unknown(0x0201);
/// JPEGInterchangeFormatLength: length of that thumbnail in bytes.
const JPEG_LENGTH: Tag = Tag::Unknown(0x0202);

/// Largest number of directories after the first one that are followed. A valid file has one.
const MAX_DIRECTORIES: usize = 16;

/// A range of a block: its offset and its length in bytes.
type Area = (u64, u64);

/// Overwrites every directory after the one at `first`, and the pictures that these directories point to, with zeros.
/// `None` if a directory cannot be read or there are too many of them, because then a thumbnail might remain.
pub(crate) fn erase(block: &mut [u8], numbers: Numbers, first: u64) -> Option<()> {
    let read =
        |offset| Directory::read(&mut Cursor::new(&*block), numbers, offset, usize::MAX).ok();
    let mut pointer = read(first)?.end;
    let mut areas: Vec<Area> = Vec::new();
    let mut seen = vec![first];
    // Some writers leave out the last pointer, or let it point outside of the block, so these cases end the chain.
    while let Some(bytes) = block
        .get(pointer as usize..)
        .and_then(<[u8]>::first_chunk::<4>)
    {
        areas.push((pointer, 4));
        let offset = numbers.value(bytes);
        if offset == 0 || offset >= block.len() as u64 || seen.contains(&offset) {
            break;
        }
        if seen.len() > MAX_DIRECTORIES {
            return None;
        }
        seen.push(offset);
        let directory = read(offset)?;
        if directory.entries.len() > MAX_ENTRIES {
            return None;
        }
        pointer = directory.end;
        areas.push((offset, pointer - offset));
        areas.extend(pictures(block, &directory)?);
    }
    for (start, len) in areas {
        let end = start.saturating_add(len).min(block.len() as u64);
        if let Some(area) = block.get_mut(start as usize..end as usize) {
            area.fill(0);
        }
    }
    Some(())
}

/// Ranges of the pictures that a directory describes. `None` if a tag has an unexpected type.
fn pictures(block: &[u8], directory: &Directory) -> Option<impl Iterator<Item = Area> + use<>> {
    let (mut starts, mut lens) = (Vec::new(), Vec::new());
    for entry in &directory.entries {
        let list = match entry.tag {
            Tag::StripOffsets | JPEG => &mut starts,
            Tag::StripByteCounts | JPEG_LENGTH => &mut lens,
            _ => continue,
        };
        let is_a_number = matches!(entry.kind, Some(Type::SHORT | Type::LONG));
        let start = usize::try_from(entry.offset).ok()?;
        let end = start.checked_add(usize::try_from(entry.byte_len()).ok()?)?;
        let values = block.get(start..end).filter(|_| is_a_number)?;
        let values = values.chunks_exact(entry.width() as usize);
        list.extend(values.map(|value| directory.numbers.value(value)));
    }
    // A picture with an offset but no length may extend to the end of the block.
    let lens = lens.into_iter().chain(std::iter::repeat(u64::MAX));
    Some(starts.into_iter().zip(lens))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block with an empty first directory, the bytes `rest` after it, and `at` as the offset of the second
    /// directory.
    fn block(at: u32, rest: &[u8]) -> Vec<u8> {
        let mut block = b"II*\0\x08\0\0\0\0\0".to_vec();
        block.extend(at.to_le_bytes());
        block.extend(rest);
        block
    }

    fn erased(mut block: Vec<u8>) -> Option<Vec<u8>> {
        let (numbers, first) = Numbers::of(&mut Cursor::new(&block[..])).ok()??;
        erase(&mut block, numbers, first).map(|()| block)
    }

    #[test]
    fn thumbnails_are_overwritten() {
        const SOI: &[u8] = b"\xff\xd8\xff\xdb";
        #[track_caller]
        fn check(entries: &[(Tag, u16, u32, u32)], after: &[u8], remaining: &[u8]) {
            // The directory begins at offset 14.
            let mut rest = (entries.len() as u16).to_le_bytes().to_vec();
            for &(tag, kind, count, value) in entries {
                rest.extend(tag.to_u16().to_le_bytes());
                rest.extend(kind.to_le_bytes());
                rest.extend(count.to_le_bytes());
                rest.extend(value.to_le_bytes());
            }
            rest.extend([0; 4]);
            let end = rest.len();
            rest.extend(after);
            let found = erased(block(14, &rest)).unwrap();
            assert!(found[10..14 + end].iter().all(|byte| *byte == 0));
            assert_eq!(&found[14 + end..], remaining);
        }
        let jpeg = [
            (Tag::Compression, 3, 1, 6),
            (JPEG, 4, 1, 56),
            (JPEG_LENGTH, 4, 1, 4),
        ];
        check(&jpeg, &[SOI, b"kept"].concat(), b"\0\0\0\0kept");
        // A length beyond the end of the file, and no length at all.
        let long = [(JPEG, 4, 1, 44), (JPEG_LENGTH, 4, 1, 9999)];
        check(&long, SOI, &[0; 4]);
        check(&[(JPEG, 4, 1, 32)], SOI, &[0; 4]);
        // Two strips. Their offsets are stored after the directory, and their lengths are short numbers within one
        // entry.
        let strips = [
            (Tag::StripOffsets, 4, 2, 44),
            (Tag::StripByteCounts, 3, 2, 1 << 16 | 2),
        ];
        let after = [&52u32.to_le_bytes()[..], &54u32.to_le_bytes(), b"abcd"].concat();
        check(&strips, &after, &[&after[..8], b"\0\0\0d"].concat());
    }

    #[test]
    fn circular_chains_end_and_unreadable_directories_are_refused() {
        // Pointers to the first directory and beyond the end of the block, and 0, which means no directory.
        for at in [8, 9999, 0] {
            assert_eq!(erased(block(at, b"rest")), Some(block(0, b"rest")));
        }
        // A directory that states more entries than the file has bytes.
        assert_eq!(erased(block(14, b"\xff\xff\xff\xd8")), None);
        assert_eq!(
            erased(b"II*\0\x08\0\0\0\0\0".to_vec()).map(|_| ()),
            Some(())
        );
    }
}
