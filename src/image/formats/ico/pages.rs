//! Lists the pictures of an icon or a cursor, and ranks them. Reads only their sizes.

use super::os2;
use crate::pages::{Pages, Patch};
use convertd_core::job::Input;
use std::io::{self, SeekFrom};

/// Largest number of entries that are compared. Later ones can still be requested by their numbers.
const MAX_COMPARED: usize = 1024;

/// Finds all entries of an icon or a cursor. In a file for Windows, each entry is a PNG file, or a bitmap without a
/// file header.
pub(crate) fn find(input: &mut dyn Input) -> io::Result<Option<Pages>> {
    let mut start = [0; 2];
    input.read_exact(&mut start)?;
    input.seek(SeekFrom::Start(0))?;
    if start != [0, 0] {
        return find_os2(input);
    }
    let offsets = offsets(input)?;
    let mut ranks = Vec::new();
    for offset in offsets.iter().take(MAX_COMPARED) {
        // An unreadable picture has the lowest rank. It is an error only if it is requested.
        ranks.push(rank(input, *offset).unwrap_or_default());
    }
    let patches = offsets.into_iter().map(|from| Patch {
        from,
        ..Patch::default()
    });
    Ok(Some(entries(patches.collect(), &ranks)))
}

/// Finds all entries of an OS/2 icon. `None` for a single icon without an array.
fn find_os2(input: &mut dyn Input) -> io::Result<Option<Pages>> {
    let (patches, ranks): (Vec<_>, Vec<_>) = os2::find(input)?.into_iter().unzip();
    Ok((!patches.is_empty()).then(|| entries(patches, &ranks)))
}

/// The entries as pages. The default one has the highest rank.
fn entries(patches: Vec<Patch>, ranks: &[(u64, u32)]) -> Pages {
    let mut best = (0, (0, 0));
    for (at, rank) in ranks.iter().enumerate() {
        if *rank > best.1 {
            best = (at, *rank);
        }
    }
    Pages {
        called: ["entry", "entries"],
        patches,
        default: best.0 as u32 + 1,
        others_are_lost: false,
    }
}

/// Offsets of the pictures, from the directory.
fn offsets(input: &mut dyn Input) -> io::Result<Vec<u64>> {
    let mut head = [0; 6];
    input.read_exact(&mut head)?;
    let mut entries = vec![[0; 16]; u16::from_le_bytes([head[4], head[5]]).into()];
    input.read_exact(entries.as_flattened_mut())?;
    let offset = |entry: &[u8; 16]| {
        let [.., a, b, c, d] = *entry;
        u32::from_le_bytes([a, b, c, d]).into()
    };
    Ok(entries.iter().map(offset).collect())
}

/// Rank of a picture: number of pixels, then bits per pixel. Both are read from the picture itself, because the
/// directory cannot state a side of more than 256 pixels, and often has wrong bits.
fn rank(input: &mut dyn Input, offset: u64) -> io::Result<(u64, u32)> {
    let mut head = [0; 26];
    input.seek(SeekFrom::Start(offset))?;
    input.read_exact(&mut head)?;
    let [_, _, _, _, w0, w1, w2, w3, h0, h1, h2, h3, _, _, b0, b1, ..] = head;
    if head.starts_with(b"\x89PNG") {
        let [.., w0, w1, w2, w3, h0, h1, h2, h3, depth, kind] = head;
        let width = u32::from_be_bytes([w0, w1, w2, w3]);
        let height = u32::from_be_bytes([h0, h1, h2, h3]);
        // Samples of a pixel by the colour type of PNG: RGB, grey with alpha, RGBA; otherwise one.
        let samples = match kind {
            2 => 3,
            4 => 2,
            6 => 4,
            _ => 1,
        };
        return Ok((
            u64::from(width) * u64::from(height),
            samples * u32::from(depth),
        ));
    }
    let width = u32::from_le_bytes([w0, w1, w2, w3]);
    // The height of the bitmap includes that of its mask.
    let height = i32::from_le_bytes([h0, h1, h2, h3]).unsigned_abs() / 2;
    let bits = u16::from_le_bytes([b0, b1]);
    Ok((u64::from(width) * u64::from(height), bits.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// An icon of bitmaps with these sides and bits.
    #[track_caller]
    fn check(pictures: &[(i32, u16)], expected: u32) {
        let mut icon = vec![0, 0, 1, 0, pictures.len() as u8, 0];
        for at in 0..pictures.len() {
            icon.extend([0; 12]);
            icon.extend((6 + 16 * pictures.len() as u32 + 40 * at as u32).to_le_bytes());
        }
        for (side, bits) in pictures {
            icon.extend(40u32.to_le_bytes());
            icon.extend(side.to_le_bytes());
            icon.extend((2 * side).to_le_bytes());
            icon.extend([1, 0]);
            icon.extend(bits.to_le_bytes());
            icon.extend([0; 24]);
        }
        let pages = find(&mut Cursor::new(icon)).unwrap().unwrap();
        assert_eq!(pages.default, expected);
        assert_eq!(pages.patches.len(), pictures.len());
    }

    #[test]
    fn the_best_picture_is_the_largest_and_then_the_deepest() {
        check(&[(16, 32), (48, 4), (32, 32)], 2);
        check(&[(32, 4), (32, 8), (32, 4)], 2);
        check(&[(32, 8), (32, 8)], 1);
    }
}
