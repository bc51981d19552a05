//! Finds EXIF and XMP in the chunks of a PNG file.

use super::chunks::Walk;
use crate::{
    image::metadata::{MOST, Metadata},
    job::Input,
};
use std::io;

/// The keyword of XMP (XMP specification, part 3, 1.1.5).
pub(crate) const XMP: &str = "XML:com.adobe.xmp";

/// The chunk `eXIf`, and the text whose keyword is that of XMP (W3C PNG, third edition, 11.3.2.5 and 11.3.3.4).
pub(crate) fn find(input: &mut dyn Input, found: &mut Metadata) -> io::Result<()> {
    let mut walk = Walk::new(input)?;
    while let Some(head) = walk.next()? {
        if head.len as usize > MOST {
            continue;
        }
        match &head.name {
            b"eXIf" => {
                let exif = walk.data(head.len)?;
                found.exif.get_or_insert(exif);
            }
            b"iTXt" => {
                if let Some(xmp) = packet(&walk.data(head.len)?) {
                    found.xmp.get_or_insert(xmp);
                }
            }
            b"IEND" => break,
            _ => {}
        }
    }
    Ok(())
}

/// The text of a chunk `iTXt`, if it is XMP.
fn packet(chunk: &[u8]) -> Option<Vec<u8>> {
    let rest = chunk.strip_prefix(XMP.as_bytes())?;
    let [0, compressed, _, rest @ ..] = rest else {
        return None;
    };
    // The text follows a language tag and a translated keyword.
    let mut parts = rest.splitn(3, |byte| *byte == 0);
    let text = parts.nth(2)?;
    if *compressed == 0 {
        return Some(text.to_vec());
    }
    miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(text, MOST).ok()
}
