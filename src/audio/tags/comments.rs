//! Reads and writes Vorbis comments and FLAC picture blocks (RFC 9639, sections 8.6 and 8.8), which FLAC, Ogg Vorbis
//! and Opus share. Every length is checked against the bytes that follow it.
//!
//! Field names are free text, so the usual variants of each name are accepted. In Ogg, a picture is a comment in
//! base64.

use super::{
    FRONT, Key, PICTURE_DAMAGED, Picture, Tags,
    chapters::{Chapter, MAX_CHAPTERS},
    fields,
    names::{self, Named},
};
use crate::sound::channels::Channels;
use ::base64::{Engine, engine::general_purpose::STANDARD};
use convertd_core::{clock, coding::base64, error::Result, job::Gate};

/// The field with a picture block in base64.
const PICTURE: &str = "METADATA_BLOCK_PICTURE";
/// The field with a picture in base64, without a block (xiph.org, "VorbisComment", unofficial `COVERART`).
const COVER: &str = "COVERART";
/// The speaker mask of a FLAC stream (RFC 9639, section 8.6.2).
const SPEAKERS: &str = "WAVEFORMATEXTENSIBLE_CHANNEL_MASK";

/// The vendor string of comment headers that this program writes.
pub(crate) const VENDOR: &str = concat!("convertd ", env!("CARGO_PKG_VERSION"));

/// Maximum number of fields of a header that are read.
const MAX_FIELDS: usize = 10_000;

/// Returns the names, in capitals, and the values of the fields of a comment header. `bytes` begin with the vendor
/// string, without the signature that some containers put before it.
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

/// Reads the tags of a comment header. They take precedence over the tags that `tags` already has.
///
/// Errors: those of [`Gate::check`].
pub(crate) fn read(bytes: &[u8], tags: &mut Tags, gate: &dyn Gate) -> Result<()> {
    let mut read = Tags::default();
    let mut totals = Vec::new();
    let mut chapters = Vec::new();
    let mut performers = Vec::new();
    for (name, value) in fields(bytes) {
        gate.check()?;
        let text = String::from_utf8_lossy(value);
        match (name.as_str(), names::key(&name)) {
            (PICTURE, _) => {
                let block = base64::decode(value).unwrap_or_default();
                read_picture(&block, &mut read);
            }
            // The field that held a picture alone, before there were picture blocks.
            (COVER, _) => match base64::decode(value) {
                Some(picture) => read.add_picture(&picture),
                None => read.leave_out(PICTURE_DAMAGED),
            },
            (fields::PERFORMER, _) => performers.push(text),
            (_, Some(Named::Total(key))) => totals.push((key, text)),
            (_, Some(Named::Text(key))) => read.add(key, &text),
            // The start of a chapter has to come before its title.
            (name, None) => match (chapter(name), clock::milliseconds(&text)) {
                (Some((number, false)), Some(start)) => {
                    // One chapter beyond the limit is enough for the note about it.
                    if chapters.len() <= MAX_CHAPTERS {
                        chapters.push((number.to_owned(), start, String::new()));
                    }
                }
                (Some((number, true)), _) => {
                    let named = chapters.iter_mut().find(|(known, ..)| *known == number);
                    if let Some((.., title)) = named {
                        *title = text.into_owned();
                    }
                }
                _ => read.add_own(name, &text),
            },
        }
    }
    // Performers are the artists of a file without the field ARTIST; otherwise they are musicians with an instrument.
    let has_artist = read.get(Key::Artist).is_some();
    for performer in performers {
        match has_artist {
            true => read.add_own(fields::PERFORMER, &performer),
            false => read.add(Key::Artist, &performer),
        }
    }
    for (key, total) in totals {
        read.set_total(key, &total);
    }
    for (_, start, title) in chapters {
        read.add_chapter(Chapter::new(start, &title));
    }
    read.merge(std::mem::take(tags));
    *tags = read;
    Ok(())
}

/// Returns the number of the chapter that a field describes, and whether the field is its title rather than its start:
/// `CHAPTER001`, `CHAPTER001NAME` (xiph.org, "Chapter extension").
fn chapter(field: &str) -> Option<(&str, bool)> {
    let rest = field.strip_prefix("CHAPTER")?;
    let (number, is_name) = match rest.strip_suffix("NAME") {
        Some(number) => (number, true),
        None => (rest, false),
    };
    let is_number = (1..=4).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    is_number.then_some((number, is_name))
}

/// Reads the speaker mask from the comment header of a FLAC stream. Returns 0 if the header states no mask.
pub(crate) fn read_speakers(bytes: &[u8]) -> u32 {
    let field = fields(bytes).find(|(name, _)| name == SPEAKERS);
    let text = field.and_then(|(_, value)| std::str::from_utf8(value).ok());
    let digits = text.and_then(|text| text.trim().strip_prefix("0x"));
    digits
        .and_then(|digits| u32::from_str_radix(digits, 16).ok())
        .unwrap_or(0)
}

