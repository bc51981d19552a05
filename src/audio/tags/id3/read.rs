//! Reads ID3 tags. Rejects lengths that exceed the available bytes.

use super::{
    frames::{FRAMES, length, synchsafe},
    genres,
};
use crate::{
    stream::Stream,
    tags::{
        self, FRONT, Key, LINK_OMITTED, MAX_PICTURE, TEXT_OMITTED, Tags, ape,
        chapters::Chapter,
        fields::{self, FIELDS},
    },
};
use std::io::{self, Seek, SeekFrom};

/// Largest number of frames that are read. A usual tag has a few dozen.
const MAX_FRAMES: usize = 4000;
/// Bytes of a text frame that are read. In UTF-16, a text may be twice as long as in UTF-8.
const MAX_TEXT: usize = 2 * tags::MAX_TEXT + 1024;

/// Frames without an equivalent in other formats, and the notes about them.
const OMITTED_FRAMES: [(&str, &str); 4] = [
    ("SYLT", "The synchronised lyrics were left out."),
    ("GEOB", "A file among the tags was left out."),
    ("POPM", "The rating was left out."),
    ("ETCO", "The markers in the sound were left out."),
];
/// Text frames about the file itself, not about the sound: its encoder, its length and size, its name, and when it was
/// made. The names of version 2.2 have three letters.
const TECHNICAL: [&str; 20] = [
    "TSSE", "TLEN", "TFLT", "TSIZ", "TDTG", "TDEN", "TDLY", "TOFN", "TIME", "TRDA", "TSS", "TLE",
    "TFT", "TSI", "TDY", "TOF", "TIM", "TRD", "TDA", "TDAT",
];
/// Note for compressed and encrypted frames, which are skipped.
const OPAQUE: &str = "A compressed or encrypted part of the tags was left out.";
/// Note for the pictures and links of chapters, which podcasts have.
const IN_CHAPTERS: &str = "The pictures and links of chapters were left out.";
/// Owner of the recording IDs of MusicBrainz.
const MUSICBRAINZ: &[u8] = b"http://musicbrainz.org\0";

/// Skips the tags before the sound. Does not narrow the stream, so that a later reader still finds them.
pub(crate) fn pass(stream: &mut Stream<'_>) -> io::Result<()> {
    loop {
        let begin = stream.position();
        let length = length(&stream.up_to(10)?);
        stream.seek(SeekFrom::Start(begin + length))?;
        if length == 0 {
            return Ok(());
        }
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
    let mut oldest = Tags::default();
    if end >= 128 {
        stream.seek(SeekFrom::Start(end - 128))?;
        let last = stream.array::<128>()?;
        if last.starts_with(b"TAG") {
            oldest = version_1(&last);
            end -= 128;
        }
    }
    if end >= ape::FOOTER as u64 {
        stream.seek(SeekFrom::Start(end - ape::FOOTER as u64))?;
        let footer = stream.array()?;
        if let Some(length) = ape::length(&footer) {
            tags.merge(ape::read(stream, &footer, end)?);
            end = end.saturating_sub(length);
        }
    }
    // Texts of ID3v1 are cut after thirty characters, so all others take precedence.
    tags.merge(oldest);
    stream.narrow(0, end)?;
    Ok(tags)
}

/// Reads the tag at the current position, which must begin with `ID3`.
pub(crate) fn read(stream: &mut Stream<'_>) -> io::Result<Tags> {
    let mut tags = Tags::default();
    // Text frames contain the same gains with more precision than volume adjustments, so text frames take precedence.
    let mut volumes = Tags::default();
    let mut older = Older::default();
    let head = stream.array::<10>()?;
    let end = stream.position() - 10 + length(&head);
    // Flags of the header: unsynchronisation (0x80), and an extended header (0x40), which is skipped.
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
        let limit = match name.as_str() {
            "APIC" | "PIC" | "CHAP" => MAX_PICTURE + 1024,
            _ => MAX_TEXT,
        };
        let is_long = size > limit as u64;
        let opaque = if version == 4 { 0x0c } else { 0xc0 };
        if version > 2 && format & opaque != 0 {
            tags.leave_out(OPAQUE);
        } else if is_long && is_picture {
            tags.drop_picture();
        } else if !is_long || is_text(&name) || name == "CHAP" {
            // A chapter has its title before its picture, and long texts are cut anyway.
            let mut body = stream.up_to(size.min(limit as u64))?;
            if version == 4 && format & 0x01 != 0 {
                body.drain(..body.len().min(4));
            }
            if whole_unsync || version == 4 && format & 0x02 != 0 {
                synchronise(&mut body);
            }
            match name.as_str() {
                "CHAP" => chapter(&mut tags, &body, version),
                "RVA2" => volume(&mut volumes, &body),
                "TDAT" | "TDA" => older.day = text(&body),
                "TIT1" | "TT1" => older.group = text(&body),
                "GRP1" => older.group_of_itunes = text(&body),
                _ => frame(&mut tags, &name, &body),
            }
        } else if let Some(note) = omitted(&name) {
            tags.leave_out(note);
        }
        stream.seek(SeekFrom::Start(next))?;
    }
    tags.merge(volumes);
    older.add_to(&mut tags);
    Ok(tags)
}

