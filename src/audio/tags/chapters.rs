//! The chapters of a sound, such as an audiobook, a podcast or a film. Plays no sound.

/// Largest number of chapters that are kept.
pub(crate) const MAX_CHAPTERS: usize = 1000;
/// The longest title of a chapter that is kept, in bytes.
pub(crate) const MAX_TITLE: usize = 1024;

/// Note on chapters that were markers in the file, for targets that hold chapters.
pub(crate) const FROM_MARKERS: &str = "The markers in the sound became chapters.";

/// A chapter, which lasts until the next one begins. The last one lasts until the end of the sound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chapter {
    /// Its beginning, in milliseconds.
    pub(crate) start: u64,
    pub(crate) title: String,
}

impl Chapter {
    /// Makes a chapter, and cuts its title if it is too long.
    pub(crate) fn new(start: u64, title: &str) -> Self {
        let end = title.floor_char_boundary(MAX_TITLE);
        let title = title[..end].trim_matches(['\0', ' ', '\n', '\r', '\t']);
        Self {
            start,
            title: title.to_owned(),
        }
    }
}
