//! Reads APEv2 tags (wiki.hydrogenaud.io, "APEv2 specification"), which Monkey's Audio and some MP3 files have at their
//! end. Writes no tags.

use super::{FRONT, LINK_OMITTED, MAX_PICTURE, MAX_TEXT, Tags};
use crate::stream::Stream;
use std::io::{self, Seek, SeekFrom};

/// First bytes of a tag's header and footer.
pub(crate) const MAGIC: &[u8; 8] = b"APETAGEX";

/// Bytes of a tag's footer.
pub(crate) const FOOTER: usize = 32;

/// Maximum number of items that are read. A usual tag has a dozen.
const MAX_ITEMS: u32 = 1000;
/// The longest name of an item in bytes, with the zero that ends it.
const MAX_NAME: u64 = 256;

/// Beginning of the names of items with pictures, in lower case.
const PICTURES: &str = "cover art (";
/// Name of the item with the front cover, in lower case.
const COVER: &str = "cover art (front)";
/// The picture type "other" (ID3v2.4, section 4.14).
const OTHER: u8 = 0;

/// Returns the length of a tag in bytes, including its header and footer. `None` if `footer` is not the footer of a
/// tag.
pub(crate) fn length(footer: &[u8; FOOTER]) -> Option<u64> {
    let size = u32::from_le_bytes([footer[12], footer[13], footer[14], footer[15]]);
    let header = if footer[23] & 0x80 != 0 { 32 } else { 0 };
    footer
        .starts_with(MAGIC)
        .then_some(u64::from(size) + header)
}

/// Reads the tag whose footer ends at `end`.
pub(crate) fn read(stream: &mut Stream<'_>, footer: &[u8; FOOTER], end: u64) -> io::Result<Tags> {
    let mut tags = Tags::default();
    let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let start = end.saturating_sub(u64::from(word(&footer[12..])));
    let end = end - FOOTER as u64;
    stream.seek(SeekFrom::Start(start))?;
    for _ in 0..word(&footer[16..]).min(MAX_ITEMS) {
        if stream.position() + 8 >= end {
            break;
        }
        let head = stream.array::<8>()?;
        let at = stream.position();
        let name = stream.up_to(MAX_NAME.min(end - at))?;
        let Some(len) = name.iter().position(|byte| *byte == 0) else {
            break;
        };
        let (start, size) = (at + len as u64 + 1, u64::from(word(&head)));
        let name = String::from_utf8_lossy(&name[..len]).to_ascii_lowercase();
        stream.seek(SeekFrom::Start(start))?;
        if start.saturating_add(size) > end {
            break;
        }
        // The kind is 0 for text, 1 for binary data, and 2 for a link.
        let kind = head[4] >> 1 & 3;
        if kind == 0 {
            // A longer text is cut.
            let text = stream.up_to(size.min(MAX_TEXT as u64 + 1))?;
            let text = String::from_utf8_lossy(&text);
            tags.add_named(&name, &text);
        } else if name.starts_with(PICTURES) && size > MAX_PICTURE as u64 + MAX_NAME {
            tags.drop_picture();
        } else if name.starts_with(PICTURES) {
            // The picture follows its file name, which a zero ends.
            let data = stream.up_to(size)?;
            let end = data.iter().position(|byte| *byte == 0);
            let kind = if name == COVER { FRONT } else { OTHER };
            tags.add_picture_of(kind, &data[end.map_or(0, |at| at + 1)..]);
        } else if kind == 2 {
            tags.leave_out(LINK_OMITTED);
        }
        stream.seek(SeekFrom::Start(start + size))?;
    }
    Ok(tags)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tags::{Key, id3};
    use convertd_core::job::Unlimited;
    use std::io::Cursor;

    fn item(file: &mut Vec<u8>, name: &str, flags: u32, value: &[u8]) {
        file.extend((value.len() as u32).to_le_bytes());
        file.extend(flags.to_le_bytes());
        file.extend(name.as_bytes());
        file.push(0);
        file.extend(value);
    }

    fn tagged() -> Vec<u8> {
        let mut items = Vec::new();
        item(&mut items, "Title", 0, "Größe".as_bytes());
        item(&mut items, "ARTIST", 0, b"One\0Two");
        item(&mut items, "Track", 2, b"\x01\x02");
        item(&mut items, "Lyrics", 0, b"La");
        item(
            &mut items,
            "Cover Art (Front)",
            2,
            b"a.jpg\0\xff\xd8\xff\xe0",
        );
        let mut file = b"sound".to_vec();
        file.extend(&items);
        file.extend(MAGIC);
        for word in [2000, items.len() as u32 + 32, 5, 0, 0, 0] {
            file.extend(word.to_le_bytes());
        }
        file
    }

    fn strip(file: &[u8]) -> (Tags, Vec<u8>) {
        let mut input = Cursor::new(file);
        let mut stream = Stream::new(&mut input, &Unlimited).unwrap();
        let tags = id3::strip(&mut stream).unwrap();
        (tags, stream.up_to(u64::MAX).unwrap())
    }

    #[test]
    fn items_are_read_and_the_tag_is_cut_from_the_sound() {
        let (tags, sound) = strip(&tagged());
        assert_eq!(sound, b"sound");
        assert_eq!(tags.get(Key::Title), Some("Größe"));
        assert_eq!(tags.joined(Key::Artist).as_deref(), Some("One; Two"));
        assert_eq!(tags.own().next(), Some(("LYRICS", "La")));
        assert_eq!(tags.get(Key::Track), None);
        assert_eq!(tags.picture().unwrap().data, b"\xff\xd8\xff\xe0");
    }

    #[test]
    fn ape_takes_precedence_over_a_following_id3v1() {
        let mut file = tagged();
        let mut last = b"TAGGr".to_vec();
        last.resize(128, 0);
        file.extend(last);
        let (tags, sound) = strip(&file);
        assert_eq!(
            (tags.get(Key::Title), &sound[..]),
            (Some("Größe"), &b"sound"[..])
        );
    }

    #[test]
    fn broken_tags_are_ignored() {
        let file = tagged();
        for at in 5..file.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut broken = file.clone();
                broken[at] = value;
                strip(&broken);
            }
            strip(&file[at..]);
        }
    }
}
