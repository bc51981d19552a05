//! The tags of a sound: title, artist and similar texts, texts with free names, chapters, and pictures. They take at
//! most a few megabytes.

pub(crate) mod ape;
pub(crate) mod chapters;
pub(crate) mod comments;
pub(crate) mod fields;
pub(crate) mod id3;
pub(crate) mod names;

use self::chapters::{Chapter, MAX_CHAPTERS};

/// Length of the longest text that is kept, such as lyrics, in bytes. Longer ones are cut.
pub(crate) const MAX_TEXT: usize = 64 << 10;
/// Largest number of texts with a [`Key`]; also the largest number of texts with free names.
const MAX_TEXTS: usize = 2000;
/// Largest total length of the texts with a [`Key`], in bytes; also that of the texts with free names and their names.
const MAX_TOTAL: usize = 256 << 10;
/// Largest picture that is kept, and largest total size of all pictures, in bytes.
pub(crate) const MAX_PICTURE: usize = 4 << 20;
/// Picture type of a front cover (ID3v2.4, section 4.14; RFC 9639, table 13).
pub(crate) const FRONT: u8 = 3;

/// Note on a text that has no equivalent in other formats.
pub(crate) const TEXT_OMITTED: &str = "A text among the tags was left out.";
/// Note on a link, which has no equivalent in other formats.
pub(crate) const LINK_OMITTED: &str = "A link among the tags was left out.";
/// Note on a cue sheet, which has no equivalent in other formats.
pub(crate) const CUE_SHEET_OMITTED: &str = "The cue sheet was left out.";
/// Note on a text longer than [`MAX_TEXT`].
const TEXT_CUT: &str = "A text among the tags was cut after 64 KiB.";
/// Note on texts beyond [`MAX_TEXTS`] or [`MAX_TOTAL`].
const TEXTS_OMITTED: &str =
    "Texts among the tags were left out, because there are more than 2,000, or more than 256 KiB.";
/// Note on chapters beyond [`MAX_CHAPTERS`].
const CHAPTERS_OMITTED: &str = "Chapters were left out, because there are more than 1,000.";
/// Note on pictures beyond [`MAX_PICTURE`].
const PICTURES_OMITTED: &str =
    "A picture among the tags was left out, because all of them together exceed 4 MiB.";
/// Note on a picture whose format players of sound do not support.
const PICTURE_UNKNOWN: &str =
    "A picture among the tags was left out, because it is not a jpg, png, gif, bmp or webp.";
/// Note on a picture whose description or coding is damaged.
pub(crate) const PICTURE_DAMAGED: &str =
    "A picture among the tags was left out, because it is damaged.";
/// Note on pictures of a second tag, when the file's own tag has pictures.
const PICTURE_SECOND: &str =
    "A picture in a second set of tags was left out, because the first set has pictures.";

/// Meaning of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Title,
    Artist,
    Album,
    AlbumArtist,
    Composer,
    /// Number of the track, with or without the number of all tracks: `3` or `3/12`.
    Track,
    /// Number of the disc, with or without the number of all discs: `1` or `1/2`.
    Disc,
    /// Date, or only its year: `2024-05-31` or `2024`.
    Date,
    Genre,
    Comment,
}

impl Key {
    pub(crate) const ALL: [Self; 10] = [
        Self::Title,
        Self::Artist,
        Self::Album,
        Self::AlbumArtist,
        Self::Composer,
        Self::Track,
        Self::Disc,
        Self::Date,
        Self::Genre,
        Self::Comment,
    ];
}

/// A language as a code of three letters (ISO 639-2).
pub(crate) type Language = [u8; 3];

/// A picture, in the bytes of its own format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    /// Picture type, as numbered by ID3 and FLAC.
    pub(crate) kind: u8,
    pub(crate) media_type: String,
    pub(crate) data: Vec<u8>,
}

