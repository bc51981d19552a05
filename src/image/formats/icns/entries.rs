//! Lists the pictures of an Apple icon, and ranks them. Reads only their sizes.

#[cfg(feature = "jpeg2000")]
use crate::formats::jp2;
use crate::pages::{Pages, Patch};
use convertd_core::job::Input;
use std::io::{self, SeekFrom};

/// Largest number of entries that are read. There are about forty types, each of which occurs once in a file.
const MAX: usize = 256;

/// Length of an entry's head in bytes: its type, and its length including the head.
pub(crate) const HEAD: u64 = 8;

/// Offset at which the patched file contains the position of the selected entry, in place of the magic bytes.
const OFFSET: u64 = 0;

/// An entry of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) kind: [u8; 4],
    /// Offset of the entry, including its head.
    pub(crate) at: u64,
    /// Length of its data in bytes.
    pub(crate) len: u64,
}

/// Coding of pixels that are not an embedded file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Planes {
    /// Red, green and blue: the type of the entry with their mask, and the number of meaningless bytes before them.
    Rgb([u8; 4], usize),
    /// Alpha, red, green and blue, after the four letters "ARGB".
    Argb,
}

/// Side of a picture of this type in pixels, and the coding of its planes. `None` for other types, which may be
/// embedded files.
pub(crate) fn planes(kind: [u8; 4]) -> Option<(u32, Planes)> {
    Some(match &kind {
        b"is32" => (16, Planes::Rgb(*b"s8mk", 0)),
        b"il32" => (32, Planes::Rgb(*b"l8mk", 0)),
        b"ih32" => (48, Planes::Rgb(*b"h8mk", 0)),
        b"it32" => (128, Planes::Rgb(*b"t8mk", 4)),
        b"ic04" => (16, Planes::Argb),
        b"icsb" => (18, Planes::Argb),
        b"ic05" => (32, Planes::Argb),
        _ => return None,
    })
}

/// Side in pixels of a picture that is an embedded file. `None` for types without such pictures.
#[cfg(feature = "jpeg2000")]
fn side(kind: [u8; 4]) -> Option<u32> {
    Some(match &kind {
        b"icp4" => 16,
        b"icp5" | b"ic11" => 32,
        b"icp6" | b"ic12" => 64,
        b"ic07" => 128,
        b"ic08" | b"ic13" => 256,
        b"ic09" | b"ic14" => 512,
        b"ic10" => 1024,
        _ => return None,
    })
}

/// Lists the entries of a file, at most [`MAX`].
///
/// Errors: `UnexpectedEof` if the file is shorter than its header says, or the length of an entry is impossible.
pub(crate) fn walk(input: &mut dyn Input) -> io::Result<Vec<Entry>> {
    let end = input.seek(SeekFrom::End(0))?;
    input.seek(SeekFrom::Start(0))?;
    let mut head = [0; HEAD as usize];
    input.read_exact(&mut head)?;
    let [.., l0, l1, l2, l3] = head;
    let declared_len = u64::from(u32::from_be_bytes([l0, l1, l2, l3]));
    if declared_len > end {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let mut entries = Vec::new();
    let mut at = HEAD;
    while entries.len() < MAX && at + HEAD <= declared_len {
        input.seek(SeekFrom::Start(at))?;
        input.read_exact(&mut head)?;
        let [k0, k1, k2, k3, l0, l1, l2, l3] = head;
        let len = u64::from(u32::from_be_bytes([l0, l1, l2, l3]));
        if len < HEAD || at + len > end {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        entries.push(Entry {
            kind: [k0, k1, k2, k3],
            at,
            len: len - HEAD,
        });
        at += len;
    }
    Ok(entries)
}

/// Finds all entries that are pictures. The default one is the largest. `None` for a file without pictures.
pub(crate) fn find(input: &mut dyn Input) -> io::Result<Option<Pages>> {
    let mut patches = Vec::new();
    let mut best = (1, 0);
    for entry in walk(input)? {
        let Some((pixels, patch)) = picture(input, entry)? else {
            continue;
        };
        patches.push(patch);
        if pixels > best.1 {
            best = (patches.len() as u32, pixels);
        }
    }
    Ok((!patches.is_empty()).then_some(Pages {
        called: ["entry", "entries"],
        patches,
        default: best.0,
        others_are_lost: false,
    }))
}

/// Number of pixels of an entry, and the patch of the file for its decoder. `None` if the entry is not a supported
/// picture.
fn picture(input: &mut dyn Input, entry: Entry) -> io::Result<Option<(u64, Patch)>> {
    let mut head = [0; 24];
    let data = entry.at + HEAD;
    input.seek(SeekFrom::Start(data))?;
    if entry.len >= 24 {
        input.read_exact(&mut head)?;
    }
    if head.starts_with(b"\x89PNG") {
        let [.., w0, w1, w2, w3, h0, h1, h2, h3] = head;
        let [width, height] = [[w0, w1, w2, w3], [h0, h1, h2, h3]].map(u32::from_be_bytes);
        let patch = Patch {
            from: data,
            ..Patch::default()
        };
        return Ok(Some((u64::from(width) * u64::from(height), patch)));
    }
    #[cfg(feature = "jpeg2000")]
    if let Some(side) = side(entry.kind)
        && (head.starts_with(jp2::SIGNATURE) || head.starts_with(jp2::CODESTREAM))
    {
        let patch = Patch {
            from: data,
            ..Patch::default()
        };
        return Ok(Some((u64::from(side) * u64::from(side), patch)));
    }
    let Some((side, planes)) = planes(entry.kind) else {
        return Ok(None);
    };
    if planes == Planes::Argb && !head.starts_with(b"ARGB") {
        return Ok(None);
    }
    let patch = Patch {
        from: 0,
        start: OFFSET,
        bytes: (entry.at as u32).to_be_bytes().to_vec(),
    };
    Ok(Some((u64::from(side) * u64::from(side), patch)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[track_caller]
    fn check(entries: &[(&[u8; 4], &[u8])], count: usize, expected: Option<u32>) {
        let mut file = b"icns".to_vec();
        let len: usize = entries.iter().map(|(_, data)| data.len() + 8).sum();
        file.extend((len as u32 + 8).to_be_bytes());
        for (kind, data) in entries {
            file.extend(*kind);
            file.extend((data.len() as u32 + 8).to_be_bytes());
            file.extend(*data);
        }
        let pages = find(&mut Cursor::new(file)).unwrap();
        let found = pages.map(|pages| (pages.patches.len(), pages.default));
        assert_eq!(found, expected.map(|default| (count, default)));
    }

    #[test]
    fn the_largest_picture_is_the_default() {
        let png = |side: u8| {
            [
                &b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"[..],
                &[0, 0, 0, side, 0, 0, 0, side],
            ]
            .concat()
        };
        let (large, small) = (png(200), png(20));
        check(&[(b"is32", &[0; 30]), (b"it32", &[0; 30])], 2, Some(2));
        check(
            &[(b"ic08", &large), (b"it32", &[0; 30]), (b"ic07", &small)],
            3,
            Some(1),
        );
        // Tables, masks and kinds that are not read.
        check(
            &[(b"TOC ", &[0; 30]), (b"t8mk", &[0; 30]), (b"il32", &[])],
            1,
            Some(1),
        );
        check(&[(b"ICN#", &[0; 256])], 0, None);
        check(&[], 0, None);
    }
}
