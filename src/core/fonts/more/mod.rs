//! Fonts in addition to the compiled-in ones: those of the machine, or of directories that the operator names. Does not
//! open files itself, and reads nothing before a document needs it.
//!
//! A machine may have thousands of fonts, and a sandboxed converter can open no file. So the service keeps a [`Shelf`]:
//! when a document first asks for a font that is not compiled in, the shelf finds the font files and lists their names
//! and characters. A converter gets this list, and the font files that it needs, from its [`Source`]. In a child
//! process, the source is the channel to the service, which passes file descriptors, never paths.

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
    /// The list of the fonts: a file with [`Facts`] in JSON. `None` without fonts.
    fn list(&self) -> Option<File>;

    /// Opens the file with this index in the list. `None` if it no longer exists.
    fn file(&self, number: u16) -> Option<File>;
}

static SOURCE: OnceLock<Arc<dyn Source>> = OnceLock::new();
static FONTS: OnceLock<Vec<Font>> = OnceLock::new();

/// A font of the list.
pub struct Font {
    facts: Facts,
    /// The table `cmap`, read on first use; empty if it cannot be read.
    characters: OnceLock<Vec<u8>>,
    /// The font as a file, read on first use.
    data: OnceLock<Vec<u8>>,
}

/// Sets the source of all fonts in this process. Only the first call has an effect. Further calls are allowed, because
/// all tests of a process make them.
pub fn come_from(source: Arc<dyn Source>) {
    let _ = SOURCE.set(source);
}

/// All fonts; empty if no source has been set. The first call asks the source for its list.
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

/// Finds the font of the family with this name, in lower case. If the family has several faces, returns the face
/// closest to a regular one.
pub fn named(name: &str) -> Option<usize> {
    let of_name = all().iter().enumerate().filter(|(_, font)| {
        let mut names = font.facts.names.iter();
        names.any(|known| **known == *name)
    });
    let regular = of_name.min_by_key(|(_, font)| {
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
    /// Facts about the font from the list of the source.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Returns whether the font has a glyph for a character.
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

    /// The font as an OpenType file with a single font. It stays in memory until the process ends, like the compiled-in
    /// fonts. `None` if it cannot be read, or if memory is short; the allocator has then reported that, and the job is
    /// repeated with more memory.
    pub fn data(&'static self) -> Option<&'static [u8]> {
        if let Some(data) = self.data.get() {
            return Some(data);
        }
        let data = self.tables(&|tables| tables.without_unused())?;
        Some(self.data.get_or_init(|| data))
    }

    /// Calls `read` with the font's tables. The file is open only during the call.
    fn tables<T>(&self, read: &dyn Fn(&Tables<'_>) -> Option<T>) -> Option<T> {
        let file = SOURCE.get()?.file(self.facts.file)?;
        read(&Tables::of(&file, self.facts.face)?)
    }
}
