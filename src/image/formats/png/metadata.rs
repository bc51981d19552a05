//! Finds EXIF, XMP and the resolution in the chunks of a PNG file. Decodes no pixels.

use super::chunks::Walk;
use crate::metadata::{MAX, Metadata, Resolution, exif::PREFIX};
use convertd_core::{
    containers::bytes,
    job::{Input, input_len},
};
use std::io::{self, SeekFrom};

/// The keyword of a text chunk with XMP (XMP specification, part 3, 1.1.5).
pub(crate) const XMP: &str = "XML:com.adobe.xmp";

/// Keywords of text chunks with EXIF.
const KEYWORDS: [&[u8]; 2] = [b"Raw profile type exif", b"Raw profile type APP1"];

/// Names of chunks that may hold EXIF.
const HOLDERS: [&[u8]; 4] = [b"eXIf", b"iTXt", b"tEXt", b"zTXt"];
/// Largest number of places at the end of a file that are tried as the beginning of a chunk.
const MAX_STARTS: usize = 1000;

/// Name and data of a chunk.
type Chunk<'t> = (&'t [u8; 4], &'t [u8]);

/// Reads the chunks `pHYs` and `eXIf`, and text chunks with XMP or EXIF (W3C PNG, third edition, 11.3.3.4 and 11.3.4).
pub(crate) fn find(input: &mut dyn Input, found: &mut Metadata) -> io::Result<()> {
    let mut walk = Walk::new(input)?;
    let mut in_text = None;
    while let Some(head) = walk.next()? {
        if head.len as usize > MAX && head.name != *b"IDAT" {
            continue;
        }
        match &head.name {
            b"eXIf" => {
                let exif = walk.data(head.len)?;
                found.exif.get_or_insert(exif);
            }
            b"iTXt" | b"tEXt" | b"zTXt" => {
                let chunk = walk.data(head.len)?;
                if let Some(xmp) = packet(&chunk) {
                    found.xmp.get_or_insert(xmp);
                } else if let Some(exif) = exif_of_text(&head.name, &chunk) {
                    in_text.get_or_insert(exif);
                }
            }
            b"pHYs" => found.resolution = resolution(&walk.data(head.len)?),
            // If only the resolution is wanted, the search ends here, because `pHYs` precedes the picture. The other
            // chunks may also follow the picture, which has many `IDAT` chunks.
            b"IDAT" if !found.is_wanted => break,
            b"IEND" => break,
            _ => {}
        }
    }
    // The chunk `eXIf` takes precedence.
    found.exif = found.exif.take().or(in_text);
    Ok(())
}

/// EXIF in a text chunk before the picture, where programs stored it before the chunk `eXIf` existed.
pub(super) fn exif_before_picture(input: &mut dyn Input) -> io::Result<Option<Vec<u8>>> {
    let mut walk = Walk::new(input)?;
    while let Some(head) = walk.next()? {
        match &head.name {
            b"IDAT" | b"IEND" => break,
            b"iTXt" | b"tEXt" | b"zTXt" if head.len as usize <= MAX => {
                // If the file is cut short here, the decoder reports that.
                let Ok(chunk) = walk.data(head.len) else {
                    break;
                };
                if let Some(exif) = exif_of_text(&head.name, &chunk) {
                    return Ok(Some(exif));
                }
            }
            _ => {}
        }
    }
    Ok(None)
}

/// EXIF after the picture, where ImageMagick stores it: in the last chunks of the file. Walking over all chunks would
/// take longer, because a picture may have thousands of them.
pub(super) fn exif_behind_picture(input: &mut dyn Input) -> io::Result<Option<Vec<u8>>> {
    /// Bytes at the end of the file that are searched.
    const TAIL: u64 = 128 << 10;
    let len = input_len(input)?;
    input.seek(SeekFrom::Start(len.saturating_sub(TAIL)))?;
    let tail = bytes::up_to(input, TAIL)?;
    let names = tail
        .windows(4)
        .enumerate()
        .filter(|(_, name)| HOLDERS.contains(name));
    // The bytes of a name may also occur within the picture by chance. So a name counts only if chunks follow one
    // another from there up to the end of the file.
    let starts = names.filter_map(|(at, _)| tail.get(at.checked_sub(4)?..));
    let chunks = starts.take(MAX_STARTS).find_map(last_chunks);
    let exif = chunks
        .into_iter()
        .flatten()
        .find_map(|(name, data)| match name {
            b"eXIf" => Some(data.to_vec()),
            _ => exif_of_text(name, data),
        });
    Ok(exif)
}

/// The chunks from the beginning of `bytes` on, if they end with the file.
fn last_chunks(mut bytes: &[u8]) -> Option<Vec<Chunk<'_>>> {
    let mut chunks = Vec::new();
    loop {
        let (len, rest) = bytes.split_first_chunk()?;
        let (name, rest) = rest.split_first_chunk()?;
        let (data, rest) = rest.split_at_checked(u32::from_be_bytes(*len) as usize)?;
        // The CRC follows the data.
        bytes = rest.get(4..)?;
        match name {
            b"IEND" => return bytes.is_empty().then_some(chunks),
            _ if name.iter().all(u8::is_ascii_alphabetic) => chunks.push((name, data)),
            _ => return None,
        }
    }
}

/// EXIF in a text chunk with the keyword of ImageMagick: name and length of the profile, then its bytes as hexadecimal
/// digits.
fn exif_of_text(name: &[u8; 4], chunk: &[u8]) -> Option<Vec<u8>> {
    let rest = KEYWORDS
        .iter()
        .find_map(|keyword| chunk.strip_prefix(*keyword))?;
    let unpack = |packed: &[u8]| {
        miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(packed, 2 * MAX + MAX / 8).ok()
    };
    let text = match (name, rest) {
        (b"tEXt", [0, text @ ..]) => text.to_vec(),
        (b"zTXt", [0, 0, packed @ ..]) => unpack(packed)?,
        (b"iTXt", [0, compressed, _, rest @ ..]) => {
            let text = rest.splitn(3, |byte| *byte == 0).nth(2)?;
            match compressed {
                0 => text.to_vec(),
                _ => unpack(text)?,
            }
        }
        _ => return None,
    };
    // The first line is empty, the second is a name, and the third is a number.
    let mut lines = text.splitn(4, |byte| *byte == b'\n');
    let digits: Vec<u8> = lines
        .nth(3)?
        .iter()
        .filter_map(|byte| char::from(*byte).to_digit(16))
        .map(|digit| digit as u8)
        .collect();
    let bytes: Vec<u8> = digits
        .as_chunks::<2>()
        .0
        .iter()
        .map(|[high, low]| high << 4 | low)
        .collect();
    let exif = bytes.strip_prefix(PREFIX).unwrap_or(&bytes);
    let is_exif = exif.starts_with(b"II*\0") || exif.starts_with(b"MM\0*");
    is_exif.then(|| exif.to_vec())
}

/// Parses a chunk `pHYs`: pixels across and down, for a metre or for an unknown length.
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

/// The text of a chunk `iTXt`, if it contains XMP.
fn packet(chunk: &[u8]) -> Option<Vec<u8>> {
    let rest = chunk.strip_prefix(XMP.as_bytes())?;
    let [0, compressed, _, rest @ ..] = rest else {
        return None;
    };
    // The text follows the language tag and the translated keyword.
    let mut parts = rest.splitn(3, |byte| *byte == 0);
    let text = parts.nth(2)?;
    if *compressed == 0 {
        return Some(text.to_vec());
    }
    miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(text, MAX).ok()
}
