//! Writes ID3 tags of version 2.4, with all texts in UTF-8. Writes no other version.

use super::frames::{FRAMES, to_synchsafe};
use crate::tags::{Key, Picture, Tags, fields};

/// The encoding UTF-8 in the first byte of a frame.
const UTF8: u8 = 3;
/// Language code of a comment or of lyrics (undetermined), followed by an empty description.
const NO_LANGUAGE: &[u8] = b"und\0";

/// Separates several comments or lyrics: their frames hold one text each, and a tag has only one such frame with a
/// language and a description (section 4.10).
const BETWEEN_PARAGRAPHS: &str = "\n";

/// Makes a tag of version 2.4 with its texts in UTF-8. Empty if there are no tags.
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
        let mut body = vec![UTF8];
        if key == Key::Comment {
            body.extend(NO_LANGUAGE);
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
    push_chapters(&mut frames, tags);
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
        return frames;
    }
    let mut tag = b"ID3\x04\0\0".to_vec();
    tag.extend(to_synchsafe(frames.len()));
    tag.append(&mut frames);
    tag
}

/// Adds the texts beyond the usual ones: a frame for each name, with all its texts.
fn push_own(frames: &mut Vec<u8>, tags: &Tags) {
    for (name, texts) in tags.own_by_name() {
        let frame = fields::of(name).map_or("", |field| field.id3.0);
        let frame = if frame.is_empty() { "TXXX" } else { frame };
        let mut body = vec![UTF8];
        let mut between = "\0";
        match frame {
            "USLT" => {
                body.extend(NO_LANGUAGE);
                between = BETWEEN_PARAGRAPHS;
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
        body.extend(texts.join(between).bytes());
        push_frame(frames, frame, &body);
    }
}

/// Adds the chapters, and the table that lists them (ID3v2 Chapter Frame Addendum, version 1.0).
fn push_chapters(frames: &mut Vec<u8>, tags: &Tags) {
    /// Maximum number of entries in the table, whose count takes one byte.
    const MAX: usize = 255;
    /// Flags of the table: it is at the top level, and its entries are in order.
    const FLAGS: u8 = 0x03;
    let chapters = tags.chapters();
    let chapters = &chapters[..chapters.len().min(MAX)];
    if chapters.is_empty() {
        return;
    }
    let mut table = b"toc\0".to_vec();
    table.extend([FLAGS, chapters.len() as u8]);
    let to_word = |time: u64| u32::try_from(time).unwrap_or(u32::MAX).to_be_bytes();
    let mut entries = Vec::new();
    for (i, chapter) in chapters.iter().enumerate() {
        let id = format!("chp{i}\0");
        table.extend(id.bytes());
        let next = chapters.get(i + 1).map(|next| next.start);
        // The last chapter ends with the sound.
        let end = next.unwrap_or(tags.length).max(chapter.start);
        let mut body = id.into_bytes();
        body.extend(to_word(chapter.start));
        body.extend(to_word(end));
        // Byte offsets are not used; all ones mean that the times count (section 3.1).
        body.extend([0xff; 8]);
        let title = [&[UTF8], chapter.title.as_bytes()].concat();
        push_frame(&mut body, "TIT2", &title);
        push_frame(&mut entries, "CHAP", &body);
    }
    push_frame(frames, "CTOC", &table);
    frames.append(&mut entries);
}

fn push_frame(frames: &mut Vec<u8>, name: &str, body: &[u8]) {
    frames.extend(name.bytes());
    frames.extend(to_synchsafe(body.len()));
    frames.extend([0, 0]);
    frames.extend(body);
}
