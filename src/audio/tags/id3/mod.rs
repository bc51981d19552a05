//! ID3 tags (id3.org, versions 2.2 to 2.4 and 1), read and written. Never believes a length that it has not the bytes for.

mod genres;

use self::genres::GENRES;
use crate::audio::{
    stream::Stream,
    tags::{Key, MAX_PICTURE, Picture, Tags},
};
use std::io::{self, Read, Seek, SeekFrom};

/// Frames looked at; a tag has a few dozen.
const MAX_FRAMES: usize = 1000;
/// Longest text frame looked at, in bytes.
const MAX_TEXT: usize = 64 << 10;

const FRAMES: [(Key, &str, &str); 10] = [
    (Key::Title, "TIT2", "TT2"),
    (Key::Artist, "TPE1", "TP1"),
    (Key::Album, "TALB", "TAL"),
    (Key::AlbumArtist, "TPE2", "TP2"),
    (Key::Composer, "TCOM", "TCM"),
    (Key::Track, "TRCK", "TRK"),
    (Key::Disc, "TPOS", "TPA"),
    (Key::Date, "TDRC", "TYE"),
    (Key::Genre, "TCON", "TCO"),
    (Key::Comment, "COMM", "COM"),
];

/// Length of the tag at the beginning of `head` with its header, or 0 if there is none.
pub(crate) fn length(head: &[u8]) -> u64 {
    match head {
        [b'I', b'D', b'3', 2..=4, _, flags, a, b, c, d, ..]
            if [a, b, c, d].iter().all(|byte| **byte < 0x80) =>
        {
            let footer = if flags & 0x10 != 0 { 10 } else { 0 };
            10 + synchsafe([*a, *b, *c, *d]) + footer
        }
        _ => 0,
    }
}

/// Reads the tags before and after the sound, and narrows the stream to the sound between them.
pub(crate) fn strip(stream: &mut Stream<'_>) -> io::Result<Tags> {
    let mut tags = Tags::default();
    loop {
        let head = stream.up_to(10)?;
        stream.seek(SeekFrom::Start(0))?;
        let length = length(&head);
        if length == 0 || length > stream.len() {
            break;
        }
        tags.merge(read(stream)?);
        stream.narrow(length, u64::MAX)?;
    }
    let mut end = stream.len();
    if end >= 128 {
        stream.seek(SeekFrom::Start(end - 128))?;
        let last = stream.array::<128>()?;
        if last.starts_with(b"TAG") {
            tags.merge(version_1(&last));
            end -= 128;
        }
    }
    if end >= 32 {
        stream.seek(SeekFrom::Start(end - 32))?;
        let last = stream.array::<32>()?;
        if last.starts_with(b"APETAGEX") {
            let size = u32::from_le_bytes([last[12], last[13], last[14], last[15]]);
            let header = if last[23] & 0x80 != 0 { 32 } else { 0 };
            end = end.saturating_sub(u64::from(size) + header);
        }
    }
    stream.narrow(0, end)?;
    Ok(tags)
}

