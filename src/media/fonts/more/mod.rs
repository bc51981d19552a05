//! Fonts beside those that are compiled in: the machine's own, or those of a directory that an operator names. Opens no file by
//! itself, and reads nothing before a document needs it.
//!
//! A machine may have thousands of fonts, and a converter child can open no file. So the service keeps a [`Shelf`]: it finds the
//! files and makes one list of what they are called and which characters they have, when a document first asks for a font
//! that is not compiled in. A converter gets that list, and the file of a font that it wants to set text in, from its
//! [`Source`]: in a child that is the channel to the service, and what comes are descriptors, never paths.

pub mod choice;
mod coverage;
mod facts;
mod file;
mod shelf;
mod walk;

pub use facts::Facts;
pub use shelf::Shelf;

use file::Tables;
use skrifa::raw::{FontData, FontRead, tables::cmap::Cmap};
use std::{
    fs::File,
    sync::{Arc, OnceLock},
};

/// Source of a process's fonts.
pub trait Source: Send + Sync {
    /// The list of the fonts, as [`Facts`] in JSON. `None` without fonts.
    fn list(&self) -> Option<File>;

    /// The file with this number in the list. None if it is gone.
    fn file(&self, number: u16) -> Option<File>;
}

static SOURCE: OnceLock<Arc<dyn Source>> = OnceLock::new();
static FONTS: OnceLock<Vec<Font>> = OnceLock::new();

/// A font of the list.
pub struct Font {
    facts: Facts,
    characters: OnceLock<Vec<u8>>,
    data: OnceLock<Vec<u8>>,
}

/// Has all fonts of this process from a source. Only the first one counts: a second is that of a test in the same process.
pub fn come_from(source: Arc<dyn Source>) {
    let _ = SOURCE.set(source);
}

/// All fonts; none if no source has been named. The first call asks it for its list.
pub fn all() -> &'static [Font] {
    let Some(source) = SOURCE.get() else {
        return &[];
    };
    FONTS.get_or_init(|| {
        let list = source.list().and_then(|file| facts::read(&file));
        let fonts = list.unwrap_or_default().into_iter().map(|facts| Font {
            facts,
            characters: OnceLock::new(),
            data: OnceLock::new(),
        });
        fonts.collect()
    })
}

/// The font whose family has this name, in lower case: the one that is most like a regular face.
pub fn named(name: &str) -> Option<usize> {
    let having = all().iter().enumerate().filter(|(_, font)| {
        let mut names = font.facts.names.iter();
        names.any(|known| **known == *name)
    });
    let regular = having.min_by_key(|(_, font)| {
        let Facts {
            italic,
            weight,
            width,
            ..
        } = font.facts;
        (italic, weight.abs_diff(400), width.abs_diff(5))
    });
    regular.map(|(at, _)| at)
}

impl Font {
    /// Its facts.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Whether it has a glyph for a character.
    pub fn has(&self, character: char) -> bool {
        if !self.facts.coverage.may_have(character) {
            return false;
        }
        let read = || self.tables(&|tables| tables.get(*b"cmap"));
        let table = self.characters.get_or_init(|| read().unwrap_or_default());
        let glyph = Cmap::read(FontData::new(table))
            .ok()
            .and_then(|cmap| cmap.map_codepoint(character));
        glyph.is_some_and(|glyph| glyph.to_u32() != 0)
    }

    /// The font as an OpenType file of one font. Stays in memory until the process ends, as what is compiled in
    /// does. None if it cannot be read, or if there is no memory for it: the allocator has reported that then, and the job is
    /// run again with more.
    pub fn data(&'static self) -> Option<&'static [u8]> {
        if let Some(data) = self.data.get() {
            return Some(data);
        }
        let data = self.tables(&|tables| tables.without_others())?;
        Some(self.data.get_or_init(|| data))
    }

    /// Something of its tables. Its file is open only for so long.
    fn tables<T>(&self, of: &dyn Fn(&Tables<'_>) -> Option<T>) -> Option<T> {
        let file = SOURCE.get()?.file(self.facts.file)?;
        of(&Tables::of(&file, self.facts.face)?)
    }
}
