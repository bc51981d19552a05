//! Icons and pointers of OS/2, alone and in arrays. Reads no pixels.
//!
//! Each picture begins like a bitmap file, with other letters in place of `BM`. This first bitmap has one bit per pixel
//! and twice the height: its lower half states the pixels that are drawn or inverted, and its upper half the
//! transparent ones, as in a Windows icon. A black and white picture (`IC`, `PT`) has no other bitmap. A picture in
//! colour (`CI`, `CP`) has a second bitmap, whose headers follow those of the first. In an array (`BA`), a header of 14
//! bytes precedes each picture and has the offset of the next one. All offsets are relative to the beginning of the
//! file.

use crate::{
    formats::bmp::{
        header::{Found, Head},
        read::is_header,
    },
    pages::Patch,
};
use convertd_core::job::Input;
use std::io::{self, SeekFrom};

/// Length in bytes of a file header, and of the header of an entry in an array.
const HEADER: u64 = 14;
/// Position of the next entry's offset in the header of an entry.
const LINK: u64 = 6;
/// Largest number of entries that are read.
const MAX: usize = 1024;

/// First letters of icons.
pub(super) const ICONS: [[u8; 2]; 2] = [*b"IC", *b"CI"];
/// First letters of pointers.
pub(super) const POINTERS: [[u8; 2]; 2] = [*b"PT", *b"CP"];

/// Returns whether the first picture of a file, alone or in an array, begins with one of these pairs of letters.
pub(super) fn begins(head: &[u8], marks: [[u8; 2]; 2]) -> bool {
    let at = if head.starts_with(b"BA") { HEADER } else { 0 } as usize;
    let mark = head.get(at..).and_then(<[u8]>::first_chunk);
    mark.is_some_and(|mark| marks.contains(mark)) && is_header(head, at + HEADER as usize)
}

/// A picture, and the offset of its mask.
pub(super) struct Masked {
    pub(super) picture: Found,
    pub(super) mask: u64,
}

/// Finds the pictures of an array, with their ranks. The patch of a picture makes the first link of the file lead to
/// it. Empty for a file without an array.
pub(super) fn find(input: &mut dyn Input) -> io::Result<Vec<(Patch, (u64, u32))>> {
    let mut found = Vec::new();
    let mut at = 0;
    for _ in 0..MAX {
        let Some((start, next)) = entry(input, at)? else {
            break;
        };
        if let Ok(Some(Masked {
            picture: Found::Bitmap(head),
            ..
        })) = read(input, start)
        {
            let patch = Patch {
                start: LINK,
                bytes: (at as u32).to_le_bytes().to_vec(),
                ..Patch::default()
            };
            found.push((patch, head.rank()));
        }
        // The chain must lead forwards; otherwise it ends.
        if next <= at {
            break;
        }
        at = next;
    }
    Ok(found)
}

/// Returns the picture that the first link of the file leads to, or the only picture of a file without an array.
pub(super) fn first(input: &mut dyn Input) -> io::Result<Option<Masked>> {
    let start = match entry(input, 0)? {
        Some((_, next)) => next + HEADER,
        None => 0,
    };
    read(input, start)
}

/// Offsets of the picture in an entry of an array, and of the next entry. `None` if there is no entry at `at`.
fn entry(input: &mut dyn Input, at: u64) -> io::Result<Option<(u64, u64)>> {
    let mut header = [0; HEADER as usize];
    input.seek(SeekFrom::Start(at))?;
    input.read_exact(&mut header)?;
    let [b'B', b'A', _, _, _, _, a, b, c, d, ..] = header else {
        return Ok(None);
    };
    let next = u32::from_le_bytes([a, b, c, d]).into();
    Ok(Some((at + HEADER, next)))
}

/// The picture whose first header is at `at`. `None` if it is neither an icon nor a pointer.
fn read(input: &mut dyn Input, at: u64) -> io::Result<Option<Masked>> {
    let Some(first) = mark(input, at)? else {
        return Ok(None);
    };
    let head = match Head::within(input, at, true)? {
        Found::Bitmap(head) => head,
        picture => return Ok(Some(Masked { picture, mask: 0 })),
    };
    // Rows are stored from bottom to top, so the upper half follows the lower one.
    let mask = head.offset + head.stride as u64 * u64::from(head.layout.height);
    let picture = match (first, mark(input, head.headers_end)?) {
        ([b'C', _], second) if second == Some(first) => {
            Head::within(input, head.headers_end, false)?
        }
        ([b'C', _], _) => Found::Nothing("the colour bitmap that follows its mask is missing"),
        _ => Found::Bitmap(head),
    };
    Ok(Some(Masked { picture, mask }))
}

/// The first letters at `at`, if they are those of an icon or a pointer.
fn mark(input: &mut dyn Input, at: u64) -> io::Result<Option<[u8; 2]>> {
    let mut mark = [0; 2];
    input.seek(SeekFrom::Start(at))?;
    input.read_exact(&mut mark)?;
    let is_known = ICONS.contains(&mark) || POINTERS.contains(&mark);
    Ok(is_known.then_some(mark))
}
