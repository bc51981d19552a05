//! Adapts EXIF and XMP to the result: the orientation has been applied to the pixels, the size and the resolution may
//! differ from those of the source, and a thumbnail may show parts that were cropped or painted over. Changes nothing
//! else.

use super::{Metadata, Resolution, forget, thumbnail};
use convertd_core::containers::ifd::{Directory, Numbers};
use std::io::Cursor;
use tiff::tags::{Tag, Type};

/// PixelXDimension: width of the picture in EXIF.
const WIDTH: Tag = Tag::Unknown(0xa002);
/// PixelYDimension: height of the picture in EXIF.
const HEIGHT: Tag = Tag::Unknown(0xa003);

/// Adapts EXIF and XMP to an upright picture of this size. Drops EXIF that cannot be read.
pub(crate) fn adapt(metadata: &mut Metadata, width: u32, height: u32) {
    metadata.exif = metadata
        .exif
        .take()
        .and_then(|block| adapted(block, width, height, metadata.resolution));
    if let Some(xmp) = &mut metadata.xmp {
        turn_upright(xmp);
        forget::outdated_properties(xmp, width);
    }
}

/// Adapts a block of EXIF to an upright picture of this size, without a thumbnail. `None` if the block cannot be read.
/// Zeros replace the thumbnail, which may show parts that were cropped or painted over. Everything else keeps its
/// offset, because maker notes may contain offsets within the block.
fn adapted(
    mut block: Vec<u8>,
    width: u32,
    height: u32,
    resolution: Option<Resolution>,
) -> Option<Vec<u8>> {
    let (numbers, first) = Numbers::of(&mut Cursor::new(&block[..])).ok()??;
    if numbers.is_big() {
        return None;
    }
    thumbnail::erase(&mut block, numbers, first)?;
    // The Exif directory is read after erasing, because the thumbnail of a damaged file may overlap it.
    let mut within = None;
    let resolution = resolution.map(Resolution::fractions);
    for entry in directory(&block, numbers, first)?.entries {
        let slot = slot(&mut block, entry.slot)?;
        match entry.tag {
            Tag::Orientation => slot.copy_from_slice(&short(numbers, 1)),
            Tag::ExifDirectory => within = Some(numbers.value(slot)),
            Tag::ResolutionUnit => {
                if let Some((_, unit)) = resolution {
                    slot.copy_from_slice(&short(numbers, unit.to_u16()));
                }
            }
            Tag::XResolution | Tag::YResolution if entry.kind == Some(Type::RATIONAL) => {
                if let Some((fractions, _)) = resolution {
                    let fraction = fractions[usize::from(entry.tag == Tag::YResolution)];
                    put_fraction(&mut block, entry.offset, numbers, fraction)?;
                }
            }
            _ => {}
        }
    }
    if let Some(directory) = within.and_then(|at| directory(&block, numbers, at)) {
        for entry in directory.entries {
            let side = match entry.tag {
                WIDTH => width,
                HEIGHT => height,
                _ => continue,
            };
            let value = match (entry.kind, u16::try_from(side)) {
                (Some(Type::SHORT), Ok(side)) => short(numbers, side),
                (Some(Type::LONG), _) => numbers.bytes(side.into()),
                _ => continue,
            };
            slot(&mut block, entry.slot)?.copy_from_slice(&value);
        }
    }
    Some(block)
}

/// Reads a directory that is completely inside a block.
fn directory(block: &[u8], numbers: Numbers, offset: u64) -> Option<Directory> {
    Directory::read(&mut Cursor::new(block), numbers, offset, usize::MAX).ok()
}

/// The last four bytes of an entry, which contain its value or the offset of the value.
fn slot(block: &mut [u8], at: u64) -> Option<&mut [u8; 4]> {
    block
        .get_mut(usize::try_from(at).ok()?..)?
        .first_chunk_mut()
}

/// Overwrites both numbers of a fraction.
fn put_fraction(block: &mut [u8], at: u64, numbers: Numbers, fraction: [u32; 2]) -> Option<()> {
    for (at, number) in (at..).step_by(4).zip(fraction) {
        *slot(block, at)? = numbers.bytes(number.into());
    }
    Some(())
}

