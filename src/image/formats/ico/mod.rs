//! Icons and cursors of Windows and OS/2: the rows in the table of formats. The largest picture of a file is converted,
//! unless the request selects another.

mod os2;
mod pages;
mod read;
mod write;

use crate::{
    pixels::{Channels, Depth},
    row::Row,
    source::Reader,
    target::{Streams, Target},
};
use convertd_core::format::{Category, Format};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "ico",
        aliases: &[],
        category: Category::Image,
        description: "Windows icon",
        media_type: "image/vnd.microsoft.icon",
        magic: &[&[(0, b"\0\0\x01\0"), (5, b"\0")]],
    },
    read: Some(Reader {
        recognise: Some(|head, _, _| os2::begins(head, os2::ICONS)),
        pages: Some(pages::find),
        ..Reader::of(read::open)
    }),
    write: Some(Target {
        quality: write::QUALITY,
        accepts: |_, _| (Channels::Rgba, Depth::Eight),
        scales_to: Some(write::LARGEST),
        streams: |_| Streams::No,
        memory: |layout, _, _| 4 * layout.bytes() + (4 << 20),
        ..Target::of(write::write)
    }),
};

/// Cursors, which are icons with a hot spot.
pub(crate) static CURSOR: Row = Row {
    format: Format {
        name: "cur",
        aliases: &[],
        category: Category::Image,
        description: "Windows cursor",
        media_type: "image/x-win-bitmap",
        magic: &[],
    },
    read: Some(Reader {
        recognise: Some(|head, _, _| is_cursor(head) || os2::begins(head, os2::POINTERS)),
        pages: Some(pages::find),
        ..Reader::of(read::open)
    }),
    write: None,
};

/// Returns whether a file begins like a cursor. Uncompressed TGA and the worksheets of Lotus 1-2-3 and Quattro Pro
/// begin in the same way, so the directory is checked: there are 1 to 255 pictures, and the first picture comes after
/// the directory.
fn is_cursor(head: &[u8]) -> bool {
    let Some((&[0, 0, 2, 0, count, 0], rest)) = head.split_first_chunk::<6>() else {
        return false;
    };
    let count = u32::from(count);
    let Some(&[_, _, _, 0, .., a, b, c, d]) = rest.first_chunk::<16>() else {
        return false;
    };
    let first = u32::from_le_bytes([a, b, c, d]);
    count > 0 && (6 + 16 * count..1 << 24).contains(&first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_are_distinguished_from_tga_and_worksheets() {
        #[track_caller]
        fn check(head: &[u8], expected: bool) {
            assert_eq!(is_cursor(head), expected);
        }
        let entry = [32, 32, 0, 0, 3, 0, 5, 0, 0, 1, 0, 0, 22, 0, 0, 0];
        let cursor = [&[0, 0, 2, 0, 1, 0][..], &entry].concat();
        check(&cursor, true);
        for len in 0..cursor.len() {
            check(&cursor[..len], false);
        }
        // An uncompressed TGA of 64 × 48 pixels.
        let mut picture = [0; 40];
        (picture[2], picture[12], picture[14], picture[16]) = (2, 64, 48, 24);
        check(&picture, false);
        // A worksheet of Lotus 1-2-3, version 2.
        let mut sheet = vec![0, 0, 2, 0, 6, 4, 6, 0, 8, 0, 0, 0, 0, 0, 14, 0, 0x54, 0];
        sheet.extend([0x2f, 0, 1, 0, 1, 2, 0, 1, 0, 0xff, 0xff, 0, 0, 0, 0, 0]);
        check(&sheet, false);
    }
}