/// Frames whose meaning depends on other frames.
#[derive(Default)]
struct Older {
    /// Day and month (`DDMM`); the year is in another frame (ID3v2.3, section 4.2.1).
    day: String,
    /// The grouping. In files of iTunes 12.5 and later, which has a frame of its own for the grouping, this is the name
    /// of the work.
    group: String,
    /// The grouping in the frame of iTunes (`GRP1`).
    group_of_itunes: String,
}

impl Older {
    /// Adds the texts, under names that depend on which of these frames exist.
    fn add_to(&self, tags: &mut Tags) {
        if self.group_of_itunes.is_empty() {
            tags.add_own(fields::GROUPING, &self.group);
        } else {
            tags.add_own(fields::GROUPING, &self.group_of_itunes);
            tags.add_own(fields::WORK, &self.group);
        }
        let is_number = |text: &str| text.len() == 4 && text.bytes().all(|b| b.is_ascii_digit());
        let year = tags.get(Key::Date).filter(|year| is_number(year));
        if let (Some(year), true) = (year, is_number(&self.day)) {
            let (day, month) = self.day.split_at(2);
            if ("01".."32").contains(&day) && ("01".."13").contains(&month) {
                tags.set(Key::Date, &format!("{year}-{month}-{day}"));
            }
        }
    }
}

/// Decodes the text of a text frame, whose first byte states the encoding.
fn text(body: &[u8]) -> String {
    let parts = body.split_first();
    parts.map_or_else(String::new, |(encoding, rest)| decode(*encoding, rest))
}

/// Reads the name, the size and the format flags of the next frame. `None` at the padding after the last frame.
fn frame_header(stream: &mut Stream<'_>, version: u8) -> io::Result<Option<(String, u64, u8)>> {
    let (name, size, format) = if version == 2 {
        let head = stream.array::<6>()?;
        let size = u32::from_be_bytes([0, head[3], head[4], head[5]]);
        (head[..3].to_vec(), u64::from(size), 0)
    } else {
        let head = stream.array::<10>()?;
        let size = frame_size([head[4], head[5], head[6], head[7]], version);
        (head[..4].to_vec(), size, head[9])
    };
    let valid = name.iter().all(u8::is_ascii_alphanumeric);
    Ok(valid.then(|| (String::from_utf8_lossy(&name).into_owned(), size, format)))
}

/// Returns the size of a frame from version 2.3 on. Version 2.4 has synchsafe sizes, but some programs, such as old
/// versions of iTunes, write plain numbers. A size with a byte of 0x80 or more can only be a plain number.
fn frame_size(bytes: [u8; 4], version: u8) -> u64 {
    match version == 4 && bytes.iter().all(|byte| *byte < 0x80) {
        true => synchsafe(bytes),
        false => u32::from_be_bytes(bytes).into(),
    }
}

