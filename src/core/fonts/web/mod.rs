//! Web fonts (WOFF 1.0, WOFF 2.0, or plain OpenType), unpacked to an OpenType file. Trusts none of their claims.
//!
//! Both formats keep the tables of an OpenType font: WOFF compresses each with Deflate, WOFF 2 all together with Brotli, and may
//! transform outlines and widths (`outlines`). Checksums of tables are not written, because no reader here checks them.

mod outlines;
mod reader;

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use reader::Reader;
use std::{borrow::Cow, io::Read};

/// The largest font, unpacked, in bytes.
pub const MAX_LEN: usize = 16 << 20;
/// Most tables of a font. OpenType defines some fifty.
const MOST_TABLES: usize = 128;

/// A table and its name.
type Table = ([u8; 4], Vec<u8>);

/// Memory for unpacking, in bytes: the size that the file claims (at the same place in both formats), for two copies, the second
/// of which uses only the longer forms of glyphs, and for one more copy for checking.
pub fn room(bytes: &[u8]) -> u64 {
    6 * claimed(bytes) as u64
}

/// Unpacked size that the file states.
fn claimed(bytes: &[u8]) -> usize {
    let packed = bytes.starts_with(b"wOF");
    let len = match packed.then(|| Reader(bytes.get(16..)?).u32()).flatten() {
        Some(len) => len as usize,
        None => bytes.len(),
    };
    len.min(MAX_LEN)
}

/// The font as an OpenType file.
///
/// `None` if it is damaged, packed in another way, a collection of fonts, larger than [`MAX_LEN`], or than it says itself.
pub fn unpacked(bytes: &[u8]) -> Option<Cow<'_, [u8]>> {
    if bytes.len() > MAX_LEN {
        return None;
    }
    match bytes.get(..4)? {
        b"wOFF" => woff(bytes).map(Cow::Owned),
        b"wOF2" => woff2(bytes).map(Cow::Owned),
        b"\0\x01\0\0" | b"OTTO" | b"true" => Some(Cow::Borrowed(bytes)),
        _ => None,
    }
}

/// WOFF 1.0, 4 and 5.
fn woff(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut head = Reader(bytes);
    head.skip(4)?;
    let flavour = head.array()?;
    head.skip(4)?;
    let count = usize::from(head.u16()?);
    head.skip(30)?;
    if count > MOST_TABLES {
        return None;
    }
    let (mut tables, mut room) = (Vec::new(), claimed(bytes));
    for _ in 0..count {
        let name = head.array()?;
        let (at, packed, len) = (head.u32()?, head.u32()?, head.u32()?);
        head.skip(4)?;
        let (at, packed, len) = (at as usize, packed as usize, len as usize);
        room = room.checked_sub(len)?;
        let stored = bytes.get(at..at.checked_add(packed)?)?;
        let table = match packed < len {
            true => decompress_to_vec_zlib_with_limit(stored, len).ok()?,
            false => stored.to_vec(),
        };
        if table.len() != len {
            return None;
        }
        tables.push((name, table));
    }
    Some(file(flavour, tables))
}

/// Table names with a number of their own in WOFF 2.0 (4.1), in the order of these numbers.
const KNOWN: &[u8; 63 * 4] = b"cmapheadhheahmtxmaxpnameOS/2postcvt fpgmglyflocaprepCFF VORGEBDTEBLCgasphdmxkernLTSHPCLTVDMXvheavmtxBASE\
GDEFGPOSGSUBEBSCJSTFMATHCBDTCBLCCOLRCPALSVG sbixacntavarbdatblocbslncvarfdscfeatfmtxfvargvarhstyjustlcarmortmorxopbdproptrakZapfSilf\
GlatGlocFeatSill";

/// An entry of the directory of WOFF 2.0.
struct Entry {
    name: [u8; 4],
    /// Length as stored, and original length, in bytes.
    stored: usize,
    len: usize,
    transformed: bool,
}

/// WOFF 2.0, 4 and 5.
fn woff2(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut head = Reader(bytes);
    head.skip(4)?;
    let flavour = head.array()?;
    head.skip(4)?;
    let count = usize::from(head.u16()?);
    head.skip(6)?;
    let packed = head.u32()? as usize;
    head.skip(24)?;
    if count > MOST_TABLES || flavour == *b"ttcf" {
        return None;
    }
    let most = claimed(bytes);
    let (mut entries, mut together) = (Vec::new(), 0_usize);
    for _ in 0..count {
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
        together = together.checked_add(stored)?;
        if together > most || len > most {
            return None;
        }
        entries.push(Entry {
            name,
            stored,
            len,
            transformed,
        });
    }
    let mut stream = vec![0; together];
    brotli_decompressor::Decompressor::new(head.take(packed)?, 1 << 12)
        .read_exact(&mut stream)
        .ok()?;
    let mut stream = Reader(&stream);
    let mut tables: Vec<Table> = Vec::new();
    let mut packed: Vec<(Entry, &[u8])> = Vec::new();
    for entry in entries {
        let stored = stream.take(entry.stored)?;
        match entry.transformed {
            true => packed.push((entry, stored)),
            false => tables.push((entry.name, stored.to_vec())),
        }
    }
    outlines::restore(&mut tables, &packed, 3 * most)?;
    Some(file(flavour, tables))
}

/// Makes an OpenType file of these tables.
fn file(flavour: [u8; 4], mut tables: Vec<Table>) -> Vec<u8> {
    tables.sort_by_key(|(name, _)| *name);
    tables.dedup_by_key(|(name, _)| *name);
    let count = tables.len() as u16;
    let log = count.checked_ilog2().unwrap_or(0) as u16;
    let range = 16_u16 << log.min(11);
    let mut out = flavour.to_vec();
    for field in [count, range, log, (16 * count).saturating_sub(range)] {
        out.extend(field.to_be_bytes());
    }
    let mut at = 12 + 16 * tables.len();
    for (name, table) in &tables {
        out.extend(name);
        for field in [0, at as u32, table.len() as u32] {
            out.extend(field.to_be_bytes());
        }
        at += table.len().next_multiple_of(4);
    }
    for (_, table) in tables {
        out.extend(table);
        out.resize(out.len().next_multiple_of(4), 0);
    }
    out
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
    fn packed_fonts_draw_what_they_drew_before() {
        let expected = drawn(PLAIN, "AgéÄ ");
        assert!(expected[0].1.len() > 10, "{expected:?}");
        for packed in [WOFF, WOFF2] {
            assert_eq!(drawn(&unpacked(packed).unwrap(), "AgéÄ "), expected);
        }
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
