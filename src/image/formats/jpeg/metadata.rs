//! EXIF and XMP in the application segments of a JPEG. Reads nothing else of it.

use super::markers::{EXIF, XMP};
use crate::{
    image::metadata::{Metadata, bytes},
    job::Input,
};
use std::io::{self, SeekFrom};

/// Segments up to the first scan (Exif 2.32, 4.7; XMP specification, part 3, 1.1.3).
pub(crate) fn find(input: &mut dyn Input, found: &mut Metadata) -> io::Result<()> {
    input.seek(SeekFrom::Start(2))?;
    loop {
        let mut marker = [0; 2];
        input.read_exact(&mut marker)?;
        while marker[1] == 0xff {
            input.read_exact(&mut marker[1..])?;
        }
        if marker[0] != 0xff || marker[1] == 0xda {
            return Ok(());
        }
        let mut len = [0; 2];
        input.read_exact(&mut len)?;
        let len = u16::from_be_bytes(len).saturating_sub(2);
        if marker[1] != 0xe1 {
            input.seek_relative(len.into())?;
            continue;
        }
        let segment = bytes(input, len.into())?;
        if let Some(exif) = segment.strip_prefix(EXIF) {
            found.exif.get_or_insert_with(|| exif.to_vec());
        } else if let Some(xmp) = segment.strip_prefix(XMP) {
            found.xmp.get_or_insert_with(|| xmp.to_vec());
        }
    }
}
