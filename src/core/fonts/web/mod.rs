//! Reads font files (OpenType, WOFF 1.0 and WOFF 2.0) into their tables, and writes them as OpenType. Trusts no length
//! or offset in a file.
//!
//! All three formats hold the tables of an OpenType font. WOFF compresses each table with Deflate. WOFF 2 may transform
//! outlines and widths (`outlines`), and then compresses all tables together with Brotli.

mod outlines;
mod reader;
mod sfnt;

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use reader::ByteReader;
pub use sfnt::{checksum, settle, written};
use std::{borrow::Cow, io::Read};

/// The largest font of a page, unpacked, in bytes.
pub const MAX_LEN: usize = 16 << 20;
/// Maximum number of tables in a font. OpenType defines some fifty.
const MAX_TABLES: usize = 128;

/// Name of a table.
pub type Name = [u8; 4];
/// A table and its name.
pub type Table = (Name, Vec<u8>);

/// The tables of a font.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Font {
    /// First four bytes of the font as an OpenType file: the kind of its outlines.
    pub flavour: [u8; 4],
    /// The tables in the order of the file, each name once.
    pub tables: Vec<Table>,
    /// Names of the tables whose checksum is wrong.
    pub unsound: Vec<Name>,
    /// Whether the file also has metadata or private data, as WOFF can.
    pub has_more: bool,
}

impl Font {
    /// The bytes of the table with this name. `None` if the font lacks it.
    pub fn table(&self, name: &Name) -> Option<&[u8]> {
        let found = self.tables.iter().find(|(table, _)| table == name);
        found.map(|(_, bytes)| &bytes[..])
    }

    /// The bytes of the table with this name, to be changed.
    pub fn table_mut(&mut self, name: &Name) -> Option<&mut Vec<u8>> {
        let found = self.tables.iter_mut().find(|(table, _)| table == name);
        found.map(|(_, bytes)| bytes)
    }
}

/// Memory for unpacking, in bytes: six times the size that [`claimed`] returns. That covers the unpacked font, a
/// rewritten font whose glyphs may be packed less tightly, and one more copy for checking.
pub fn room(bytes: &[u8]) -> u64 {
    6 * claimed(bytes, MAX_LEN) as u64
}

/// Unpacked size in bytes that the header of a WOFF file states, or the length of another file; at most `most`.
pub fn claimed(bytes: &[u8], most: usize) -> usize {
    let packed = bytes.starts_with(b"wOF");
    let len = match packed.then(|| ByteReader(bytes.get(16..)?).u32()).flatten() {
        Some(len) => len as usize,
        None => bytes.len(),
    };
    len.min(most)
}

/// The font as an OpenType file. A file that is OpenType already is returned unchecked.
///
/// `None` if it is damaged, compressed in another way, a collection of fonts, or larger than [`MAX_LEN`] or than its
/// header states.
pub fn unpacked(bytes: &[u8]) -> Option<Cow<'_, [u8]>> {
    if bytes.len() > MAX_LEN {
        return None;
    }
    match bytes.get(..4)? {
        b"wOFF" | b"wOF2" => read(bytes, MAX_LEN)
            .ok()
            .map(|font| Cow::Owned(written(font))),
        b"\0\x01\0\0" | b"OTTO" | b"true" => Some(Cow::Borrowed(bytes)),
        _ => None,
    }
}

/// Reads the tables of a font. In a WOFF file, their unpacked size is limited to `most` bytes and to the size that the
/// header states; outlines that WOFF 2.0 has transformed may become three times as large.
///
/// Errors: the fault, as the end of a sentence that begins "the file is not a readable font: ".
pub fn read(bytes: &[u8], most: usize) -> Result<Font, &'static str> {
    let most = claimed(bytes, most);
    match bytes.first_chunk() {
        Some(b"wOFF") => woff(bytes, most),
        Some(b"wOF2") => woff2(bytes, most),
        Some(b"\0\x01\0\0" | b"OTTO" | b"true") => sfnt::read(bytes),
        _ => Err("it does not begin like a font"),
    }
}

