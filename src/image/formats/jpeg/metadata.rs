//! Finds EXIF, XMP and the resolution in the application segments of a JPEG file.

use super::markers::{APP0, APP1, APP2, APP14, COM, EOI, EXIF, ICC, JFIF, SOS, Walk, XMP};
use crate::metadata::{Metadata, Resolution};
use convertd_core::job::Input;
use image::metadata::Orientation;
use std::io::{self, Cursor};

/// Adds the metadata in segments before the first scan (Exif 2.32, 4.7; XMP specification, part 3, 1.1.3).
pub(crate) fn find(input: &mut dyn Input, found: &mut Metadata) -> io::Result<()> {
    let mut walk = Walk::new(input)?;
    loop {
        let marker = walk.marker()?;
        if matches!(marker, SOS | EOI) {
            return Ok(());
        }
        let segment = walk.segment()?;
        if let (APP0, Some(header)) = (marker, segment.strip_prefix(JFIF)) {
            found.resolution = found.resolution.or(density(header));
        }
        if marker != APP1 {
            continue;
        }
        if let Some(exif) = segment.strip_prefix(EXIF) {
            found.exif.get_or_insert_with(|| exif.to_vec());
        } else if let Some(xmp) = segment.strip_prefix(XMP) {
            found.xmp.get_or_insert_with(|| xmp.to_vec());
        }
    }
}

/// The density in a JFIF header (JFIF 1.02, page 5), which begins with two bytes of version.
fn density(header: &[u8]) -> Option<Resolution> {
    let &[_, _, unit, x1, x0, y1, y0, ..] = header else {
        return None;
    };
    let [across, down] = [[x1, x0], [y1, y0]].map(|bytes| u16::from_be_bytes(bytes).into());
    match unit {
        0 => Resolution::ratio(across, down),
        1 => Resolution::per_inch(across, down),
        2 => Resolution::per_metre(100.0 * across, 100.0 * down),
        _ => None,
    }
}

/// Removes the metadata of a file, as [`without`] does. Unless `orientation` is the default one, adds EXIF that states
/// it.
pub(crate) fn with_orientation_only(file: &[u8], orientation: Orientation) -> io::Result<Vec<u8>> {
    let mut bare = without(file)?;
    if orientation != Orientation::NoTransforms {
        // A segment whose EXIF is a TIFF directory of one entry (Exif 2.32, 4.6.2): a SHORT with the tag 274.
        const START: [u8; 29] =
            *b"\xff\xe1\0\x22Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0";
        let segment = START
            .into_iter()
            .chain([orientation.to_exif(), 0, 0, 0, 0, 0, 0]);
        // The segment comes after the marker that begins the file.
        bare.splice(2..2, segment);
    }
    Ok(bare)
}

/// Reduces a file to the segments that a decoder needs. Metadata, comments, and all data after the end of the picture,
/// such as a video or a second picture, are left out.
pub(crate) fn bare(file: &[u8]) -> io::Result<Vec<u8>> {
    let without = without(file)?;
    let mut input = Cursor::new(&without[..]);
    let mut walk = Walk::new(&mut input)?;
    let mut bare = Vec::with_capacity(without.len());
    let mut from = 0;
    loop {
        let marker = walk.marker()?;
        if marker == EOI {
            bare.extend(&without[from..walk.at]);
            return Ok(bare);
        }
        let start = walk.at - 2;
        walk.segment()?;
        if marker == COM {
            bare.extend(&without[from..start]);
            from = walk.at;
        }
    }
}

/// Removes the metadata of a file: the application segments before the first scan, except those that a decoder needs
/// (APP0, colour profiles, and APP14). Comments stay.
pub(crate) fn without(file: &[u8]) -> io::Result<Vec<u8>> {
    const APPLICATIONS: std::ops::RangeInclusive<u8> = APP0..=APP0 + 15;
    let mut input = Cursor::new(file);
    let mut walk = Walk::new(&mut input)?;
    let mut stripped = Vec::with_capacity(file.len());
    let mut from = 0;
    loop {
        let marker = walk.marker()?;
        if matches!(marker, SOS | EOI) {
            stripped.extend(&file[from..]);
            return Ok(stripped);
        }
        let start = walk.at - 2;
        let segment = walk.segment()?;
        let is_kept = match marker {
            APP0 | APP14 => true,
            APP2 => segment.starts_with(ICC),
            marker => !APPLICATIONS.contains(&marker),
        };
        if !is_kept {
            stripped.extend(&file[from..start]);
            from = walk.at;
        }
    }
}
