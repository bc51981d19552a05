//! EXIF and XMP in the application segments of a JPEG. Reads nothing else of it.

use super::markers::{APP1, EOI, EXIF, SOS, Walk, XMP};
use crate::{image::metadata::Metadata, job::Input};
use std::io;

/// Segments up to the first scan (Exif 2.32, 4.7; XMP specification, part 3, 1.1.3).
pub(crate) fn find(input: &mut dyn Input, found: &mut Metadata) -> io::Result<()> {
    let mut walk = Walk::new(input)?;
    loop {
        let marker = walk.marker()?;
        if matches!(marker, SOS | EOI) {
            return Ok(());
        }
        let segment = walk.segment()?;
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
