//! The text of a drawing, decompressed from gzip (RFC 1952), as in `svgz` files, and decoded from encodings other than
//! UTF-8. A whole file is decompressed only up to the length that it states, a beginning only up to the caller's limit.

use convertd_core::coding::utf8::Utf8;
use miniz_oxide::inflate::{
    core::{DecompressorOxide, decompress},
    decompress_to_vec_with_limit,
};
use std::io::Read as _;

/// First bytes of every gzip file: the signature, and Deflate as the method.
const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

/// Length of the trailer in bytes: the checksum and the length of the decompressed data.
const TRAILER: usize = 8;

/// Returns whether a file is compressed by gzip.
pub fn is_packed(file: &[u8]) -> bool {
    file.starts_with(&MAGIC)
}

/// Decompressed length that a gzip file states.
pub fn unpacked_len(file: &[u8]) -> u64 {
    let len = file.last_chunk().map_or(0, |len| u32::from_le_bytes(*len));
    u64::from(len)
}

/// Decompresses a file. `None` if it is damaged, or longer than it states, or longer than `most` bytes.
pub fn unpack(file: &[u8], most: u64) -> Option<Vec<u8>> {
    let (packed, trailer) = body(file)?.split_last_chunk::<TRAILER>()?;
    let (checksum, _) = trailer.split_first_chunk()?;
    let most = unpacked_len(file).min(most);
    let unpacked = decompress_to_vec_with_limit(packed, most as usize).ok()?;
    (crc32fast::hash(&unpacked) == u32::from_le_bytes(*checksum)).then_some(unpacked)
}

/// Decompresses at most `most` bytes of a file whose beginning is `head`. `None` if `head` ends within the gzip header.
pub(crate) fn unpack_head(head: &[u8], most: usize) -> Option<Vec<u8>> {
    let mut out = vec![0; most];
    let mut state = Box::<DecompressorOxide>::default();
    let flags = miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF
        | miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_HAS_MORE_INPUT;
    let (_, _, written) = decompress(&mut state, body(head)?, &mut out, 0, flags);
    out.truncate(written);
    Some(out)
}

/// The data after the header (RFC 1952, section 2.3.1), whose length varies.
fn body(file: &[u8]) -> Option<&[u8]> {
    /// FHCRC: the header ends with its own checksum.
    const CHECKSUM: u8 = 2;
    /// FEXTRA: the header has an extra field.
    const EXTRA: u8 = 4;
    /// FNAME: the header has the name of the original file.
    const NAME: u8 = 8;
    /// FCOMMENT: the header has a comment.
    const COMMENT: u8 = 16;
    let flags = *file.get(3)?;
    let mut rest = file.strip_prefix(&MAGIC)?.get(7..)?;
    if flags & EXTRA != 0 {
        let (len, after) = rest.split_first_chunk()?;
        rest = after.get(usize::from(u16::from_le_bytes(*len))..)?;
    }
    for part in [NAME, COMMENT] {
        if flags & part != 0 {
            rest = &rest[memchr::memchr(0, rest)? + 1..];
        }
    }
    match flags & CHECKSUM {
        0 => Some(rest),
        _ => rest.get(2..),
    }
}

/// Decodes XML. Bytes that are not valid UTF-8 are decoded by their byte order mark or their XML declaration; `None` if
/// they are invalid in that encoding.
pub(crate) fn decode(file: Vec<u8>) -> Option<String> {
    String::from_utf8(file)
        .or_else(|err| {
            let mut text = String::new();
            let mut decoder = Utf8::xml(err.as_bytes()).map_err(drop)?;
            decoder.read_to_string(&mut text).map_err(drop)?;
            Ok::<_, ()>(text)
        })
        .ok()
}

#[cfg(test)]
mod tests {
    use super::{super::xml::MAX_BYTES, *};
    use miniz_oxide::deflate::compress_to_vec;

    /// A compressed file with all optional header fields; gzip itself writes only the name.
    fn packed(text: &[u8]) -> Vec<u8> {
        let mut file = MAGIC.to_vec();
        file.extend([2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 3]);
        file.extend(b"\x03\0abcname\0comment\0\x12\x34");
        file.extend(compress_to_vec(text, 6));
        file.extend(crc32fast::hash(text).to_le_bytes());
        file.extend((text.len() as u32).to_le_bytes());
        file
    }

    #[test]
    fn packed_files_are_unpacked_and_checked() {
        let text = b"<svg/>".repeat(1000);
        let file = packed(&text);
        assert_eq!(unpack(&file, MAX_BYTES).unwrap(), text);
        assert_eq!(unpack_head(&file, 100).unwrap(), text[..100]);
        for at in 0..file.len() {
            assert_eq!(unpack(&file[..at], MAX_BYTES), None, "cut at {at}");
        }
        for at in file.len() - 8..file.len() {
            let mut wrong = file.clone();
            wrong[at] ^= 1;
            let found = unpack(&wrong, MAX_BYTES);
            assert!(found.is_none() || at >= file.len() - 4, "{at}");
        }
    }

    #[test]
    fn a_decompression_bomb_is_not_unpacked() {
        let mut file = packed(&vec![b' '; 2 * MAX_BYTES as usize]);
        assert_eq!(unpack(&file, MAX_BYTES), None);
        let len = file.len();
        file[len - 4..].copy_from_slice(&[9, 0, 0, 0]);
        assert_eq!(unpack(&file, MAX_BYTES), None);
    }

    #[test]
    fn other_encodings_are_decoded() {
        let text = "<?xml version='1.0' encoding='windows-1251'?><svg/>\u{424}";
        let mut file = text.as_bytes()[..text.len() - 2].to_vec();
        file.push(0xd4);
        assert_eq!(decode(file).as_deref(), Some(text));
        let text = "<svg>\u{424}</svg>";
        let units = text.encode_utf16().flat_map(u16::to_le_bytes);
        let file: Vec<u8> = [0xff, 0xfe].into_iter().chain(units).collect();
        assert_eq!(decode(file).as_deref(), Some(text));
        assert_eq!(decode(b"<svg>\xd4".to_vec()), None);
    }
}
