//! EXIF and XMP in the chunks of a PNG. Reads nothing else of it.

use crate::{
    image::metadata::{MOST, Metadata, bytes},
    job::Input,
};
use std::io::{self, SeekFrom};

/// The keyword of XMP (XMP specification, part 3, 1.1.5).
pub(crate) const XMP: &str = "XML:com.adobe.xmp";

/// The chunk `eXIf`, and the text whose keyword is that of XMP (W3C PNG, third edition, 11.3.2.5 and 11.3.3.4).
pub(crate) fn find(input: &mut dyn Input, found: &mut Metadata) -> io::Result<()> {
    input.seek(SeekFrom::Start(8))?;
    loop {
        let mut head = [0; 8];
        input.read_exact(&mut head)?;
        let [l0, l1, l2, l3, name @ ..] = head;
        let len = u32::from_be_bytes([l0, l1, l2, l3]);
        let wanted = matches!(&name, b"eXIf" | b"iTXt") && len as usize <= MOST;
        if &name == b"IEND" {
            return Ok(());
        }
        if !wanted {
            input.seek_relative(i64::from(len) + 4)?;
            continue;
        }
        let chunk = bytes(input, u64::from(len))?;
        input.seek_relative(4)?;
        if &name == b"eXIf" {
            found.exif.get_or_insert(chunk);
        } else if let Some(xmp) = packet(&chunk) {
            found.xmp.get_or_insert(xmp);
        }
    }
}

/// The text of a chunk `iTXt`, if it is XMP.
fn packet(chunk: &[u8]) -> Option<Vec<u8>> {
    let rest = chunk.strip_prefix(XMP.as_bytes())?;
    let [0, compressed, _, rest @ ..] = rest else {
        return None;
    };
    // Behind a language and a translated keyword.
    let mut parts = rest.splitn(3, |byte| *byte == 0);
    let text = parts.nth(2)?;
    if *compressed == 0 {
        return Some(text.to_vec());
    }
    miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(text, MOST).ok()
}
