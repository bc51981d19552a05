//! Facts about fonts, and the list of all fonts. Does not choose a font.

use super::{coverage::Coverage, file::Tables};
use serde::{Deserialize, Serialize};
use skrifa::raw::{FontData, FontRead, tables::name::Name};
use std::{
    fs::File,
    io::{Seek, SeekFrom},
    os::unix::fs::FileExt,
};

/// Name identifiers of the family and of the typographic family (OpenType, "name").
const FAMILY_NAMES: [u16; 2] = [1, 16];
/// Limit on the number of names of a font, in all languages.
const MAX_NAMES: usize = 16;
/// Limit on the length of a name, in characters.
const MAX_NAME: usize = 100;
/// The longest list of fonts that is read, in bytes.
const MAX_LIST: u64 = 16 << 20;

/// Facts that a font states about itself.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Facts {
    /// Index of the font's file.
    pub(super) file: u16,
    /// Index of the font in its file, which may be a collection.
    pub(super) face: u32,
    /// The names of its family, in lower case.
    pub names: Vec<String>,
    /// English name of the family, or else its first name, in the original case.
    pub title: String,
    /// Whether it is bold.
    pub bold: bool,
    /// Whether it is slanted.
    pub italic: bool,
    /// Its weight as CSS counts it, 1 to 1000; 400 is regular.
    pub weight: u16,
    /// Its width class, 1 to 9; 5 is normal.
    pub width: u16,
    /// The code pages that it is made for, as bits (OpenType, "OS/2", `ulCodePageRange1`): 17 Japanese, 18 simplified
    /// Chinese, 19 Korean, 20 traditional Chinese.
    pub code_pages: u32,
    /// Approximate set of characters.
    pub coverage: Coverage,
}

impl Facts {
    /// Reads the facts of font `face` in a file; `number` is the index of the file. `None` if the font lacks the table
    /// `name` or `cmap`.
    pub(super) fn of(file: &File, number: u16, face: u32) -> Option<Self> {
        let tables = Tables::of(file, face)?;
        let (names, title) = names(&tables.get(*b"name")?);
        let coverage = Coverage::of(&tables.get(*b"cmap")?);
        let head = tables.get(*b"head").unwrap_or_default();
        let style = head.get(45).copied().unwrap_or_default();
        let classes = tables.get(*b"OS/2").unwrap_or_default();
        let class = |at: usize| Some(u16::from_be_bytes(*classes.get(at..)?.first_chunk()?));
        let bold = style & 1 != 0;
        let weight = class(4).filter(|weight| (1..=1000).contains(weight));
        let width = class(6).filter(|width| (1..=9).contains(width));
        let pages = classes.get(78..).and_then(|bytes| bytes.first_chunk());
        let has_pages = class(0).is_some_and(|version| version > 0);
        Some(Self {
            file: number,
            face,
            names,
            title,
            bold,
            italic: style & 2 != 0,
            weight: weight.unwrap_or(if bold { 700 } else { 400 }),
            width: width.unwrap_or(5),
            code_pages: pages
                .filter(|_| has_pages)
                .map_or(0, |pages| u32::from_be_bytes(*pages)),
            coverage,
        })
    }
}

/// Reads the names of a family from the table `name`: all of them in lower case, and the English one (or else the first
/// one) in the original case.
fn names(table: &[u8]) -> (Vec<String>, String) {
    let Ok(table) = Name::read(FontData::new(table)) else {
        return Default::default();
    };
    let records = table.name_record().iter().take(4096);
    let families = records.filter(|record| FAMILY_NAMES.contains(&record.name_id().to_u16()));
    let (mut names, mut title) = (Vec::new(), String::new());
    for record in families {
        let Ok(name) = record.string(table.string_data()) else {
            continue;
        };
        let name: String = name.chars().take(MAX_NAME).collect();
        let is_english = matches!(record.language_id(), 0 | 0x409);
        if !name.is_empty() && (title.is_empty() || is_english) {
            title.clone_from(&name);
        }
        names.push(name.to_lowercase());
    }
    names.sort();
    names.dedup();
    names.truncate(MAX_NAMES);
    (names, title)
}

/// Reads the list of fonts from a file.
pub(super) fn read(file: &File) -> Option<Vec<Facts>> {
    // A sandboxed child may not query file metadata; seeking to the end yields the length.
    let mut end = file;
    let len = end.seek(SeekFrom::End(0)).ok()?.min(MAX_LIST);
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(len as usize).ok()?;
    bytes.resize(len as usize, 0);
    file.read_exact_at(&mut bytes, 0).ok()?;
    serde_json::from_slice(&bytes).ok()
}