const SHORT: &str = "it ends within its list of tables";
const TABLES: &str = "it has no tables, or more tables than a font can have";
const TWICE: &str = "one of its tables occurs twice";
const OVERLAP: &str = "two of its tables overlap";
const BEYOND: &str = "a table reaches beyond the end of the file";
const LARGER: &str = "its tables are larger than its header states";
const PACKED: &str = "a table cannot be unpacked as its header states";

/// Position of a table in a file.
struct Record {
    name: Name,
    at: usize,
    /// Length of the table as stored in the file, in bytes.
    stored: usize,
    /// Length of the unpacked table, in bytes.
    len: usize,
    checksum: u32,
}

/// Puts tables into the order of the file. Refuses tables that overlap one another or the first `head` bytes of the
/// file, and names that occur twice.
fn in_order(records: &mut [Record], head: usize) -> Result<(), &'static str> {
    records.sort_by_key(|record| record.name);
    if records.windows(2).any(|pair| pair[0].name == pair[1].name) {
        return Err(TWICE);
    }
    records.sort_by_key(|record| (record.at, record.stored));
    let mut end = head;
    for record in records {
        if record.at < end {
            return Err(OVERLAP);
        }
        end = record.at.checked_add(record.stored).ok_or(BEYOND)?;
    }
    Ok(())
}

/// Reads a WOFF 1.0 file (sections 4 and 5).
fn woff(bytes: &[u8], most: usize) -> Result<Font, &'static str> {
    const HEAD: usize = 44;
    const ENTRY: usize = 20;
    let (flavour, count, has_more) = header(bytes, 24, 36).ok_or(SHORT)?;
    if count == 0 || count > MAX_TABLES {
        return Err(TABLES);
    }
    let entries = bytes.get(HEAD..HEAD + ENTRY * count).ok_or(SHORT)?;
    let record = |entry: &[u8]| {
        let mut entry = ByteReader(entry);
        let name = entry.array()?;
        let (at, stored, len) = (entry.u32()?, entry.u32()?, entry.u32()?);
        Some(Record {
            name,
            at: at as usize,
            stored: stored as usize,
            len: len as usize,
            checksum: entry.u32()?,
        })
    };
    let records: Option<Vec<Record>> = entries.chunks(ENTRY).map(record).collect();
    let mut records = records.ok_or(SHORT)?;
    in_order(&mut records, HEAD + ENTRY * count)?;
    let mut left = most;
    let (mut tables, mut unsound) = (Vec::new(), Vec::new());
    for record in records {
        left = left.checked_sub(record.len).ok_or(LARGER)?;
        let stored = bytes
            .get(record.at..record.at + record.stored)
            .ok_or(BEYOND)?;
        let table = match record.stored < record.len {
            true => decompress_to_vec_zlib_with_limit(stored, record.len).map_err(|_| PACKED)?,
            false => stored.to_vec(),
        };
        if table.len() != record.len {
            return Err(PACKED);
        }
        if checksum(&record.name, &table) != record.checksum {
            unsound.push(record.name);
        }
        tables.push((record.name, table));
    }
    Ok(Font {
        flavour,
        tables,
        unsound,
        has_more,
    })
}

/// Reads the header of a packed font: its flavour, the number of its tables, and whether metadata or private data
/// follow. `description` and `private` are the positions of the fields with the offsets of the metadata and of the
/// private data.
fn header(bytes: &[u8], description: usize, private: usize) -> Option<([u8; 4], usize, bool)> {
    let flavour = *bytes.get(4..)?.first_chunk()?;
    let count = ByteReader(bytes.get(12..)?).u16()?;
    let has = |at: usize| Some(ByteReader(bytes.get(at..)?).u32()? != 0);
    Some((flavour, count.into(), has(description)? || has(private)?))
}

