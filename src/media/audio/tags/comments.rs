//! Reads and writes Vorbis comments and FLAC picture blocks (RFC 9639, sections 8.6 and 8.8), which FLAC, Ogg Vorbis and
//! Opus share. Never believes a length for which there are not enough bytes.
//!
//! Field names are free text, so the usual variants of each name are known. In Ogg, a picture is a comment in base64.

use super::{Key, Picture, Tags};
use crate::audio::sound::channels::Channels;

/// The names of comment fields (xiph.org, "Ogg Vorbis I format specification: comment field"). For each key the usual name
/// comes first.
const NAMES: [(Key, &str); 14] = [
    (Key::Title, "TITLE"),
    (Key::Artist, "ARTIST"),
    (Key::Album, "ALBUM"),
    (Key::AlbumArtist, "ALBUMARTIST"),
    (Key::Composer, "COMPOSER"),
    (Key::Track, "TRACKNUMBER"),
    (Key::Disc, "DISCNUMBER"),
    (Key::Date, "DATE"),
    (Key::Genre, "GENRE"),
    (Key::Comment, "COMMENT"),
    (Key::Comment, "DESCRIPTION"),
    (Key::AlbumArtist, "ALBUM ARTIST"),
    (Key::Track, "TRACK"),
    (Key::Date, "YEAR"),
];

const PICTURE: &str = "METADATA_BLOCK_PICTURE";
/// The speaker mask of a FLAC stream (RFC 9639, section 8.6.2).
const SPEAKERS: &str = "WAVEFORMATEXTENSIBLE_CHANNEL_MASK";

/// The vendor string of comment headers that this program writes.
pub(crate) const VENDOR: &str = concat!("convertd ", env!("CARGO_PKG_VERSION"));

/// The most fields that are read of a header.
const MAX_FIELDS: usize = 10_000;

/// The names and values of a comment header, without the bytes that some containers put before it.
fn fields(bytes: &[u8]) -> impl Iterator<Item = (String, &[u8])> {
    let mut rest = bytes;
    let count = take(&mut rest).and_then(|_vendor| length(rest));
    let (count, mut rest) = count.unwrap_or((0, &[]));
    let fields = std::iter::from_fn(move || take(&mut rest));
    let fields = fields.take(MAX_FIELDS.min(count as usize));
    fields.filter_map(|field| {
        let at = field.iter().position(|byte| *byte == b'=')?;
        let name = String::from_utf8_lossy(&field[..at]).to_ascii_uppercase();
        Some((name, &field[at + 1..]))
    })
}

/// Reads the tags of a comment header.
pub(crate) fn read(bytes: &[u8], tags: &mut Tags) {
    let mut totals = Vec::new();
    for (name, value) in fields(bytes) {
        match name.as_str() {
            PICTURE => {
                if let Some(block) = from_base64(value) {
                    read_picture(&block, tags);
                }
            }
            "TRACKTOTAL" | "TOTALTRACKS" => totals.push((Key::Track, value)),
            "DISCTOTAL" | "TOTALDISCS" => totals.push((Key::Disc, value)),
            _ => {
                if let Some((key, _)) = NAMES.iter().find(|(_, known)| *known == name) {
                    tags.add(*key, &String::from_utf8_lossy(value));
                }
            }
        }
    }
    for (key, total) in totals {
        tags.set_total(key, &String::from_utf8_lossy(total));
    }
}

/// Reads the speaker mask from the comment header of a FLAC stream. 0 if there is none.
pub(crate) fn read_speakers(bytes: &[u8]) -> u32 {
    let field = fields(bytes).find(|(name, _)| name == SPEAKERS);
    let text = field.and_then(|(_, value)| std::str::from_utf8(value).ok());
    let digits = text.and_then(|text| text.trim().strip_prefix("0x"));
    digits
        .and_then(|digits| u32::from_str_radix(digits, 16).ok())
        .unwrap_or(0)
}

/// The field with the speaker mask; `None` for a layout that FLAC assumes. Of 5 and 6 channels it does not tell whether the last
/// two are at the back or at the sides.
pub(crate) fn speakers(channels: Channels) -> Option<Vec<u8>> {
    let mask = channels.mask();
    let is_clear = channels.is_default() && !matches!(channels.count(), 5 | 6);
    (!is_clear).then(|| format!("{SPEAKERS}=0x{mask:04x}").into_bytes())
}

/// The field with the cover picture, which Ogg streams have among the comments.
pub(crate) fn picture(tags: &Tags) -> Option<Vec<u8>> {
    tags.picture().map(|picture| {
        let mut field = format!("{PICTURE}=").into_bytes();
        to_base64(&picture_block(picture), &mut field);
        field
    })
}

