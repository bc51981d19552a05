//! The tags of a sound: title, artist and the like, and the cover picture. Never holds more than a few megabytes.

pub(crate) mod ape;
pub(crate) mod comments;
pub(crate) mod id3;

/// The longest text that is kept, in bytes. Longer ones are cut.
const MAX_TEXT: usize = 4096;
/// The number of texts that are kept at most.
const MAX_TEXTS: usize = 64;
/// The largest picture that is kept, in bytes.
pub(crate) const MAX_PICTURE: usize = 4 << 20;

/// What a text is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Title,
    Artist,
    Album,
    AlbumArtist,
    Composer,
    /// `3` or `3/12`.
    Track,
    /// `1` or `1/2`.
    Disc,
    /// `2024` or `2024-05-31`.
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

/// A cover picture, in the bytes of its own format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) media_type: String,
    pub(crate) data: Vec<u8>,
}

/// The texts and the cover picture of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tags {
    texts: Vec<(Key, String)>,
    picture: Option<Picture>,
    /// Whether a picture was dropped because it is larger than [`MAX_PICTURE`].
    pub(crate) picture_dropped: bool,
}

impl Tags {
    /// Adds a text. Drops empty texts, repetitions, and what exceeds [`MAX_TEXTS`]; cuts long texts at [`MAX_TEXT`].
    pub(crate) fn add(&mut self, key: Key, text: &str) {
        let mut end = text.len().min(MAX_TEXT);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = text[..end].trim_matches(['\0', ' ', '\n', '\r', '\t']);
        let known = self.texts.iter().any(|(k, t)| *k == key && t == text);
        if !text.is_empty() && !known && self.texts.len() < MAX_TEXTS {
            self.texts.push((key, text.replace('\0', "; ")));
        }
    }

    /// Adds a text unless there is one with this key.
    pub(crate) fn add_if_missing(&mut self, key: Key, text: &str) {
        if self.get(key).is_none() {
            self.add(key, text);
        }
    }

    /// Adds the total to a number that lacks it: `3` and `12` become `3/12`.
    pub(crate) fn set_total(&mut self, key: Key, total: &str) {
        let total = total.trim();
        if let Some((_, text)) = self.texts.iter_mut().find(|(k, _)| *k == key)
            && !text.contains('/')
            && (1..8).contains(&total.len())
        {
            text.push('/');
            text.push_str(total);
        }
    }

    /// Keeps the picture if it is the first and of a type that players show.
    pub(crate) fn add_picture(&mut self, data: &[u8]) {
        let Some(media_type) = picture_type(data) else {
            return;
        };
        if data.len() > MAX_PICTURE {
            self.picture_dropped = true;
        } else if self.picture.is_none() {
            self.picture = Some(Picture {
                media_type: media_type.to_owned(),
                data: data.to_vec(),
            });
        }
    }

    /// All texts, in the order in which they were added.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (Key, &str)> {
        self.texts.iter().map(|(key, text)| (*key, text.as_str()))
    }

    /// The first text with this key.
    pub(crate) fn get(&self, key: Key) -> Option<&str> {
        self.texts().find(|(k, _)| *k == key).map(|(_, text)| text)
    }

    /// All texts with this key joined into one, for formats that hold only one.
    pub(crate) fn joined(&self, key: Key) -> Option<String> {
        let texts: Vec<&str> = self
            .texts()
            .filter(|(k, _)| *k == key)
            .map(|(_, text)| text)
            .collect();
        (!texts.is_empty()).then(|| texts.join("; "))
    }

    /// The cover picture.
    pub(crate) fn picture(&self) -> Option<&Picture> {
        self.picture.as_ref()
    }

    /// Adds from `other` what is missing here.
    pub(crate) fn merge(&mut self, other: Tags) {
        for key in Key::ALL {
            if self.get(key).is_none() {
                for (_, text) in other.texts().filter(|(k, _)| *k == key) {
                    self.add(key, text);
                }
            }
        }
        self.picture_dropped |= other.picture_dropped;
        if self.picture.is_none() {
            self.picture = other.picture;
        }
    }
}

/// The media type of a picture by its signature, because what tags say about it is often wrong.
fn picture_type(data: &[u8]) -> Option<&'static str> {
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
mod tests {
    use super::*;

    #[test]
    fn texts_are_trimmed_capped_and_kept_once() {
        let mut tags = Tags::default();
        tags.add(Key::Title, " A\0");
        tags.add(Key::Title, "A");
        tags.add(Key::Title, "");
        tags.add(Key::Comment, &"ä".repeat(5000));
        assert_eq!(tags.texts().count(), 2);
        assert_eq!(tags.get(Key::Title), Some("A"));
        assert_eq!(tags.get(Key::Comment).map(str::len), Some(MAX_TEXT));
    }

    #[test]
    fn totals_join_their_numbers() {
        let mut tags = Tags::default();
        tags.add(Key::Track, "3");
        tags.set_total(Key::Track, "12");
        tags.set_total(Key::Track, "13");
        assert_eq!(tags.get(Key::Track), Some("3/12"));
    }

    #[test]
    fn only_pictures_are_pictures() {
        let mut tags = Tags::default();
        tags.add_picture(b"<html>");
        assert!(tags.picture().is_none());
        tags.add_picture(b"\xff\xd8\xff\xe0");
        assert_eq!(tags.picture().unwrap().media_type, "image/jpeg");
        let mut large = b"\xff\xd8\xff".to_vec();
        large.resize(MAX_PICTURE + 1, 0);
        tags.add_picture(&large);
        assert!(tags.picture_dropped);
    }
}
