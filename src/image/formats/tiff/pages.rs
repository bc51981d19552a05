//! Finds the pages of a TIFF file by following its chain of directories. Reads no pixels.

use super::tags::{JPEG_INTERCHANGE_FORMAT, JPEG_INTERCHANGE_LENGTH};
use crate::pages::{Pages, Patch};
use convertd_core::{
    containers::ifd::{Directory, Entries, Numbers},
    job::Input,
};
use std::{
    collections::HashSet,
    io::{self, SeekFrom},
};
use tiff::tags::Tag;

/// Largest number of directories that are followed.
const MAX_PAGES: usize = 10_000;

/// Finds all pages. To read one of them, the offset of the first directory in the header is replaced by the offset of
/// the page's directory. A page that is stored as a JPEG file is read from the beginning of that file.
pub(crate) fn find(input: &mut dyn Input) -> io::Result<Option<Pages>> {
    let Some((offsets, numbers)) = offsets(input)? else {
        return Ok(None);
    };
    let mut patches = Vec::with_capacity(offsets.len());
    for offset in offsets {
        // An unreadable directory counts as one without a JPEG file; the decoder will report the fault.
        let jpeg = old_jpeg(input, offset, numbers).unwrap_or(None);
        patches.push(match jpeg {
            Some(from) => Patch {
                from,
                ..Patch::default()
            },
            None => Patch {
                from: 0,
                start: numbers.first_pointer(),
                bytes: numbers.pointer_to(offset),
            },
        });
    }
    Ok(Some(Pages {
        called: ["page", "pages"],
        patches,
        default: 1,
        others_are_lost: true,
    }))
}

/// Largest number of entries of a directory that are searched for a JPEG file.
const MAX_ENTRIES: usize = 100;

/// Offset of the JPEG file of a page in the older form (TIFF 6.0, section 22). Most writers store a complete file, and
/// tags point to it. `None` if the page does not have such a file.
fn old_jpeg(input: &mut dyn Input, offset: u64, numbers: Numbers) -> io::Result<Option<u64>> {
    const OLD_JPEG: u64 = 6;
    let directory = Directory::read(input, numbers, offset, MAX_ENTRIES)?;
    if directory.value(input, Tag::Compression)? != Some(OLD_JPEG) {
        return Ok(None);
    }
    let Some(from) = directory.value(input, JPEG_INTERCHANGE_FORMAT)? else {
        return Ok(None);
    };
    // Some writers store only the headers there, and the data in strips after them, so the JPEG file is not complete if
    // the first strip begins behind its end.
    let len = directory
        .value(input, JPEG_INTERCHANGE_LENGTH)?
        .unwrap_or(0);
    let data = directory.value(input, Tag::StripOffsets)?;
    if len > 0 && data.is_some_and(|data| data >= from.saturating_add(len)) {
        return Ok(None);
    }
    let mut start = [0; 2];
    input.seek(SeekFrom::Start(from))?;
    input.read_exact(&mut start)?;
    Ok((start == [0xff, 0xd8]).then_some(from))
}

/// Offsets of the directories of all pages. Reduced copies and masks of other pages (NewSubfileType) do not count,
/// unless the file has nothing else. Some writers do not end the chain of directories properly, so the chain also ends
/// before an unreadable directory, and before a directory that was read already.
fn offsets(input: &mut dyn Input) -> io::Result<Option<(Vec<u64>, Numbers)>> {
    let Some((numbers, first)) = Numbers::of(input)? else {
        return Ok(None);
    };
    let (mut pages, mut all, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    let mut offset = first;
    while offset != 0 && all.len() < MAX_PAGES && seen.insert(offset) {
        let Ok((partial, next)) = directory(input, offset, numbers) else {
            break;
        };
        all.push(offset);
        if !partial {
            pages.push(offset);
        }
        offset = next;
    }
    let pages = if pages.is_empty() { all } else { pages };
    Ok((!pages.is_empty()).then_some((pages, numbers)))
}

/// Returns whether a directory describes a reduced copy or a mask of another page, and the offset of the next
/// directory.
fn directory(input: &mut dyn Input, offset: u64, numbers: Numbers) -> io::Result<(bool, u64)> {
    // Entries are sorted by tag, and NewSubfileType has the lowest number, so the first entry is sufficient.
    let first = Directory::read(input, numbers, offset, 1)?;
    let kind = first.value(input, Tag::NewSubfileType)?.unwrap_or(0);
    // A reduced copy (bit 0), or a transparency mask (bit 2).
    let is_partial = kind & 5 != 0;
    let next = Entries::of(input, numbers, offset)?.next_directory()?;
    Ok((is_partial, next))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    /// Checks the offsets of the pages in a file with a directory for each NewSubfileType in `kinds`. The last
    /// directory leads to the offset `last`.
    #[track_caller]
    fn check(kinds: &[u32], last: u32, expected: &[u64]) {
        for little in [true, false] {
            let long = |value: u32| {
                if little {
                    value.to_le_bytes()
                } else {
                    value.to_be_bytes()
                }
            };
            let short = |value: u16| {
                if little {
                    value.to_le_bytes()
                } else {
                    value.to_be_bytes()
                }
            };
            let mut file = if little { *b"II*\0" } else { *b"MM\0*" }.to_vec();
            file.extend(long(8));
            for (at, kind) in kinds.iter().enumerate() {
                file.extend(short(1));
                file.extend(short(254));
                file.extend(short(4));
                file.extend(long(1));
                file.extend(long(*kind));
                let next = file.len() as u32 + 4;
                file.extend(long(if at + 1 == kinds.len() { last } else { next }));
            }
            let found = super::offsets(&mut Cursor::new(file)).unwrap();
            let found = found.map_or(Vec::new(), |(offsets, _)| offsets);
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn reduced_copies_are_not_pages_and_broken_chains_end() {
        check(&[0], 0, &[8]);
        check(&[0, 2, 2], 0, &[8, 26, 44]);
        check(&[1, 0, 4], 0, &[26]);
        check(&[1, 1], 0, &[8, 26]);
        check(&[0, 0], 8, &[8, 26]);
        check(&[0, 0], 999_999, &[8, 26]);
        check(&[], 0, &[]);
    }
}
