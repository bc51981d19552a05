//! Writes ID3 tags of version 2.4, with all texts in UTF-8. Writes no other version.

use super::frames::{FRAMES, to_synchsafe};
use crate::tags::{Key, Language, Picture, Tags, chapters::Chapter, fields};

/// Length of a frame's header in bytes.
const HEADER: usize = 10;
/// The encoding UTF-8 in the first byte of a frame.
const UTF8: u8 = 3;
/// Language code of comments, and of lyrics whose language is not known: undetermined (section 4.10).
const UNDETERMINED: Language = *b"und";

/// Separates several comments or lyrics: their frames hold one text each, and a tag has only one such frame for each
/// language and description (section 4.10).
const BETWEEN_PARAGRAPHS: &str = "\n";

/// A tag that is ready to be written.
#[derive(Default)]
pub(crate) struct Tag {
    /// The bytes of the tag. Empty if there are no tags.
    pub(crate) bytes: Vec<u8>,
    /// The end of the last chapter; `None` without chapters.
    pub(crate) last_end: Option<LastEnd>,
}

/// The end of the last chapter in a tag. The last chapter ends with the sound, whose length is known only after it was
/// written.
#[derive(Clone, Copy)]
pub(crate) struct LastEnd {
    /// Position in the tag, in bytes.
    at: usize,
    /// Start of the chapter in milliseconds, before which it cannot end.
    start: u64,
}

impl LastEnd {
    /// Returns the position, in the tag, of the end of the chapter, and the bytes of that end for a sound of this many
    /// frames.
    pub(crate) fn of(self, frames: u64, rate: u32) -> (usize, [u8; 4]) {
        let end = frames.saturating_mul(1000) / u64::from(rate.max(1));
        (self.at, time(end.max(self.start)))
    }
}

impl Tag {
    /// Ends the last chapter with a sound of this many frames.
    pub(crate) fn end(&mut self, frames: u64, rate: u32) {
        if let Some((at, end)) = self.last_end.map(|last| last.of(frames, rate)) {
            self.bytes[at..at + end.len()].copy_from_slice(&end);
        }
    }
}

/// Encodes a time in milliseconds as a field of a chapter.
fn time(milliseconds: u64) -> [u8; 4] {
    u32::try_from(milliseconds)
        .unwrap_or(u32::MAX)
        .to_be_bytes()
}

/// Makes a tag of version 2.4 with its texts in UTF-8.
pub(crate) fn write(tags: &Tags) -> Tag {
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
        let mut body = vec![UTF8];
        if key == Key::Comment {
            // The description is empty.
            body.extend(UNDETERMINED);
            body.push(0);
        }
        let between = match key {
            Key::Comment => BETWEEN_PARAGRAPHS,
            _ => "\0",
        };
        body.extend(texts.join(between).bytes());
        let name = FRAMES
            .iter()
            .find(|(k, ..)| *k == key)
            .map_or("TXXX", |(_, name, _)| name);
        push_frame(&mut frames, name, &body);
    }
    push_own(&mut frames, tags);
    let chapters = push_chapters(&mut frames, tags.chapters());
    for Picture {
        kind,
        media_type,
        data,
    } in tags.pictures()
    {
        let mut body = vec![UTF8];
        body.extend(media_type.bytes());
        body.extend([0, *kind]);
        // The description is empty. ID3 requires different descriptions of several pictures (section 4.14), but other
        // programs ignore that rule.
        body.push(0);
        body.extend(data);
        push_frame(&mut frames, "APIC", &body);
    }
    if frames.is_empty() {
        return Tag::default();
    }
    let mut bytes = b"ID3\x04\0\0".to_vec();
    bytes.extend(to_synchsafe(frames.len()));
    let last_end = chapters.map(|last| LastEnd {
        at: last.at + bytes.len(),
        ..last
    });
    bytes.append(&mut frames);
    Tag { bytes, last_end }
}