/// The texts, chapters and pictures of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tags {
    /// Texts with a [`Key`].
    texts: Vec<(Key, String)>,
    /// Texts with free names: the name in Vorbis comments, and the text.
    own: Vec<(String, String)>,
    /// Total length of the texts with a [`Key`], in bytes.
    texts_len: usize,
    /// Total length of the texts with free names and of their names, in bytes.
    own_len: usize,
    /// Languages of lyrics, by their text.
    languages: Vec<(String, Language)>,
    /// Pictures. A front cover comes first.
    pictures: Vec<Picture>,
    /// Chapters in the order of their beginnings.
    chapters: Vec<Chapter>,
    /// Whether the chapters were markers, which other formats do not have.
    pub(crate) has_markers: bool,
    /// Notes on other metadata that no target format holds, as whole sentences for the user.
    pub(crate) left_out: Vec<&'static str>,
}

impl Tags {
    /// Adds a text. Drops empty texts, repetitions, and texts beyond the limits; cuts long texts at [`MAX_TEXT`]. Zero
    /// bytes separate several texts.
    pub(crate) fn add(&mut self, key: Key, text: &str) {
        for (i, text) in parts(text).enumerate() {
            if i >= MAX_TEXTS {
                self.leave_out(TEXTS_OMITTED);
                return;
            }
            let text = self.cut(text);
            if text.is_empty() || self.texts.iter().any(|(k, t)| *k == key && t == text) {
                continue;
            }
            if self.texts_len + text.len() <= MAX_TOTAL && self.texts.len() < MAX_TEXTS {
                self.texts_len += text.len();
                self.texts.push((key, text.to_owned()));
            } else {
                self.leave_out(TEXTS_OMITTED);
            }
        }
    }

