//! ID3 tags (id3.org: ID3v1, ID3v2.2.0, ID3v2.3.0, ID3v2.4.0): reads every version and writes 2.4. Never drops a valid
//! frame because the content of another is invalid.
//!
//! A tag is a header with a length, and a list of frames, each with a name and a length. Files may be damaged or
//! malicious, so a frame is read only if it is not too long. A frame with invalid content is dropped, and the others
//! are kept. An invalid name or a length beyond the end of the tag ends the list.
//!
//! The crate `id3` (1.17) is not used, because it reads all frames into memory and stops at the first frame that it
//! cannot parse. In a test with our own tags, one encrypted or grouped frame, or a comment without its language, hid
//! every text after it; an unknown flag in the header hid the whole tag; and a compressed frame in a tag of 0.6 MB took
//! 268 MB of memory, while a whole conversion may use 16 MiB.

mod frames;
mod genres;
mod read;
mod write;

pub(crate) use self::{
    frames::length,
    genres::name as genre_name,
    read::{pass, read, strip},
    write::{LastEnd, Tag, write},
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        stream::Stream,
        tags::{Key, Tags, chapters::Chapter},
    };
    use convertd_core::job::Unlimited;
    use std::io::Cursor;

    fn strip_bytes(bytes: Vec<u8>) -> (Tags, Vec<u8>) {
        let mut input = Cursor::new(bytes);
        let mut stream = Stream::new(&mut input, &Unlimited).unwrap();
        let tags = strip(&mut stream).unwrap();
        (tags, stream.up_to(u64::MAX).unwrap())
    }

    #[test]
    fn written_tags_are_read_back() {
        let mut tags = Tags::default();
        for key in Key::ALL {
            tags.add(key, &format!("{key:?} – ü"));
            if key == Key::Artist {
                tags.add(key, "Another");
            }
        }
        tags.add_picture(b"\x89PNG\r\n\x1a\nrest");
        tags.add_picture_of(4, b"\x89PNG\r\n\x1a\nback");
        tags.add_own("ISRC", "XX1");
        tags.add_lyrics("la\nla", *b"eng");
        tags.add_own("REPLAYGAIN_TRACK_GAIN", "-8.58 dB");
        tags.add_chapter(Chapter::new(0, "One: Début"));
        tags.add_chapter(Chapter::new(61_001, "Two"));
        let mut file = write(&tags).bytes;
        file.extend(b"sound");
        let (read, sound) = strip_bytes(file);
        assert_eq!(sound, b"sound");
        assert_eq!(read, tags);
    }

    #[test]
    fn older_versions_are_read_at_both_ends_of_a_file() {
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
    fn several_genres_are_all_read() {
        #[track_caller]
        fn check(text: &[u8], expected: &[&str]) {
            let mut file = b"ID3\x03\0\0\0\0\0".to_vec();
            file.push(11 + text.len() as u8);
            file.extend(b"TCON\0\0\0");
            file.push(1 + text.len() as u8);
            file.extend(b"\0\0\0");
            file.extend(text);
            let (tags, _) = strip_bytes(file);
            let found: Vec<_> = tags.texts().map(|(_, text)| text).collect();
            assert_eq!(found, expected);
        }
        check(b"(17)(8)", &["Rock", "Jazz"]);
        check(b"(17)\0Folk", &["Rock", "Folk"]);
        check(b"17\08", &["Rock", "Jazz"]);
        check(b"(4)Eurodisco", &["Eurodisco"]);
        check(b"(Live) at home", &["(Live) at home"]);
    }

    #[test]
    fn broken_tags_are_ignored() {
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