/// Reads a frame. `name` is its name in version 2.2 or in a later version.
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
            let Some((kind, rest)) = after_type.and_then(<[u8]>::split_first) else {
                return;
            };
            if let Some((_, data)) = split_text(encoding, rest) {
                // iTunes writes 0 instead of the picture type, so 0 counts as a front cover.
                let kind = if *kind == 0 { FRONT } else { *kind };
                tags.add_picture_of(kind, data);
            }
        }
        ("COMM" | "COM", _) => {
            // A comment with a description becomes a text with that name, because iTunes stores its settings in such
            // comments.
            let Some((description, text)) =
                rest.get(3..).and_then(|rest| split_text(encoding, rest))
            else {
                return;
            };
            let (description, text) = (decode(encoding, description), decode(encoding, text));
            match description.is_empty() {
                true => tags.add(Key::Comment, &text),
                false => tags.add_own(&description, &text),
            }
        }
        ("USLT" | "ULT", _) => {
            let text = rest.get(3..).and_then(|rest| split_text(encoding, rest));
            if let (Some((_, text)), Some(language)) = (text, rest.first_chunk()) {
                tags.add_lyrics(&decode(encoding, text), *language);
            }
        }
        ("TXXX" | "TXX", _) => {
            if let Some((description, text)) = split_text(encoding, rest) {
                let (name, text) = (decode(encoding, description), decode(encoding, text));
                // FFmpeg writes the comment as a user-defined text frame.
                match name.eq_ignore_ascii_case("comment") {
                    true => tags.add_if_missing(Key::Comment, &text),
                    false => tags.add_own(&name, &text),
                }
            }
        }
        ("UFID" | "UFI", _) => {
            if let Some(identifier) = body.strip_prefix(MUSICBRAINZ) {
                tags.add_own("MUSICBRAINZ_TRACKID", &decode(0, identifier));
            }
        }
        ("TIPL" | "TMCL" | "IPLS" | "IPL", _) => people(tags, &decode(encoding, rest)),
        ("TORY", _) => tags.add_own("ORIGINALDATE", &decode(encoding, rest)),
        ("TYER", _) => tags.add_if_missing(Key::Date, &decode(encoding, rest)),
        (_, Some(Key::Genre)) => {
            for name in genres_in(&decode(encoding, rest)) {
                tags.add(Key::Genre, &name);
            }
        }
        (_, Some(key)) => tags.add(key, &decode(encoding, rest)),
        (_, None) => {
            let mut fields = FIELDS.iter();
            let known = fields.find(|field| field.id3.0 == name || field.id3.1 == name);
            if let Some(field) = known {
                tags.add_own(field.name, &decode(encoding, rest));
            } else if let Some(note) = omitted(name) {
                tags.leave_out(note);
            } else if is_text(name) {
                tags.leave_out(TEXT_OMITTED);
            }
        }
    }
}

/// Returns the note about a frame that no other format has an equivalent for. `None` for other frames.
fn omitted(name: &str) -> Option<&'static str> {
    let known = OMITTED_FRAMES.iter().find(|(of, _)| *of == name);
    let known = known.map(|(_, note)| *note);
    // The names of all frames with a link begin with W.
    known.or(name.starts_with('W').then_some(LINK_OMITTED))
}

/// Returns whether a frame holds a text about the sound.
fn is_text(name: &str) -> bool {
    let is_other = matches!(name, "COMM" | "COM" | "USLT" | "ULT");
    is_other || name.starts_with('T') && !TECHNICAL.contains(&name)
}

/// Adds a list of people: a role or an instrument, and a name, in turn (ID3v2.4, section 4.2.2).
fn people(tags: &mut Tags, list: &str) {
    let parts: Vec<&str> = list.split('\0').collect();
    for [role, name] in parts.as_chunks().0 {
        match fields::of_role(role) {
            _ if name.is_empty() => {}
            Some(known) => tags.add_own(known, name),
            None if role.is_empty() => tags.add_own(fields::PERFORMER, name),
            None => tags.add_own(fields::PERFORMER, &format!("{name} ({role})")),
        }
    }
}

/// Reads a relative volume adjustment (ID3v2.4, section 4.11). Only the adjustments named `track` and `album` are used,
/// which are those of ReplayGain.
fn volume(tags: &mut Tags, body: &[u8]) {
    let Some(end) = body.iter().position(|byte| *byte == 0) else {
        return;
    };
    let name = match body[..end].to_ascii_lowercase().as_slice() {
        b"track" => "TRACK",
        b"album" => "ALBUM",
        _ => return,
    };
    // The master volume has type 1. Its gain is in units of 1/512 decibel.
    if let [1, high, low, bits, peak @ ..] = &body[end + 1..] {
        let gain = f64::from(i16::from_be_bytes([*high, *low])) / 512.0;
        tags.add_own(
            &format!("REPLAYGAIN_{name}_GAIN"),
            &format!("{gain:+.2} dB"),
        );
        let peak = peak.get(..usize::from(*bits).div_ceil(8));
        if let Some(peak) = peak.filter(|peak| (1..=4).contains(&peak.len())) {
            let value = peak
                .iter()
                .fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
            let peak = value as f64 / (1_u64 << (bits - 1)) as f64;
            tags.add_own(&format!("REPLAYGAIN_{name}_PEAK"), &format!("{peak:.6}"));
        }
    }
}