/// Table names that WOFF 2.0 abbreviates to a number (4.1), in the order of the numbers, four bytes each.
pub const KNOWN: &[u8; 63 * 4] = b"cmapheadhheahmtxmaxpnameOS/2postcvt fpgmglyflocaprepCFF VORGEBDTEBLCgasphdmxkernLTSHPCLTVDMXvheavmtxBASE\
GDEFGPOSGSUBEBSCJSTFMATHCBDTCBLCCOLRCPALSVG sbixacntavarbdatblocbslncvarfdscfeatfmtxfvargvarhstyjustlcarmortmorxopbdproptrakZapfSilf\
GlatGlocFeatSill";

/// An entry of the directory of WOFF 2.0.
struct Entry {
    name: [u8; 4],
    /// Length of the table in the unpacked stream, in bytes.
    stored: usize,
    /// Length of the original table in bytes.
    len: usize,
    transformed: bool,
}

/// Reads a WOFF 2.0 file (sections 4 and 5).
fn woff2(bytes: &[u8], most: usize) -> Result<Font, &'static str> {
    const HEAD: usize = 48;
    let (flavour, count, has_more) = header(bytes, 28, 40).ok_or(SHORT)?;
    if count == 0 || count > MAX_TABLES {
        return Err(TABLES);
    }
    if flavour == *b"ttcf" {
        return Err("it is a collection of fonts, which is not supported");
    }
    let packed = ByteReader(&bytes[20..]).u32().ok_or(SHORT)? as usize;
    let mut head = ByteReader(bytes.get(HEAD..).ok_or(SHORT)?);
    let (mut entries, mut together) = (Vec::new(), 0_usize);
    for _ in 0..count {
        let entry = entry(&mut head).ok_or(SHORT)?;
        together = together.checked_add(entry.stored).ok_or(LARGER)?;
        if together > most || entry.len > most {
            return Err(LARGER);
        }
        entries.push(entry);
    }
    let order: Vec<Name> = entries.iter().map(|entry| entry.name).collect();
    let mut sorted = order.clone();
    sorted.sort_unstable();
    if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(TWICE);
    }
    let mut stream = vec![0; together];
    brotli_decompressor::Decompressor::new(head.take(packed).ok_or(BEYOND)?, 1 << 12)
        .read_exact(&mut stream)
        .map_err(|_| PACKED)?;
    let mut stream = ByteReader(&stream);
    let mut tables: Vec<Table> = Vec::new();
    let mut packed: Vec<(Entry, &[u8])> = Vec::new();
    for entry in entries {
        let stored = stream.take(entry.stored).ok_or(PACKED)?;
        match entry.transformed {
            true => packed.push((entry, stored)),
            false => tables.push((entry.name, stored.to_vec())),
        }
    }
    outlines::restore(&mut tables, &packed, 3 * most)
        .ok_or("its outlines or widths cannot be restored")?;
    tables.sort_by_key(|(name, _)| order.iter().position(|other| other == name));
    Ok(Font {
        flavour,
        tables,
        unsound: Vec::new(),
        has_more,
    })
}