/// Adds the texts beyond the usual ones: a frame for each name, with all its texts.
fn push_own(frames: &mut Vec<u8>, tags: &Tags) {
    for (name, texts) in tags.own_by_name() {
        let frame = fields::of(name).map_or("", |field| field.id3.0);
        let frame = if frame.is_empty() { "TXXX" } else { frame };
        let mut body = vec![UTF8];
        match frame {
            "USLT" => {
                push_lyrics(frames, tags, &texts);
                continue;
            }
            "TXXX" => {
                // ReplayGain's names are written in small letters.
                let is_gain = name.starts_with("REPLAYGAIN_");
                let name = match is_gain {
                    true => name.to_ascii_lowercase(),
                    false => name.to_owned(),
                };
                body.extend(name.bytes());
                body.push(0);
            }
            _ => {}
        }
        body.extend(texts.join("\0").bytes());
        push_frame(frames, frame, &body);
    }
}

/// Adds the lyrics: a frame for each language.
fn push_lyrics(frames: &mut Vec<u8>, tags: &Tags, lyrics: &[&str]) {
    let mut in_languages: Vec<(Language, Vec<&str>)> = Vec::new();
    for text in lyrics {
        let language = tags.language(text).unwrap_or(UNDETERMINED);
        match in_languages
            .iter_mut()
            .find(|(known, _)| *known == language)
        {
            Some((_, texts)) => texts.push(text),
            None => in_languages.push((language, vec![text])),
        }
    }
    for (language, texts) in in_languages {
        let mut body = vec![UTF8];
        body.extend(language);
        // The description is empty.
        body.push(0);
        body.extend(texts.join(BETWEEN_PARAGRAPHS).bytes());
        push_frame(frames, "USLT", &body);
    }
}

/// Adds the chapters, and the tables that list them (ID3v2 Chapter Frame Addendum, version 1.0). Returns the end of the
/// last chapter, with its position in `frames`.
fn push_chapters(frames: &mut Vec<u8>, chapters: &[Chapter]) -> Option<LastEnd> {
    /// The longest table: its number of entries takes a byte.
    const MAX: usize = 255;
    /// Flag of the table at the top level.
    const TOP: u8 = 0x02;
    /// Flag of a table whose entries are in order.
    const ORDERED: u8 = 0x01;
    let last = chapters.last()?;
    let names: Vec<_> = (0..chapters.len()).map(|i| format!("chp{i}")).collect();
    // If a table is too short for all chapters, it lists tables of them.
    let parts: Vec<_> = names.chunks(MAX).collect();
    match parts.as_slice() {
        [names] => push_table(frames, "toc", TOP | ORDERED, names),
        _ => {
            let tables: Vec<_> = (0..parts.len()).map(|i| format!("toc{i}")).collect();
            push_table(frames, "toc", TOP | ORDERED, &tables);
            for (table, names) in tables.iter().zip(parts) {
                push_table(frames, table, ORDERED, names);
            }
        }
    }
    let mut at = 0;
    for (i, (chapter, name)) in chapters.iter().zip(&names).enumerate() {
        let next = chapters.get(i + 1).map_or(chapter.start, |next| next.start);
        let mut body = name.clone().into_bytes();
        body.push(0);
        body.extend(time(chapter.start));
        at = frames.len() + HEADER + body.len();
        body.extend(time(next));
        // Byte offsets are not used; all ones mean that the times count (section 3.1).
        body.extend([0xff; 8]);
        let title = [&[UTF8], chapter.title.as_bytes()].concat();
        push_frame(&mut body, "TIT2", &title);
        push_frame(frames, "CHAP", &body);
    }
    let start = last.start;
    Some(LastEnd { at, start })
}

/// Adds a table of contents (section 3.2) with the names of its entries, of which there are at most 255.
fn push_table(frames: &mut Vec<u8>, name: &str, flags: u8, entries: &[String]) {
    let mut body = name.as_bytes().to_vec();
    body.extend([0, flags, entries.len() as u8]);
    for entry in entries {
        body.extend(entry.bytes());
        body.push(0);
    }
    push_frame(frames, "CTOC", &body);
}

/// Adds a frame.
fn push_frame(frames: &mut Vec<u8>, name: &str, body: &[u8]) {
    frames.extend(name.bytes());
    frames.extend(to_synchsafe(body.len()));
    frames.extend([0, 0]);
    frames.extend(body);
}