/// The four bytes of a 16-bit number, which is in the first two of them in both byte orders.
fn short(numbers: Numbers, value: u16) -> [u8; 4] {
    let [a, b] = numbers.bytes(value.into());
    [a, b, 0, 0]
}

/// Sets every `tiff:Orientation` in a packet to 1, as an attribute or as an element.
fn turn_upright(xmp: &mut [u8]) {
    const NAME: &[u8] = b"tiff:Orientation";
    let offsets: Vec<usize> = memchr::memmem::find_iter(xmp, NAME)
        .map(|at| at + NAME.len())
        .collect();
    for at in offsets {
        let value = xmp[at..]
            .iter_mut()
            .take(8)
            .find(|byte| !matches!(byte, b'=' | b'"' | b'\'' | b'>' | b' '));
        if let Some(digit @ b'1'..=b'8') = value {
            *digit = b'1';
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::exif::{Entry, Tree};

    fn tree() -> Tree {
        let entry = |tag, kind, value: &[u8]| Entry {
            tag,
            kind,
            count: 1,
            value: value.to_vec(),
        };
        Tree {
            first: vec![
                entry(Tag::Orientation, Type::SHORT, &[6, 0]),
                entry(Tag::XResolution, Type::RATIONAL, &[72, 0, 0, 0, 1, 0, 0, 0]),
                entry(Tag::YResolution, Type::RATIONAL, &[72, 0, 0, 0, 1, 0, 0, 0]),
                entry(Tag::ResolutionUnit, Type::SHORT, &[3, 0]),
            ],
            exif: vec![
                entry(
                    Tag::Unknown(0x829a),
                    Type::RATIONAL,
                    &[1, 0, 0, 0, 100, 0, 0, 0],
                ),
                entry(WIDTH, Type::SHORT, &[9, 0]),
                entry(HEIGHT, Type::LONG, &[7, 0, 0, 0]),
            ],
            gps: Vec::new(),
        }
    }

    #[test]
    fn size_and_orientation_describe_the_result() {
        let resolution = Resolution::per_inch(300.0, 72.5);
        let block = adapted(tree().block(), 300, 70_000, resolution).unwrap();
        assert_eq!(Resolution::read(&mut Cursor::new(&block)), resolution);
        let orientation = image::metadata::Orientation::from_exif_chunk(&block);
        assert_eq!(
            orientation,
            Some(image::metadata::Orientation::NoTransforms)
        );
        let after = Tree::of(&block).unwrap();
        assert_eq!(after.exif[1].value, 300u16.to_le_bytes());
        assert_eq!(after.exif[2].value, 70_000u32.to_le_bytes());
    }

    #[test]
    fn damaged_exif_causes_no_panic() {
        let block = tree().block();
        for at in 0..block.len() {
            for byte in [0, 1, 0x7f, 0xff] {
                let mut damaged = block.clone();
                damaged[at] = byte;
                drop(adapted(damaged, 1, 1, Resolution::per_inch(1.0, 1.0)));
            }
            drop(adapted(block[..at].to_vec(), 1, 1, None));
        }
    }

    #[test]
    fn orientations_in_xmp_become_1() {
        #[track_caller]
        fn check(before: &str, after: &str) {
            let mut packet = before.as_bytes().to_vec();
            turn_upright(&mut packet);
            assert_eq!(packet, after.as_bytes());
        }
        check("<x tiff:Orientation=\"6\"/>", "<x tiff:Orientation=\"1\"/>");
        check("<x tiff:Orientation = '8'/>", "<x tiff:Orientation = '1'/>");
        check(
            "<tiff:Orientation>3</tiff:Orientation>",
            "<tiff:Orientation>1</tiff:Orientation>",
        );
        check("tiff:Orientation", "tiff:Orientation");
        check("<x tiff:Make=\"6\"/>", "<x tiff:Make=\"6\"/>");
    }
}