    /// Cuts a text at [`MAX_TEXT`], and trims white space.
    fn cut<'a>(&mut self, text: &'a str) -> &'a str {
        let end = text.floor_char_boundary(MAX_TEXT);
        if end < text.len() {
            self.leave_out(TEXT_CUT);
        }
        text[..end].trim_matches([' ', '\n', '\r', '\t'])
    }

    /// Adds lyrics in a language. A language code with other characters than letters is ignored.
    pub(crate) fn add_lyrics(&mut self, text: &str, language: Language) {
        let before = self.own.len();
        self.add_own(fields::LYRICS, text);
        if !language.iter().all(u8::is_ascii_alphabetic) {
            return;
        }
        let new = self.own[before..].iter();
        let new = new.map(|(_, text)| (text.clone(), language));
        self.languages.extend(new);
    }

    /// Returns the language of these lyrics; `None` if it is not stated.
    pub(crate) fn language(&self, lyrics: &str) -> Option<Language> {
        let mut known = self.languages.iter();
        let known = known.find(|(text, _)| text == lyrics);
        known.map(|(_, language)| *language)
    }

    /// Adds a text with a name of Vorbis comments for which there is no [`Key`]. Technical texts are dropped.
    pub(crate) fn add_own(&mut self, name: &str, text: &str) {
        if name.trim().eq_ignore_ascii_case("CUESHEET") {
            self.leave_out(CUE_SHEET_OMITTED);
        }
        let Some(name) = fields::canonical(name) else {
            return;
        };
        let (name, text) = match fields::to_replay_gain(&name, text) {
            Some((name, text)) => (name.to_owned(), text),
            None => (name, text.to_owned()),
        };
        // A sound has one gain, even if a file states it in two units.
        let is_single = name.starts_with("REPLAYGAIN_");
        for (i, text) in parts(&text).enumerate() {
            if i >= MAX_TEXTS {
                self.leave_out(TEXTS_OMITTED);
                return;
            }
            let text = self.cut(text);
            if text.is_empty() {
                continue;
            }
            let mut named = self.own.iter().filter(|(n, _)| *n == name);
            if named.any(|(_, t)| is_single || t == text) {
                continue;
            }
            let len = name.len() + text.len();
            if self.own_len + len <= MAX_TOTAL && self.own.len() < MAX_TEXTS {
                self.own_len += len;
                self.own.push((name.clone(), text.to_owned()));
            } else {
                self.leave_out(TEXTS_OMITTED);
            }
        }
    }

    /// Adds a text with the name that a format has for it.
    pub(crate) fn add_named(&mut self, name: &str, text: &str) {
        match names::key(name) {
            // Each of these keys has only one text, whatever names the file uses for it.
            Some(names::Named::Text(key @ (Key::Date | Key::Track | Key::Disc))) => {
                self.add_if_missing(key, text);
            }
            Some(names::Named::Text(key)) => self.add(key, text),
            Some(names::Named::Total(key)) => self.set_total(key, text),
            None => self.add_own(name, text),
        }
    }

    /// Adds a chapter in the order of time. Chapters beyond the limit are dropped.
    pub(crate) fn add_chapter(&mut self, chapter: Chapter) {
        if self.chapters.len() < MAX_CHAPTERS {
            let at = self.chapters.partition_point(|c| c.start <= chapter.start);
            self.chapters.insert(at, chapter);
        } else {
            self.leave_out(CHAPTERS_OMITTED);
        }
    }

    /// Returns the chapters in the order of their beginnings.
    pub(crate) fn chapters(&self) -> &[Chapter] {
        &self.chapters
    }

    /// Returns the texts with free names, each after its name in Vorbis comments.
    pub(crate) fn own(&self) -> impl Iterator<Item = (&str, &str)> {
        let own = self.own.iter();
        own.map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// Returns the texts with free names, grouped by name. Each name has at least one text.
    pub(crate) fn own_by_name(&self) -> Vec<(&str, Vec<&str>)> {
        let mut named: Vec<(&str, Vec<&str>)> = Vec::new();
        for (name, text) in self.own() {
            match named.iter_mut().find(|(known, _)| *known == name) {
                Some((_, texts)) => texts.push(text),
                None => named.push((name, vec![text])),
            }
        }
        named
    }

    /// Replaces all texts with this key by another one.
    pub(crate) fn set(&mut self, key: Key, text: &str) {
        self.texts.retain(|(known, _)| *known != key);
        self.texts_len = self.texts.iter().map(|(_, text)| text.len()).sum();
        self.add(key, text);
    }

    /// Keeps the chapters between two times in milliseconds. The times of the chapters become relative to `start`.
    pub(crate) fn cut_chapters(&mut self, start: u64, end: u64) {
        // The last chapter that begins before the part continues in the part.
        let begun = self
            .chapters
            .partition_point(|chapter| chapter.start <= start);
        self.chapters.drain(..begun.saturating_sub(1));
        self.chapters.retain(|chapter| chapter.start < end);
        for chapter in &mut self.chapters {
            chapter.start = chapter.start.saturating_sub(start);
        }
    }

    /// Adds a text unless another one has this key.
    pub(crate) fn add_if_missing(&mut self, key: Key, text: &str) {
        if self.get(key).is_none() {
            self.add(key, text);
        }
    }

    /// Adds the total to a number that has no total yet: `3` and `12` become `3/12`.
    pub(crate) fn set_total(&mut self, key: Key, total: &str) {
        let total = total.trim();
        if let Some((_, text)) = self.texts.iter_mut().find(|(k, _)| *k == key)
            && !text.contains('/')
            && (1..8).contains(&total.len())
        {
            text.push('/');
            text.push_str(total);
            self.texts_len += 1 + total.len();
        }
    }

    /// Adds a front cover, if players support its format.
    pub(crate) fn add_picture(&mut self, data: &[u8]) {
        self.add_picture_of(FRONT, data);
    }

    /// Adds a picture with this picture type, if players support its format. Taggers leave empty pictures behind, which
    /// need no note.
    pub(crate) fn add_picture_of(&mut self, kind: u8, data: &[u8]) {
        if data.is_empty() {
            return;
        }
        let Some(media_type) = picture_type(data) else {
            self.leave_out(PICTURE_UNKNOWN);
            return;
        };
        let held: usize = self.pictures.iter().map(|picture| picture.data.len()).sum();
        if self.pictures.iter().any(|picture| picture.data == data) {
            return;
        }
        if held + data.len() > MAX_PICTURE {
            self.drop_picture();
            return;
        }
        let picture = Picture {
            kind,
            media_type: media_type.to_owned(),
            data: data.to_vec(),
        };
        // The front cover comes first, because most programs show the first picture.
        match kind == FRONT
            && self
                .pictures
                .first()
                .is_some_and(|first| first.kind != FRONT)
        {
            true => self.pictures.insert(0, picture),
            false => self.pictures.push(picture),
        }
    }

    /// Notes that a picture is too large to be kept.
    pub(crate) fn drop_picture(&mut self) {
        self.leave_out(PICTURES_OMITTED);
    }

    /// Returns all texts with a [`Key`], in the order in which they were added.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (Key, &str)> {
        self.texts.iter().map(|(key, text)| (*key, text.as_str()))
    }

    /// Returns the first text with this key.
    pub(crate) fn get(&self, key: Key) -> Option<&str> {
        self.texts().find(|(k, _)| *k == key).map(|(_, text)| text)
    }

    /// Returns all texts with this key, joined into one for formats that hold only one.
    pub(crate) fn joined(&self, key: Key) -> Option<String> {
        let texts: Vec<&str> = self
            .texts()
            .filter(|(k, _)| *k == key)
            .map(|(_, text)| text)
            .collect();
        (!texts.is_empty()).then(|| texts.join("; "))
    }

    /// Returns the front cover, or else the first picture.
    pub(crate) fn picture(&self) -> Option<&Picture> {
        self.pictures.first()
    }

    /// Returns all pictures. A front cover comes first.
    pub(crate) fn pictures(&self) -> &[Picture] {
        &self.pictures
    }

    /// Adds those parts of `other` that are missing here.
    pub(crate) fn merge(&mut self, other: Tags) {
        for key in Key::ALL {
            if self.get(key).is_none() {
                for (_, text) in other.texts().filter(|(k, _)| *k == key) {
                    self.add(key, text);
                }
            }
        }
        let new = |(name, _): &(String, String)| self.own.iter().all(|(known, _)| known != name);
        let own: Vec<_> = other.own.into_iter().filter(new).collect();
        for (name, text) in own {
            self.add_own(&name, &text);
        }
        for (text, language) in other.languages {
            let is_kept = self
                .own()
                .any(|(name, kept)| name == fields::LYRICS && kept == text);
            if is_kept && self.language(&text).is_none() {
                self.languages.push((text, language));
            }
        }
        if self.chapters.is_empty() {
            self.chapters = other.chapters;
            self.has_markers = other.has_markers;
        }
        if self.pictures.is_empty() {
            self.pictures = other.pictures;
        } else if !other.pictures.iter().all(|one| self.pictures.contains(one)) {
            self.leave_out(PICTURE_SECOND);
        }
        for sentence in other.left_out {
            self.leave_out(sentence);
        }
    }

    /// Notes that something is left out.
    pub(crate) fn leave_out(&mut self, sentence: &'static str) {
        if !self.left_out.contains(&sentence) {
            self.left_out.push(sentence);
        }
    }
}

/// Returns the texts that zero bytes separate. Empty texts are left out, because a long field may consist of zeros.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split('\0').filter(|part| !part.is_empty())
}

/// Returns the media type of a picture by its signature, because tags often state a wrong type. `None` for formats
/// that players of sound do not support.
pub(crate) fn picture_type(data: &[u8]) -> Option<&'static str> {
    const TYPES: [(&[u8], &str); 4] = [
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"GIF8", "image/gif"),
        (b"BM", "image/bmp"),
    ];
    if data.starts_with(b"RIFF") && data.get(8..12) == Some(b"WEBP") {
        return Some("image/webp");
    }
    TYPES
        .iter()
        .find(|(magic, _)| data.starts_with(magic))
        .map(|(_, media_type)| *media_type)
}

#[cfg(test)]
mod tests;
