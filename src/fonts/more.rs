//! Fonts of a directory that an operator names, beside those that are compiled in. Looks nowhere else, and reads no font before
//! a document needs it.
//!
//! A converter child can open no file once it is confined. So the files are opened before, and stay open; what is read of them
//! later, through their descriptors, is a table of names or of characters when a document asks for a font that is not compiled
//! in, and all of a file only when text is set in it. OpenType 1.9 says how the tables lie in a file.

use skrifa::raw::{
    FontData, FontRead,
    tables::{cmap::Cmap, name::Name},
};
use std::{
    fs::{self, File},
    io,
    os::unix::fs::FileExt,
    path::Path,
    sync::OnceLock,
};

/// How many files are opened, at most. Each takes a descriptor of every converter.
pub const MOST: usize = 400;
/// The largest file that is used, in bytes.
const MAX_LEN: u64 = 64 << 20;
/// The largest table that is read by itself, in bytes.
const MAX_TABLE: u32 = 4 << 20;
/// The names of a family, and of a family by the typographer's view of it (OpenType, "name").
const FAMILY_NAMES: [u16; 2] = [1, 16];

/// A font of the directory. Of a collection it is the first one.
pub struct Font {
    file: File,
    len: u64,
    facts: OnceLock<Facts>,
    characters: OnceLock<Vec<u8>>,
    data: OnceLock<Vec<u8>>,
}

/// What a font says about itself. All empty if it cannot be read.
#[derive(Debug, Default)]
pub struct Facts {
    /// The names of its family, in lower case.
    pub names: Vec<String>,
    /// Whether it is bold.
    pub bold: bool,
    /// Whether it is slanted.
    pub italic: bool,
    /// Its weight as CSS counts it, 1 to 1000; 400 is regular.
    pub weight: u16,
    /// Its width class, 1 to 9; 5 is normal.
    pub width: u16,
}

static FONTS: OnceLock<Vec<Font>> = OnceLock::new();

/// Opens the fonts of a directory, once for the whole process and in the order of their names.
///
/// Errors: the directory cannot be read. Files that are no fonts are passed over.
pub fn open(directory: &Path) -> io::Result<()> {
    let mut paths: Vec<_> = fs::read_dir(directory)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let extension = path.extension().map(|text| text.to_ascii_lowercase());
            extension.is_some_and(|text| {
                ["ttf", "otf", "ttc", "otc"]
                    .iter()
                    .any(|known| text == *known)
            })
        })
        .collect();
    paths.sort();
    let open = |path: &Path| {
        let file = File::open(path).ok()?;
        let facts = file.metadata().ok()?;
        (facts.is_file() && facts.len() <= MAX_LEN).then(|| Font {
            file,
            len: facts.len(),
            facts: OnceLock::new(),
            characters: OnceLock::new(),
            data: OnceLock::new(),
        })
    };
    let fonts = paths.iter().filter_map(|path| open(path)).take(MOST);
    // A second directory in the same process is one of a test.
    let _ = FONTS.set(fonts.collect());
    Ok(())
}

/// All fonts of the directory; none if there is no directory.
pub fn all() -> &'static [Font] {
    FONTS.get().map_or(&[], Vec::as_slice)
}

/// The first font whose family has this name, in lower case.
pub fn named(name: &str) -> Option<usize> {
    all()
        .iter()
        .position(|font| font.facts().names.iter().any(|known| known == name))
}

impl Font {
    /// What it says about itself.
    pub fn facts(&self) -> &Facts {
        self.facts.get_or_init(|| Facts {
            names: self
                .table(*b"name")
                .map_or_else(Vec::new, |table| names(&table)),
            ..self.style()
        })
    }

    /// Whether it is bold or slanted (`macStyle` in the table `head`), and how bold and how wide it is (`usWeightClass` and
    /// `usWidthClass` in `OS/2`).
    fn style(&self) -> Facts {
        let head = self.table(*b"head").unwrap_or_default();
        let style = head.get(45).copied().unwrap_or_default();
        let classes = self.table(*b"OS/2").unwrap_or_default();
        let class = |at: usize| Some(u16::from_be_bytes(*classes.get(at..)?.first_chunk()?));
        let bold = style & 1 != 0;
        let weight = class(4).filter(|weight| (1..=1000).contains(weight));
        let width = class(6).filter(|width| (1..=9).contains(width));
        Facts {
            names: Vec::new(),
            bold,
            italic: style & 2 != 0,
            weight: weight.unwrap_or(if bold { 700 } else { 400 }),
            width: width.unwrap_or(5),
        }
    }

    /// Whether it has a glyph for a character.
    pub fn has(&self, character: char) -> bool {
        let table = self
            .characters
            .get_or_init(|| self.table(*b"cmap").unwrap_or_default());
        let glyph = Cmap::read(FontData::new(table))
            .ok()
            .and_then(|cmap| cmap.map_codepoint(character));
        glyph.is_some_and(|glyph| glyph.to_u32() != 0)
    }

    /// The whole file. Stays in memory until the process ends, as what is compiled in does. None if it cannot be read, or if
    /// there is no memory for it: the allocator has reported that then, and the job is run again with more.
    pub fn data(&'static self) -> Option<&'static [u8]> {
        if let Some(data) = self.data.get() {
            return Some(data);
        }
        let mut data = Vec::new();
        data.try_reserve_exact(usize::try_from(self.len).ok()?)
            .ok()?;
        data.resize(self.len as usize, 0);
        self.file.read_exact_at(&mut data, 0).ok()?;
        Some(self.data.get_or_init(|| data))
    }

    /// One of its tables.
    fn table(&self, tag: [u8; 4]) -> Option<Vec<u8>> {
        let read = |at: u64, len: usize| {
            let mut bytes = vec![0; len];
            self.file.read_exact_at(&mut bytes, at).ok()?;
            Some(bytes)
        };
        let long =
            |bytes: &[u8], at: usize| Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?));
        let mut head = read(0, 16)?;
        let mut start = 0;
        if head.starts_with(b"ttcf") {
            start = long(&head, 12)?.into();
            head = read(start, 16)?;
        }
        let count = usize::from(u16::from_be_bytes([head[4], head[5]]));
        let directory = read(start + 12, 16 * count)?;
        let record = directory
            .chunks_exact(16)
            .find(|record| record[..4] == tag)?;
        let (at, len) = (long(record, 8)?, long(record, 12)?);
        (len <= MAX_TABLE).then(|| read(at.into(), len as usize))?
    }
}

fn names(table: &[u8]) -> Vec<String> {
    let Ok(table) = Name::read(FontData::new(table)) else {
        return Vec::new();
    };
    let records = table.name_record().iter();
    let families = records.filter(|record| FAMILY_NAMES.contains(&record.name_id().to_u16()));
    let mut names: Vec<String> = families
        .filter_map(|record| record.string(table.string_data()).ok())
        .map(|name| name.chars().collect::<String>().to_lowercase())
        .collect();
    names.sort();
    names.dedup();
    names
}
