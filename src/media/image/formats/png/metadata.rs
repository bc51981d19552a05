//! Finds EXIF, XMP and the resolution in the chunks of a PNG file.

use super::chunks::Walk;
use crate::{
    image::metadata::{MOST, Metadata, Resolution},
    job::Input,
};
use std::io;

/// The keyword of XMP (XMP specification, part 3, 1.1.5).
pub(crate) const XMP: &str = "XML:com.adobe.xmp";

/// The chunks `pHYs` and `eXIf`, and the text whose keyword is that of XMP (W3C PNG, third edition, 11.3.3.4 and 11.3.4).
pub(crate) fn find(input: &mut dyn Input, found: &mut Metadata) -> io::Result<()> {
    let mut walk = Walk::new(input)?;
    while let Some(head) = walk.next()? {
        if head.len as usize > MOST && head.name != *b"IDAT" {
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
            b"pHYs" => found.resolution = resolution(&walk.data(head.len)?),
            // The chunk pHYs comes before the picture, the others may come after its many chunks.
            b"IDAT" if !found.is_wanted => break,
            b"IEND" => break,
            _ => {}
        }
    }
    Ok(())
}

/// What a chunk `pHYs` says: pixels across and down, on a metre or a length that is not known.
fn resolution(chunk: &[u8]) -> Option<Resolution> {
    let (across, rest) = chunk.split_first_chunk()?;
    let (down, rest) = rest.split_first_chunk()?;
    let [across, down] = [across, down].map(|bytes| u32::from_be_bytes(*bytes).into());
    match rest {
        [0] => Resolution::ratio(across, down),
        [1] => Resolution::per_metre(across, down),
        _ => None,
    }
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
