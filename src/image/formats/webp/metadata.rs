//! EXIF and XMP in the chunks of a WebP. Reads nothing else of it.

use crate::{
    image::metadata::{MOST, Metadata, bytes, exif},
    job::Input,
};
use std::io::{self, SeekFrom};

/// The chunks `EXIF` and `XMP ` (RFC 9649, 2.7.1.4 and 2.7.1.5).
pub(crate) fn find(input: &mut dyn Input, found: &mut Metadata) -> io::Result<()> {
    input.seek(SeekFrom::Start(12))?;
    loop {
        let mut head = [0; 8];
        input.read_exact(&mut head)?;
        let [n0, n1, n2, n3, l0, l1, l2, l3] = head;
        let len = u32::from_le_bytes([l0, l1, l2, l3]);
        let padding = i64::from(len & 1);
        let slot = match &[n0, n1, n2, n3] {
            b"EXIF" => &mut found.exif,
            b"XMP " => &mut found.xmp,
            _ => {
                input.seek_relative(i64::from(len) + padding)?;
                continue;
            }
        };
        if len as usize > MOST {
            input.seek_relative(i64::from(len) + padding)?;
            continue;
        }
        let chunk = bytes(input, u64::from(len))?;
        input.seek_relative(padding)?;
        // Some writers put the prefix of JPEG before it.
        let chunk = chunk.strip_prefix(exif::PREFIX).unwrap_or(&chunk);
        slot.get_or_insert_with(|| chunk.to_vec());
    }
}
