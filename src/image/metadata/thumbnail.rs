//! Thumbnails in EXIF (Exif 2.32, 4.5.8): what leads to them, and their bytes, become zeros. Touches nothing else.
//!
//! Leaving out what leads to a thumbnail is not enough. It may show what has been cut off or painted over in the picture,
//! and a JPEG is easily found without a pointer.

use super::exif::{MOST_ENTRIES, Order, places};

/// Where the strips of a picture stand, and how long they are: of a thumbnail that is not compressed.
const STRIPS: u16 = 0x0111;
const STRIP_LENGTHS: u16 = 0x0117;
/// The same for a thumbnail that is a JPEG.
const JPEG: u16 = 0x0201;
const JPEG_LENGTH: u16 = 0x0202;

/// Most directories behind the first that are followed. There should be one.
const MOST_DIRECTORIES: usize = 16;

/// A place in a block, and a number of bytes.
type Area = (usize, usize);

/// Fills every directory behind the one at `first` with zeros, and the pictures that they lead to. `None` if one of them
/// cannot be read, so that a thumbnail might be left.
pub(crate) fn erase(block: &mut [u8], order: Order, first: usize) -> Option<()> {
    let (_, mut pointer) = places(block, order, first)?;
    let mut areas: Vec<Area> = Vec::new();
    let mut seen = vec![first];
    // Some writers leave the last pointer out, or let it point nowhere.
    while let Some(at) = block.get(pointer..).and_then(|bytes| order.long(bytes)) {
        areas.push((pointer, 4));
        let at = at as usize;
        if at == 0 || at >= block.len() || seen.contains(&at) {
            break;
        }
        if seen.len() > MOST_DIRECTORIES {
            return None;
        }
        seen.push(at);
        let (entries, next) = places(block, order, at)?;
        if next - at > 12 * MOST_ENTRIES {
            return None;
        }
        areas.push((at, next - at));
        areas.extend(pictures(block, order, entries)?);
        pointer = next;
    }
    for (start, len) in areas {
        let end = start.saturating_add(len).min(block.len());
        if let Some(area) = block.get_mut(start..end) {
            area.fill(0);
        }
    }
    Some(())
}

/// Where the pictures are that a directory with these entries describes.
fn pictures(
    block: &[u8],
    order: Order,
    entries: impl Iterator<Item = usize>,
) -> Option<impl Iterator<Item = Area>> {
    let (mut starts, mut lens) = (Vec::new(), Vec::new());
    for at in entries {
        match order.short(&block[at..])? {
            STRIPS | JPEG => starts.extend(numbers(block, order, at)?),
            STRIP_LENGTHS | JPEG_LENGTH => lens.extend(numbers(block, order, at)?),
            _ => {}
        }
    }
    // What has a place and no length might reach to the end.
    let lens = lens.into_iter().chain(std::iter::repeat(usize::MAX));
    Some(starts.into_iter().zip(lens))
}

/// The values of the entry at `at`, which are `SHORT` or `LONG`.
fn numbers(block: &[u8], order: Order, at: usize) -> Option<Vec<usize>> {
    let count = order.long(&block[at + 4..])? as usize;
    let width = match order.short(&block[at + 2..])? {
        3 => 2,
        4 => 4,
        _ => return None,
    };
    let start = match count.checked_mul(width)? {
        0..=4 => at + 8,
        _ => order.long(&block[at + 8..])? as usize,
    };
    let values = block.get(start..start.checked_add(count.checked_mul(width)?)?)?;
    let values = values.chunks_exact(width).map(|value| match width {
        2 => order.short(value).map(usize::from),
        _ => order.long(value).map(|value| value as usize),
    });
    values.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block with an empty first directory, the bytes `rest` behind it, and a second directory at `at`.
    fn block(at: u32, rest: &[u8]) -> Vec<u8> {
        let mut block = b"II*\0\x08\0\0\0\0\0".to_vec();
        block.extend(at.to_le_bytes());
        block.extend(rest);
        block
    }

    fn erased(mut block: Vec<u8>) -> Option<Vec<u8>> {
        let order = Order::of(&block)?;
        erase(&mut block, order, 8).map(|()| block)
    }

    #[test]
    fn nothing_is_left_of_thumbnails() {
        const SOI: &[u8] = b"\xff\xd8\xff\xdb";
        #[track_caller]
        fn check(entries: &[(u16, u16, u32, u32)], behind: &[u8], kept: &[u8]) {
            // The directory stands at 14.
            let mut rest = (entries.len() as u16).to_le_bytes().to_vec();
            for &(tag, kind, count, value) in entries {
                rest.extend(tag.to_le_bytes());
                rest.extend(kind.to_le_bytes());
                rest.extend(count.to_le_bytes());
                rest.extend(value.to_le_bytes());
            }
            rest.extend([0; 4]);
            let end = rest.len();
            rest.extend(behind);
            let found = erased(block(14, &rest)).unwrap();
            assert!(found[10..14 + end].iter().all(|byte| *byte == 0));
            assert_eq!(&found[14 + end..], kept);
        }
        let jpeg = [(0x0103, 3, 1, 6), (JPEG, 4, 1, 56), (JPEG_LENGTH, 4, 1, 4)];
        check(&jpeg, &[SOI, b"kept"].concat(), b"\0\0\0\0kept");
        // Longer than there is, and of no length at all.
        let long = [(JPEG, 4, 1, 44), (JPEG_LENGTH, 4, 1, 9999)];
        check(&long, SOI, &[0; 4]);
        check(&[(JPEG, 4, 1, 32)], SOI, &[0; 4]);
        // Two strips, whose places stand behind the directory; their lengths are short numbers in one entry.
        let strips = [(STRIPS, 4, 2, 44), (STRIP_LENGTHS, 3, 2, 1 << 16 | 2)];
        let behind = [&52u32.to_le_bytes()[..], &54u32.to_le_bytes(), b"abcd"].concat();
        check(&strips, &behind, &[&behind[..8], b"\0\0\0d"].concat());
    }

    #[test]
    fn chains_end_and_what_cannot_be_read_is_refused() {
        // To itself by way of the first, beyond the end, and nowhere.
        for at in [8, 9999, 0] {
            assert_eq!(erased(block(at, b"rest")), Some(block(0, b"rest")));
        }
        // More entries than there are bytes.
        assert_eq!(erased(block(14, b"\xff\xff\xff\xd8")), None);
        assert_eq!(
            erased(b"II*\0\x08\0\0\0\0\0".to_vec()).map(|_| ()),
            Some(())
        );
    }
}
