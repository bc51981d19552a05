//! EXIF and XMP in the boxes of a JPEG XL file (ISO/IEC 18181-2, 9.4). Skips boxes that are compressed by Brotli.

use crate::metadata::{MAX, Metadata};
use convertd_core::{
    containers::{bmff::Head, bytes},
    job::Input,
};
use std::io::{self, SeekFrom};

/// Maximum number of boxes that are read.
const MAX_BOXES: usize = 1 << 10;

/// Finds EXIF and XMP in the boxes of a container (ISO/IEC 18181-2).
pub(crate) fn find(input: &mut dyn Input, found: &mut Metadata) -> io::Result<()> {
    // A file that does not begin with the signature box is a bare codestream, which has no boxes.
    if bytes::read(input, 4)? != [0, 0, 0, 12] {
        return Ok(());
    }
    let mut offset = 0;
    for _ in 0..MAX_BOXES {
        let head = Head::read(input, offset)?;
        let len = head.len.filter(|len| *len <= MAX as u64 + 4);
        match (&head.kind, len) {
            // The box begins with a field of 4 bytes: the distance from the end of this field to the EXIF data.
            (b"Exif", Some(len)) if found.exif.is_none() => {
                input.seek(SeekFrom::Start(head.start))?;
                let block = bytes::read(input, len)?;
                found.exif = block.split_first_chunk().and_then(|(skipped, block)| {
                    let skipped = u32::from_be_bytes(*skipped) as usize;
                    Some(block.get(skipped..)?.to_vec())
                });
            }
            (b"xml ", Some(len)) if found.xmp.is_none() => {
                input.seek(SeekFrom::Start(head.start))?;
                found.xmp = Some(bytes::read(input, len)?);
            }
            _ => {}
        }
        match head.next() {
            Some(next) => offset = next,
            None => break,
        }
    }
    Ok(())
}
