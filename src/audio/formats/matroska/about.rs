//! Metadata of a Matroska file: its title, tags (RFC 9559, section 5.1.8), chapters (5.1.7) and attached pictures
//! (5.1.6). A fault in the metadata never makes a file unreadable.
//!
//! A tag describes a target, whose level is a number: 50 is the whole file (for music, an album), 30 is a track of it.
//! A tag without a target describes the whole file, according to the specification. The trap: the usual programs write
//! all tags of a song without a target, and mean the song. So a tag without a level counts for the track, and only
//! level 50 for the album. But if another tag states the level of a track, tags without a level count for the album:
//! mkvmerge does not write the level 50, because it is the default. In a video, level 50 is the video itself, so its
//! tags count for the sound.

use crate::tags::{
    FRONT, Key, MAX_PICTURE, Tags,
    chapters::Chapter,
    names::{self, Named},
    picture_type,
};
use convertd_core::containers::ebml::{children, text, unsigned};

const TITLE: u64 = 0x7ba9;

const TAG: u64 = 0x7373;
const TARGETS: u64 = 0x63c0;
const LEVEL: u64 = 0x68ca;
/// Identifiers of the targets edition, chapter and attachment.
const PART_TARGETS: [u64; 3] = [0x63c9, 0x63c4, 0x63c6];
const SIMPLE_TAG: u64 = 0x67c8;
const TAG_NAME: u64 = 0x45a3;
const TAG_STRING: u64 = 0x4487;

const EDITION: u64 = 0x45b9;
const ATOM: u64 = 0xb6;
const ATOM_START: u64 = 0x91;
const ATOM_HIDDEN: u64 = 0x98;
const ATOM_DISPLAY: u64 = 0x80;
const DISPLAY_STRING: u64 = 0x85;

/// An attached file.
pub(super) const FILE: u64 = 0x61a7;
const FILE_NAME: u64 = 0x466e;
const FILE_TYPE: u64 = 0x4660;
const FILE_DATA: u64 = 0x465c;

/// Largest number of bytes that are read of an attached file, including its name and type.
pub(super) const MAX_FILE: u64 = MAX_PICTURE as u64 + 4096;
/// Level of the tags of an album.
const ALBUM: u64 = 50;
/// Level of the tags of a track.
const TRACK: u64 = 30;
/// Nanoseconds in a millisecond.
const MILLISECOND: u64 = 1_000_000;

/// Metadata that has been found so far.
#[derive(Default)]
pub(super) struct Collected {
    title: String,
    /// Level (if stated), name and text of each tag.
    texts: Vec<(Option<u64>, String, String)>,
    found: Tags,
}

impl Collected {
    /// Reads the element with general information.
    pub(super) fn info(&mut self, body: &[u8]) {
        if let Some((_, title)) = children(body).find(|(id, _)| *id == TITLE) {
            self.title = text(title);
        }
    }

    /// Reads an element with tags.
    pub(super) fn tags(&mut self, body: &[u8]) {
        for (_, tag) in children(body).filter(|(id, _)| *id == TAG) {
            let targets = children(tag).filter(|(id, _)| *id == TARGETS);
            let targets: Vec<_> = targets.flat_map(|(_, body)| children(body)).collect();
            // A part with the identifier 0 means the whole file.
            let is_of_part =
                |(id, body): &(u64, &[u8])| PART_TARGETS.contains(id) && unsigned(body) > 0;
            if targets.iter().any(is_of_part) {
                continue;
            }
            let level = targets.iter().find(|(id, _)| *id == LEVEL);
            let level = level.map(|(_, body)| unsigned(body));
            for (_, simple) in children(tag).filter(|(id, _)| *id == SIMPLE_TAG) {
                let of = |wanted: u64| children(simple).find(|(id, _)| *id == wanted);
                if let (Some((_, name)), Some((_, value))) = (of(TAG_NAME), of(TAG_STRING)) {
                    self.texts.push((level, text(name), text(value)));
                }
            }
        }
    }

    /// Reads the first edition in the element with chapters. Chapters within chapters are left out.
    pub(super) fn chapters(&mut self, body: &[u8]) {
        let mut editions = children(body).filter(|(id, _)| *id == EDITION);
        let Some((_, edition)) = editions.next() else {
            return;
        };
        if editions.next().is_some() {
            self.found
                .leave_out("Chapters were left out, because the file has several lists of them.");
        }
        for (_, atom) in children(edition).filter(|(id, _)| *id == ATOM) {
            let (mut start, mut title, mut hidden) = (None, String::new(), false);
            for (id, body) in children(atom) {
                match id {
                    ATOM_START => start = Some(unsigned(body) / MILLISECOND),
                    ATOM_HIDDEN => hidden = unsigned(body) != 0,
                    ATOM => self
                        .found
                        .leave_out("The chapters within chapters were left out."),
                    // The title in the first language.
                    ATOM_DISPLAY if title.is_empty() => {
                        let shown = children(body).find(|(id, _)| *id == DISPLAY_STRING);
                        title = shown.map_or(String::new(), |(_, body)| text(body));
                    }
                    _ => {}
                }
            }
            if let Some(start) = start.filter(|_| !hidden) {
                self.found.add_chapter(Chapter::new(start, &title));
            }
        }
    }

    /// Reads an attached file of `size` bytes. `body` is the file or its beginning.
    pub(super) fn attached(&mut self, body: &[u8], size: u64) {
        let (mut name, mut kind, mut data) = (String::new(), String::new(), &[][..]);
        for (id, body) in children(body) {
            match id {
                FILE_NAME => name = text(body).to_ascii_lowercase(),
                FILE_TYPE => kind = text(body),
                FILE_DATA => data = body,
                _ => {}
            }
        }
        if !kind.starts_with("image/") && picture_type(data).is_none() {
            self.found
                .leave_out("A file that is attached to the sound was left out.");
        } else if size > MAX_FILE {
            self.found.drop_picture();
        } else {
            let is_cover = name.starts_with("cover") || name.starts_with("small_cover");
            let kind = if is_cover { FRONT } else { 0 };
            self.found.add_picture_of(kind, data);
        }
    }

    /// The tags of the file.
    pub(super) fn into_tags(self, has_video: bool) -> Tags {
        let mut tags = Tags::default();
        let mut totals = Vec::new();
        let mut album = Vec::new();
        let has_track = self.texts.iter().any(|(level, ..)| *level == Some(TRACK));
        for (level, name, text) in &self.texts {
            let level = match level {
                None if has_track => Some(ALBUM),
                level => *level,
            };
            match (level, names::key(name)) {
                (Some(ALBUM), _) if !has_video => album.push((name, text)),
                (_, Some(Named::Total(key))) => totals.push((key, text)),
                _ => tags.add_named(name, text),
            }
        }
        let has_title = tags.get(Key::Title).is_some();
        for (name, text) in album {
            match names::key(name) {
                Some(Named::Text(Key::Title)) if has_title || !self.title.is_empty() => {
                    tags.add_if_missing(Key::Album, text);
                }
                Some(Named::Text(Key::Artist)) if tags.get(Key::Artist).is_some() => {
                    tags.add_if_missing(Key::AlbumArtist, text);
                }
                Some(Named::Total(_)) => totals.push((Key::Track, text)),
                _ => tags.add_named(name, text),
            }
        }
        tags.add_if_missing(Key::Title, &self.title);
        for (key, total) in totals {
            tags.set_total(key, total);
        }
        tags.merge(self.found);
        tags
    }
}