/// Reads an entry of the directory (4.1).
fn entry(head: &mut ByteReader<'_>) -> Option<Entry> {
    let flags = head.u8()?;
    let name = match usize::from(flags & 63) {
        63 => head.array()?,
        at => KNOWN[4 * at..4 * at + 4].try_into().ok()?,
    };
    let version = flags >> 6;
    let len = head.base128()? as usize;
    // For these two tables a version of 3 means untransformed; for all others a version of 0 does.
    let transformed = match &name {
        b"glyf" | b"loca" => version != 3,
        _ => version != 0,
    };
    let stored = match transformed {
        true => head.base128()? as usize,
        false => len,
    };
    Some(Entry {
        name,
        stored,
        len,
        transformed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use skrifa::{
        FontRef, MetadataProvider,
        instance::{LocationRef, Size},
        outline::{DrawSettings, OutlinePen},
    };

    /// Segments of an outline.
    #[derive(Default)]
    struct Drawn(Vec<[i32; 6]>);

    impl OutlinePen for Drawn {
        fn move_to(&mut self, x: f32, y: f32) {
            self.0.push([0, x as i32, y as i32, 0, 0, 0]);
        }
        fn line_to(&mut self, x: f32, y: f32) {
            self.0.push([1, x as i32, y as i32, 0, 0, 0]);
        }
        fn quad_to(&mut self, a: f32, b: f32, x: f32, y: f32) {
            self.0.push([2, a as i32, b as i32, x as i32, y as i32, 0]);
        }
        fn curve_to(&mut self, _: f32, _: f32, _: f32, _: f32, _: f32, _: f32) {}
        fn close(&mut self) {
            self.0.push([3; 6]);
        }
    }

    fn drawn(font: &[u8], text: &str) -> Vec<(f32, Vec<[i32; 6]>)> {
        let font = FontRef::new(font).unwrap();
        let (glyphs, widths) = (
            font.outline_glyphs(),
            font.glyph_metrics(Size::unscaled(), LocationRef::default()),
        );
        let one = |letter: char| {
            let glyph = font.charmap().map(letter).unwrap();
            let mut pen = Drawn::default();
            let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
            glyphs.get(glyph).unwrap().draw(settings, &mut pen).unwrap();
            (widths.advance_width(glyph).unwrap(), pen.0)
        };
        text.chars().map(one).collect()
    }

    const PLAIN: &[u8] = include_bytes!("../../../../tests/data/documents/fonts/letters.ttf");
    const WOFF: &[u8] = include_bytes!("../../../../tests/data/documents/fonts/letters.woff");
    const WOFF2: &[u8] = include_bytes!("../../../../tests/data/documents/fonts/letters.woff2");

    #[test]
    fn packed_fonts_have_the_same_outlines() {
        let expected = drawn(PLAIN, "AgéÄ ");
        assert!(expected[0].1.len() > 10, "{expected:?}");
        for packed in [WOFF, WOFF2] {
            assert_eq!(drawn(&unpacked(packed).unwrap(), "AgéÄ "), expected);
        }
    }

    #[test]
    fn packed_fonts_have_the_same_tables() {
        let plain = read(PLAIN, MAX_LEN).unwrap();
        assert_eq!(written(read(PLAIN, MAX_LEN).unwrap()), PLAIN);
        assert_eq!(read(WOFF, MAX_LEN).unwrap().tables, plain.tables);
        let packed = read(WOFF2, MAX_LEN).unwrap();
        assert!(packed.table(b"cmap").is_some());
        assert_eq!(packed.table(b"cmap"), plain.table(b"cmap"));
    }

    #[test]
    fn wrong_directories_are_refused() {
        #[track_caller]
        fn check(font: &[u8], at: usize, value: u32, expected: &str) {
            let mut font = font.to_vec();
            font[at..at + 4].copy_from_slice(&value.to_be_bytes());
            assert_eq!(read(&font, MAX_LEN).unwrap_err(), expected);
        }
        // Offset and length of the first table.
        check(PLAIN, 20, 12, OVERLAP);
        check(PLAIN, 24, 1 << 20, OVERLAP);
        check(WOFF, 48, 44, OVERLAP);
        check(WOFF, 56, 1 << 30, LARGER);
        // The name of the second table, given to the first.
        let second = u32::from_be_bytes(*PLAIN[28..].first_chunk().unwrap());
        check(PLAIN, 12, second, TWICE);
        // Unpacked size of the whole font.
        check(WOFF, 16, 100, LARGER);
        check(WOFF2, 16, 100, LARGER);
    }

    #[test]
    fn damaged_fonts_are_refused_or_read() {
        for font in [WOFF, WOFF2] {
            for cut in 0..font.len() {
                assert!(unpacked(&font[..cut]).is_none_or(|read| read.len() < MAX_LEN));
            }
            for at in 0..font.len() {
                let mut damaged = font.to_vec();
                damaged[at] ^= 0xff;
                let _ = unpacked(&damaged);
            }
        }
        assert!(unpacked(b"").is_none() && unpacked(b"ttcf....").is_none());
    }
}