/// Returns the field with the speaker mask. `None` for layouts that FLAC assumes without the field. With 5 or 6
/// channels, FLAC leaves open whether the last two are at the back or at the sides, so these layouts always get the
/// field.
pub(crate) fn speakers(channels: Channels) -> Option<Vec<u8>> {
    let mask = channels.mask();
    let is_clear = channels.is_default() && !matches!(channels.count(), 5 | 6);
    (!is_clear).then(|| format!("{SPEAKERS}=0x{mask:04x}").into_bytes())
}

/// The kinds of stream that have a comment header.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    /// Pictures have blocks of their own.
    Flac,
    /// Pictures are comments in base64.
    Vorbis,
    /// Like Vorbis, but loudness has fields and units of its own.
    Opus,
}

/// Makes a comment header; the field `more` comes after the texts.
pub(crate) fn write(tags: &Tags, stream: Stream, more: Option<Vec<u8>>) -> Vec<u8> {
    let mut fields: Vec<Vec<u8>> = Vec::new();
    let mut put_text = |name: &str, text: &str| fields.push(format!("{name}={text}").into_bytes());
    for (key, text) in tags.texts() {
        let name = names::in_comments(key);
        match (key, text.split_once('/')) {
            (Key::Track | Key::Disc, Some((number, total))) => {
                put_text(name, number);
                let name = match key {
                    Key::Track => "TRACKTOTAL",
                    _ => "DISCTOTAL",
                };
                put_text(name, total);
            }
            _ => put_text(name, text),
        }
    }
    for (name, text) in tags.own() {
        match fields::to_opus(name, text).filter(|_| stream == Stream::Opus) {
            // Fields that RFC 7845, section 5.2.1, forbids in an Opus stream.
            Some(("", _)) => {}
            Some((name, text)) => put_text(name, &text),
            None => put_text(name, text),
        }
    }
    for (i, chapter) in tags.chapters().iter().enumerate() {
        let number = i + 1;
        put_text(
            &format!("CHAPTER{number:03}"),
            &clock::written(chapter.start, '.'),
        );
        put_text(&format!("CHAPTER{number:03}NAME"), &chapter.title);
    }
    if stream != Stream::Flac {
        for picture in tags.pictures() {
            let block = STANDARD.encode(picture_block(picture));
            fields.push(format!("{PICTURE}={block}").into_bytes());
        }
    }
    fields.extend(more);
    let mut header = Vec::new();
    put(&mut header, VENDOR.as_bytes());
    header.extend((fields.len() as u32).to_le_bytes());
    for field in fields {
        put(&mut header, &field);
    }
    header
}

/// Reads a picture block (RFC 9639, section 8.8).
pub(crate) fn read_picture(block: &[u8], tags: &mut Tags) {
    let parse = || {
        let (kind, rest) = block.split_first_chunk::<4>()?;
        let (_media_type, rest) = big(rest)?;
        let (_description, rest) = big(rest)?;
        let (data, _) = big(rest.get(16..)?)?;
        let kind = u8::try_from(u32::from_be_bytes(*kind)).unwrap_or(FRONT);
        Some((kind, data))
    };
    match parse() {
        Some((kind, data)) => tags.add_picture_of(kind, data),
        None => tags.leave_out(PICTURE_DAMAGED),
    }
}

/// Makes a picture block.
pub(crate) fn picture_block(picture: &Picture) -> Vec<u8> {
    let mut block = Vec::with_capacity(picture.data.len() + 64);
    block.extend(u32::from(picture.kind).to_be_bytes());
    block.extend((picture.media_type.len() as u32).to_be_bytes());
    block.extend(picture.media_type.bytes());
    // An empty description; and width, height, depth and number of colours as 0, for unknown.
    block.extend([0; 20]);
    block.extend((picture.data.len() as u32).to_be_bytes());
    block.extend(&picture.data);
    block
}

/// Splits off a length, least significant byte first.
fn length(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    Some((u32::from_le_bytes(*length), rest))
}

/// Takes a field that is preceded by its length off the front of `bytes`.
fn take<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, rest) = length(bytes)?;
    let (field, rest) = rest.split_at_checked(length as usize)?;
    *bytes = rest;
    Some(field)
}

/// Splits off a field of a picture block, whose lengths have the most significant byte first.
fn big(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    rest.split_at_checked(u32::from_be_bytes(*length) as usize)
}

/// Appends a field with its length before it.
fn put(bytes: &mut Vec<u8>, field: &[u8]) {
    bytes.extend((field.len() as u32).to_le_bytes());
    bytes.extend(field);
}

