//! Finds EXIF and XMP in the chunks of a WebP file.

use crate::metadata::{MAX, Metadata, exif::PREFIX};
use convertd_core::{containers::riff::Walk, job::Input};
use std::io;

/// Finds the chunks `EXIF` and `XMP ` (RFC 9649, 2.7.1.4 and 2.7.1.5).
pub(crate) fn find(input: &mut dyn Input, found: &mut Metadata) -> io::Result<()> {
    let mut walk = Walk::new(input)?;
    while let Some(head) = walk.next_chunk()? {
        let slot = match &head.name {
            b"EXIF" => &mut found.exif,
            b"XMP " => &mut found.xmp,
            _ => continue,
        };
        if head.len as usize > MAX || slot.is_some() {
            continue;
        }
        let data = walk.data(head.len)?;
        // Some writers put the identifier of JPEG segments before EXIF.
        let data = data.strip_prefix(PREFIX).unwrap_or(&data);
        *slot = Some(data.to_vec());
    }
    Ok(())
}