/// Reads the tag at the stream's position.
pub(crate) fn read(stream: &mut Stream<'_>) -> io::Result<Tags> {
    let mut tags = Tags::default();
    let head = stream.array::<10>()?;
    let end = stream.position() - 10 + length(&head);
    let (version, flags) = (head[3], head[5]);
    let whole_unsync = flags & 0x80 != 0 && version < 4;
    if flags & 0x40 != 0 && version > 2 {
        let size = stream.array::<4>()?;
        match version {
            3 => stream.skip(u64::from(u32::from_be_bytes(size)))?,
            _ => stream.skip(synchsafe(size).saturating_sub(4))?,
        }
    }
    for _ in 0..MAX_FRAMES {
        let header = if version == 2 { 6 } else { 10 };
        if stream.position() + header > end {
            break;
        }
        let Some((name, size, format)) = frame_header(stream, version)? else {
            break;
        };
        let next = stream.position().saturating_add(size);
        if next > end {
            break;
        }
        let is_picture = name == "APIC" || name == "PIC";
        let limit = if is_picture {
            MAX_PICTURE + 1024
        } else {
            MAX_TEXT
        };
        if size <= limit as u64 {
            let mut body = vec![0; size as usize];
            stream.read_exact(&mut body)?;
            if version == 4 && format & 0x01 != 0 {
                body.drain(..body.len().min(4));
            }
            if whole_unsync || version == 4 && format & 0x02 != 0 {
                synchronise(&mut body);
            }
            // Compressed and encrypted frames are left alone.
            let opaque = if version == 4 { 0x0c } else { 0xc0 };
            if version == 2 || format & opaque == 0 {
                frame(&mut tags, &name, &body);
            }
        } else if is_picture {
            tags.picture_dropped = true;
        }
        stream.seek(SeekFrom::Start(next))?;
    }
    Ok(tags)
}

/// Name, size and format flags of the next frame; `None` at the padding.
fn frame_header(stream: &mut Stream<'_>, version: u8) -> io::Result<Option<(String, u64, u8)>> {
    let (name, size, format) = if version == 2 {
        let head = stream.array::<6>()?;
        let size = u32::from_be_bytes([0, head[3], head[4], head[5]]);
        (head[..3].to_vec(), u64::from(size), 0)
    } else {
        let head = stream.array::<10>()?;
        let bytes = [head[4], head[5], head[6], head[7]];
        let plain = u64::from(u32::from_be_bytes(bytes));
        // Some writers of version 2.4 use plain sizes.
        let size = if version == 4 && bytes.iter().all(|byte| *byte < 0x80) {
            synchsafe(bytes)
        } else {
            plain
        };
        (head[..4].to_vec(), size, head[9])
    };
    let valid = name.iter().all(u8::is_ascii_alphanumeric);
    Ok(valid.then(|| (String::from_utf8_lossy(&name).into_owned(), size, format)))
}

fn frame(tags: &mut Tags, name: &str, body: &[u8]) {
    let Some((&encoding, rest)) = body.split_first() else {
        return;
    };
    let known = FRAMES
        .iter()
        .find(|(_, new, old)| *new == name || *old == name)
        .map(|(key, ..)| *key);
    match (name, known) {
        ("APIC" | "PIC", _) => {
            let after_type = if name == "PIC" {
                rest.get(3..)
            } else {
                rest.iter()
                    .position(|b| *b == 0)
                    .and_then(|at| rest.get(at + 1..))
            };
            let picture = after_type
                .and_then(|rest| rest.get(1..))
                .and_then(|rest| split_text(encoding, rest));
            if let Some((_, data)) = picture {
                tags.add_picture(data);
            }
        }
        ("COMM" | "COM", _) => {
            // Comments with a description are for programs: iTunes keeps its settings there.
            let Some((description, text)) =
                rest.get(3..).and_then(|rest| split_text(encoding, rest))
            else {
                return;
            };
            if decode(encoding, description).is_empty() {
                tags.add(Key::Comment, &decode(encoding, text));
            }
        }
        ("TXXX" | "TXX", _) => {
            // Where ffmpeg keeps the comment.
            if let Some((description, text)) = split_text(encoding, rest)
                && decode(encoding, description).eq_ignore_ascii_case("comment")
            {
                tags.add_if_missing(Key::Comment, &decode(encoding, text));
            }
        }
        ("TYER", _) => tags.add_if_missing(Key::Date, &decode(encoding, rest)),
        (_, Some(Key::Genre)) => tags.add(Key::Genre, &genre(&decode(encoding, rest))),
        (_, Some(key)) => tags.add(key, &decode(encoding, rest)),
        (_, None) => {}
    }
}