#[cfg(test)]
mod tests {
    use super::*;
    use convertd_core::job::Unlimited;

    fn read_all(bytes: &[u8], tags: &mut Tags) {
        read(bytes, tags, &Unlimited).unwrap();
    }

    #[test]
    fn written_comments_are_read_back() {
        let mut tags = Tags::default();
        for key in Key::ALL {
            tags.add(key, &format!("{key:?} = ü"));
        }
        tags.add(Key::Artist, "second");
        tags.add_picture(b"\xff\xd8\xff\xe0 cover");
        let mut back = Tags::default();
        tags.add_picture_of(4, b"\xff\xd8\xff\xe1 back");
        tags.add_own("ISRC", "XX1");
        tags.add_own("replaygain_track_gain", "-8.58 dB");
        tags.add_chapter(Chapter::new(0, "One: Début"));
        tags.add_chapter(Chapter::new(61_001, "Two"));
        read_all(&write(&tags, Stream::Vorbis, None), &mut back);
        assert_eq!(back, tags);
        let mut back = Tags::default();
        let header = write(&tags, Stream::Opus, None);
        assert!(header.windows(20).any(|w| w == b"R128_TRACK_GAIN=-347"));
        read_all(&header, &mut back);
        assert_eq!(back, tags);
    }

    #[test]
    fn titles_may_follow_all_chapters() {
        let mut header = vec![0; 4];
        header.extend((2 * (MAX_CHAPTERS as u32 + 5)).to_le_bytes());
        for name in ["", "NAME"] {
            for number in 1..=MAX_CHAPTERS + 5 {
                let value = match name {
                    "" => format!("00:{:02}:{:02}.000", number / 60, number % 60),
                    _ => format!("Part {number}"),
                };
                put(
                    &mut header,
                    format!("CHAPTER{number:03}{name}={value}").as_bytes(),
                );
            }
        }
        let mut tags = Tags::default();
        read_all(&header, &mut tags);
        assert_eq!(tags.chapters().len(), MAX_CHAPTERS);
        for (i, chapter) in tags.chapters().iter().enumerate() {
            assert_eq!(chapter.title, format!("Part {}", i + 1));
        }
        assert_eq!(tags.own().count(), 0);
        assert_eq!(tags.left_out.len(), 1);
    }

    #[test]
    fn totals_have_their_own_fields() {
        let mut tags = Tags::default();
        tags.add(Key::Track, "3/12");
        let header = write(&tags, Stream::Flac, None);
        assert!(header.windows(13).any(|w| w == b"TRACKNUMBER=3"));
        let mut back = Tags::default();
        read_all(&header, &mut back);
        assert_eq!(back.get(Key::Track), Some("3/12"));
    }

    #[test]
    fn performers_count_as_artists_only_if_no_artist_is_stated() {
        #[track_caller]
        fn check(fields: &[&str], artists: &[&str], performers: &[&str]) {
            let mut header = vec![0; 4];
            header.extend((fields.len() as u32).to_le_bytes());
            for field in fields {
                put(&mut header, field.as_bytes());
            }
            let mut tags = Tags::default();
            read_all(&header, &mut tags);
            let found: Vec<_> = tags.texts().map(|(_, text)| text).collect();
            assert_eq!(found, artists);
            let found: Vec<_> = tags.own().map(|(_, text)| text).collect();
            assert_eq!(found, performers);
        }
        check(&["PERFORMER=B (viola)", "artist=A"], &["A"], &["B (viola)"]);
        check(&["performer=B", "performer=C"], &["B", "C"], &[]);
    }

    #[test]
    fn speakers_are_stated_unless_they_are_the_default() {
        let default = Channels::of(4).unwrap();
        assert_eq!(speakers(default), None);
        let surround = Channels::of(6).unwrap();
        let header = write(&Tags::default(), Stream::Flac, speakers(surround));
        assert_eq!(read_speakers(&header), 0x3f);
        let other = Channels::with_mask(4, 0x107).unwrap();
        let header = write(&Tags::default(), Stream::Flac, speakers(other));
        assert_eq!(read_speakers(&header), 0x107);
        assert_eq!(
            read_speakers(&write(&Tags::default(), Stream::Flac, None)),
            0
        );
    }

    #[test]
    fn broken_headers_are_ignored() {
        let mut tags = Tags::default();
        read_all(b"", &mut tags);
        read_all(b"\xff\xff\xff\xff", &mut tags);
        read_all(b"\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff", &mut tags);
        assert_eq!(tags, Tags::default());
        read_picture(b"\0\0\0\x03\xff\xff\xff\xff", &mut tags);
        assert_eq!(tags.left_out, [PICTURE_DAMAGED]);
    }
}