/// Makes a comment header, with one more field behind the texts.
pub(crate) fn write(tags: &Tags, more: Option<Vec<u8>>) -> Vec<u8> {
    let mut fields = Vec::new();
    let mut count = 0u32;
    for (key, text) in tags.texts() {
        let name = NAMES
            .iter()
            .find(|(k, _)| *k == key)
            .map_or("", |(_, name)| name);
        match (key, text.split_once('/')) {
            (Key::Track | Key::Disc, Some((number, total))) => {
                let total_name = if key == Key::Track {
                    "TRACKTOTAL"
                } else {
                    "DISCTOTAL"
                };
                put(&mut fields, format!("{name}={number}").as_bytes());
                put(&mut fields, format!("{total_name}={total}").as_bytes());
                count += 2;
            }
            _ => {
                put(&mut fields, format!("{name}={text}").as_bytes());
                count += 1;
            }
        }
    }
    if let Some(field) = more {
        put(&mut fields, &field);
        count += 1;
    }
    let mut header = Vec::with_capacity(fields.len() + 64);
    put(&mut header, VENDOR.as_bytes());
    header.extend(count.to_le_bytes());
    header.append(&mut fields);
    header
}

/// Reads a picture block (RFC 9639, section 8.8).
pub(crate) fn read_picture(block: &[u8], tags: &mut Tags) {
    let parse = || {
        let rest = block.get(4..)?;
        let (_media_type, rest) = big(rest)?;
        let (_description, rest) = big(rest)?;
        let (data, _) = big(rest.get(16..)?)?;
        Some(data)
    };
    if let Some(data) = parse() {
        tags.add_picture(data);
    }
}

/// Makes a picture block of the type "front cover".
pub(crate) fn picture_block(picture: &Picture) -> Vec<u8> {
    let mut block = Vec::with_capacity(picture.data.len() + 64);
    block.extend(3u32.to_be_bytes());
    block.extend((picture.media_type.len() as u32).to_be_bytes());
    block.extend(picture.media_type.bytes());
    // An empty description; and width, height, depth and number of colours as 0, for unknown.
    block.extend([0; 20]);
    block.extend((picture.data.len() as u32).to_be_bytes());
    block.extend(&picture.data);
    block
}

fn length(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    Some((u32::from_le_bytes(*length), rest))
}

fn take<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, rest) = length(bytes)?;
    let (field, rest) = rest.split_at_checked(length as usize)?;
    *bytes = rest;
    Some(field)
}

fn big(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    rest.split_at_checked(u32::from_be_bytes(*length) as usize)
}

fn put(bytes: &mut Vec<u8>, field: &[u8]) {
    bytes.extend((field.len() as u32).to_le_bytes());
    bytes.extend(field);
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Appends `bytes` in base64 (RFC 4648, section 4).
fn to_base64(bytes: &[u8], text: &mut Vec<u8>) {
    for group in bytes.chunks(3) {
        let word = group
            .iter()
            .fold(0u32, |word, byte| word << 8 | u32::from(*byte))
            << (8 * (3 - group.len()));
        for place in 0..4 {
            text.push(if place <= group.len() {
                ALPHABET[(word >> (18 - 6 * place) & 0x3f) as usize]
            } else {
                b'='
            });
        }
    }
}

fn from_base64(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut word, mut bits) = (0u32, 0);
    for c in text.iter().filter(|c| !c.is_ascii_whitespace()) {
        let digit = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => break,
            _ => return None,
        };
        word = word << 6 | u32::from(digit);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((word >> bits) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let mut tags = Tags::default();
        for key in Key::ALL {
            tags.add(key, &format!("{key:?} = ü"));
        }
        tags.add(Key::Artist, "second");
        tags.add_picture(b"\xff\xd8\xff\xe0 cover");
        let mut back = Tags::default();
        read(&write(&tags, picture(&tags)), &mut back);
        assert_eq!(back, tags);
    }

    #[test]
    fn totals_are_fields_of_their_own() {
        let mut tags = Tags::default();
        tags.add(Key::Track, "3/12");
        let header = write(&tags, None);
        assert!(header.windows(13).any(|w| w == b"TRACKNUMBER=3"));
        let mut back = Tags::default();
        read(&header, &mut back);
        assert_eq!(back.get(Key::Track), Some("3/12"));
    }

    #[test]
    fn speakers_are_stated_unless_they_are_clear() {
        let usual = Channels::of(4).unwrap();
        assert_eq!(speakers(usual), None);
        let surround = Channels::of(6).unwrap();
        let header = write(&Tags::default(), speakers(surround));
        assert_eq!(read_speakers(&header), 0x3f);
        let other = Channels::with_mask(4, 0x107).unwrap();
        let header = write(&Tags::default(), speakers(other));
        assert_eq!(read_speakers(&header), 0x107);
        assert_eq!(read_speakers(&write(&Tags::default(), None)), 0);
    }

    #[test]
    fn base64_is_that_of_the_rfc() {
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
        ] {
            let mut text = Vec::new();
            to_base64(plain.as_bytes(), &mut text);
            assert_eq!(text, coded.as_bytes());
            assert_eq!(from_base64(coded.as_bytes()).unwrap(), plain.as_bytes());
        }
    }

    #[test]
    fn broken_headers_do_no_harm() {
        let mut tags = Tags::default();
        read(b"", &mut tags);
        read(b"\xff\xff\xff\xff", &mut tags);
        read(b"\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff", &mut tags);
        read_picture(b"\0\0\0\x03\xff\xff\xff\xff", &mut tags);
        assert_eq!(tags, Tags::default());
    }
}