/// Splits after the terminator of a text.
fn split_text(encoding: u8, bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    if matches!(encoding, 1 | 2) {
        let at = bytes.chunks_exact(2).position(|unit| unit == [0, 0])? * 2;
        Some((&bytes[..at], &bytes[at + 2..]))
    } else {
        let at = bytes.iter().position(|byte| *byte == 0)?;
        Some((&bytes[..at], &bytes[at + 1..]))
    }
}

fn decode(encoding: u8, bytes: &[u8]) -> String {
    let text = match encoding {
        0 => bytes.iter().map(|byte| char::from(*byte)).collect(),
        1 | 2 => {
            let little = bytes.starts_with(&[0xff, 0xfe]);
            let units: Vec<u16> = bytes
                .chunks_exact(2)
                .map(|unit| match little {
                    true => u16::from_le_bytes([unit[0], unit[1]]),
                    false => u16::from_be_bytes([unit[0], unit[1]]),
                })
                .collect();
            String::from_utf16_lossy(&units).replace('\u{feff}', "")
        }
        _ => String::from_utf8_lossy(bytes).into_owned(),
    };
    text.trim_matches(['\0', ' ']).to_owned()
}

/// A genre that may be a number of the list of version 1, bare or in parentheses.
fn genre(text: &str) -> String {
    let number = text.strip_prefix('(').map_or(text, |rest| {
        rest.split_once(')').map_or(rest, |(number, _)| number)
    });
    let refinement = text.split_once(')').map_or("", |(_, rest)| rest);
    match number.parse::<usize>().ok().and_then(|n| GENRES.get(n)) {
        Some(_) if !refinement.is_empty() => refinement.to_owned(),
        Some(name) => (*name).to_owned(),
        None => text.to_owned(),
    }
}

fn version_1(tag: &[u8; 128]) -> Tags {
    let mut tags = Tags::default();
    tags.add(Key::Title, &decode(0, &tag[3..33]));
    tags.add(Key::Artist, &decode(0, &tag[33..63]));
    tags.add(Key::Album, &decode(0, &tag[63..93]));
    tags.add(Key::Date, &decode(0, &tag[93..97]));
    let text = decode(0, &tag[97..125]);
    tags.add(Key::Comment, text.split('\0').next().unwrap_or(""));
    if tag[125] == 0 && tag[126] != 0 {
        tags.add(Key::Track, &tag[126].to_string());
    }
    if let Some(name) = GENRES.get(usize::from(tag[127])) {
        tags.add(Key::Genre, name);
    }
    tags
}

/// A version 2.4 tag with the texts in UTF-8. Empty if there is nothing to say.
pub(crate) fn write(tags: &Tags) -> Vec<u8> {
    let mut frames = Vec::new();
    for key in Key::ALL {
        let texts: Vec<&str> = tags
            .texts()
            .filter(|(k, _)| *k == key)
            .map(|(_, t)| t)
            .collect();
        if texts.is_empty() {
            continue;
        }
        let mut body = vec![3];
        if key == Key::Comment {
            body.extend(b"und\0");
        }
        body.extend(texts.join("\0").bytes());
        let name = FRAMES
            .iter()
            .find(|(k, ..)| *k == key)
            .map_or("TXXX", |(_, name, _)| name);
        push_frame(&mut frames, name, &body);
    }
    if let Some(Picture { media_type, data }) = tags.picture() {
        let mut body = vec![3];
        body.extend(media_type.bytes());
        body.extend([0, 3, 0]);
        body.extend(data);
        push_frame(&mut frames, "APIC", &body);
    }
    if frames.is_empty() {
        return frames;
    }
    let mut tag = b"ID3\x04\0\0".to_vec();
    tag.extend(to_synchsafe(frames.len()));
    tag.append(&mut frames);
    tag
}

fn push_frame(frames: &mut Vec<u8>, name: &str, body: &[u8]) {
    frames.extend(name.bytes());
    frames.extend(to_synchsafe(body.len()));
    frames.extend([0, 0]);
    frames.extend(body);
}