/// Reads a chapter (ID3v2 Chapter Frame Addendum, section 3.1): its ID, two times, two offsets, and embedded frames.
fn chapter(tags: &mut Tags, body: &[u8], version: u8) {
    let mut has_more = false;
    let mut parse = || {
        let end = body.iter().position(|byte| *byte == 0)?;
        let rest = body.get(end + 1..)?;
        let (start, _) = rest.split_first_chunk::<4>()?;
        let mut frames = rest.get(16..)?;
        let mut title = String::new();
        while let Some((head, rest)) = frames.split_first_chunk::<10>() {
            let size = frame_size([head[4], head[5], head[6], head[7]], version);
            let Some((frame, rest)) = rest.split_at_checked(size as usize) else {
                has_more = true;
                break;
            };
            match (head.first_chunk(), frame.split_first()) {
                (Some(b"TIT2"), Some((encoding, text))) => title = decode(*encoding, text),
                (Some(b"APIC" | b"WXXX"), _) => has_more = true,
                _ => {}
            }
            frames = rest;
        }
        Some(Chapter::new(u32::from_be_bytes(*start).into(), &title))
    };
    if let Some(chapter) = parse() {
        tags.add_chapter(chapter);
    }
    if has_more {
        tags.leave_out(IN_CHAPTERS);
    }
}

/// Splits two texts at the terminator of the first one, which has two bytes in UTF-16.
fn split_text(encoding: u8, bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    if matches!(encoding, 1 | 2) {
        let at = bytes.chunks_exact(2).position(|unit| unit == [0, 0])? * 2;
        Some((&bytes[..at], &bytes[at + 2..]))
    } else {
        let at = bytes.iter().position(|byte| *byte == 0)?;
        Some((&bytes[..at], &bytes[at + 1..]))
    }
}

/// Decodes a text: 0 is Latin-1, 1 and 2 are UTF-16 with and without a byte order mark, and 3 is UTF-8 (section 4).
fn decode(encoding: u8, bytes: &[u8]) -> String {
    let text = match encoding {
        0 => bytes.iter().map(|byte| char::from(*byte)).collect(),
        1 | 2 => {
            let little = is_little(encoding, bytes);
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

/// Returns whether a text in UTF-16 has the least significant byte first. A byte order mark, which version 2.3 demands,
/// says so. Without it, the zero bytes of the most common letters show the order.
fn is_little(encoding: u8, bytes: &[u8]) -> bool {
    let units = bytes.as_chunks::<2>().0;
    match units.first() {
        Some([0xff, 0xfe]) => true,
        Some([0xfe, 0xff]) => false,
        _ if encoding == 2 => false,
        _ => {
            let zeros = |at: usize| units.iter().filter(|unit| unit[at] == 0).count();
            zeros(1) >= zeros(0)
        }
    }
}

/// Returns the names of genres. Each may be stated by its number in the list of ID3v1. In version 2.3, numbers in
/// parentheses follow one another, and a text after them refines the last one (section 4.2.1, TCON); in version 2.4,
/// zero bytes separate genres.
fn genres_in(text: &str) -> Vec<String> {
    let named = |number: &str| number.parse().ok().and_then(genres::name);
    let mut found = Vec::new();
    for mut part in text.split('\0') {
        let mut numbered = None;
        while let Some((number, rest)) =
            part.strip_prefix('(').and_then(|part| part.split_once(')'))
            && let Some(name) = named(number)
        {
            found.extend(numbered.replace(name.to_owned()));
            part = rest;
        }
        found.extend(match (part.is_empty(), numbered) {
            (true, numbered) => numbered,
            (false, _) => Some(named(part).unwrap_or(part).to_owned()),
        });
    }
    found
}

/// Reads the fields of an ID3v1 tag, whose positions are fixed.
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
    if let Some(name) = genres::name(tag[127].into()) {
        tags.add(Key::Genre, name);
    }
    tags
}

/// Undoes unsynchronisation: removes the zero bytes that prevent a tag from containing bytes that look like the
/// beginning of an MPEG frame.
fn synchronise(bytes: &mut Vec<u8>) {
    let mut after_ff = false;
    bytes.retain(|byte| {
        let stuffed = after_ff && *byte == 0;
        after_ff = *byte == 0xff;
        !stuffed
    });
}