fn synchsafe(bytes: [u8; 4]) -> u64 {
    bytes
        .iter()
        .fold(0, |n, byte| n << 7 | u64::from(byte & 0x7f))
}

fn to_synchsafe(n: usize) -> [u8; 4] {
    [21, 14, 7, 0].map(|shift| (n >> shift) as u8 & 0x7f)
}

/// Takes out the zero bytes that keep a tag from looking like a frame of sound.
fn synchronise(bytes: &mut Vec<u8>) {
    let mut after_ff = false;
    bytes.retain(|byte| {
        let stuffed = after_ff && *byte == 0;
        after_ff = *byte == 0xff;
        !stuffed
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Unlimited;
    use std::io::Cursor;

    fn strip_bytes(bytes: Vec<u8>) -> (Tags, Vec<u8>) {
        let mut input = Cursor::new(bytes);
        let mut stream = Stream::new(&mut input, &Unlimited).unwrap();
        let tags = strip(&mut stream).unwrap();
        (tags, stream.up_to(u64::MAX).unwrap())
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut tags = Tags::default();
        for key in Key::ALL {
            tags.add(key, &format!("{key:?} – ü"));
        }
        tags.add(Key::Artist, "Another");
        tags.add_picture(b"\x89PNG\r\n\x1a\nrest");
        let mut file = write(&tags);
        file.extend(b"sound");
        let (read, sound) = strip_bytes(file);
        assert_eq!(sound, b"sound");
        assert_eq!(read.get(Key::Artist), Some("Artist – ü; Another"));
        assert_eq!(read.get(Key::Comment), tags.get(Key::Comment));
        assert_eq!(read.picture(), tags.picture());
    }

    #[test]
    fn older_versions_and_both_ends_are_read() {
        #[track_caller]
        fn check(file: &[u8], key: Key, text: &str) {
            let (tags, sound) = strip_bytes(file.to_vec());
            assert_eq!(tags.get(key), Some(text));
            assert_eq!(sound, b"sound");
        }
        check(
            b"ID3\x02\0\0\0\0\0\x0aTT2\0\0\x04\0abcsound",
            Key::Title,
            "abc",
        );
        check(
            b"ID3\x03\0\0\0\0\0\x13TIT2\0\0\0\x09\0\0\x01\xff\xfea\0b\0\0\0sound",
            Key::Title,
            "ab",
        );
        check(
            b"ID3\x03\0\0\0\0\0\x10TCON\0\0\0\x05\0\0\0(17)\0sound",
            Key::Genre,
            "Rock",
        );
        check(
            b"ID3\x03\0\x80\0\0\0\x10TIT2\0\0\0\x05\0\0\0a\xff\0b\0sound",
            Key::Title,
            "a\u{ff}b",
        );
        let mut last = b"soundTAGtitle".to_vec();
        last.resize(5 + 128, 0);
        check(&last, Key::Title, "title");
        let mut ape = b"soundAPETAGEX\xd0\x07\0\0".to_vec();
        ape.extend(32u32.to_le_bytes());
        ape.resize(5 + 32, 0);
        ape.extend(&last[5..]);
        check(&ape, Key::Title, "title");
    }

    #[test]
    fn broken_tags_do_no_harm() {
        #[track_caller]
        fn check(file: &[u8]) {
            let (tags, _) = strip_bytes(file.to_vec());
            assert_eq!(tags, Tags::default());
        }
        check(b"");
        check(b"ID3");
        check(b"ID3\x04\0\0\x7f\x7f\x7f\x7fTIT2\x7f\x7f\x7f\x7f\0\0\x03a");
        check(b"ID3\x04\0\0\0\0\0\x0cTIT2\x7f\x7f\x7f\x7f\0\0\x03a");
        check(b"ID3\x03\0\x40\0\0\0\x04\xff\xff\xff\xffsound");
        check(b"ID3\x04\0\0\0\0\0\0");
    }
}
