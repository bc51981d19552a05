//! The font of recognised text, which is not shown: all characters share an empty glyph, half as wide as the font is
//! high. Its ascent and descent are those of usual fonts, because viewers derive the height of a selection from them.
//! Draws nothing.
//!
//! Each character gets a code (CID) of its own. So the table of characters (ISO 32000-2, 9.10.3) has one entry for
//! each, and no character needs two codes, unlike surrogate pairs.

use convertd_pdfwrite::object::{File, IDENTITY, composite, small};
use pdf_writer::{
    Name, Ref,
    types::{CidFontType, FontFlags, UnicodeCmap},
    writers::{CidFont, FontDescriptor},
};
use std::collections::HashMap;

/// Width of every glyph, as a fraction of the font size.
pub(crate) const ADVANCE: f64 = 0.5;
/// Ascent of the font, as a fraction of its size: that of letters such as b and h in usual fonts.
pub(crate) const ASCENT: f64 = 0.75;
/// Descent of the font below the baseline, as a fraction of its size.
const DESCENT: f64 = 0.22;

/// Units per em.
const UNITS: f64 = 1000.0;
/// Glyph of all characters. The first glyph of a font is reserved for missing characters (ISO 19005-2, 6.2.11.8).
const EMPTY: u16 = 1;

const NAME: &str = "GLYLES+Glyphless";

/// The characters that were used.
#[derive(Debug, Default)]
pub struct Glyphless {
    codes: HashMap<char, u16>,
    /// Characters in the order of their codes, which start at 1.
    characters: Vec<char>,
}

impl Glyphless {
    /// The code of a character. After 65,535 different characters, every further character gets the code of the first
    /// one.
    pub fn code(&mut self, character: char) -> u16 {
        if let Some(code) = self.codes.get(&character) {
            return *code;
        }
        let Ok(code) = u16::try_from(self.characters.len() + 1) else {
            return 1;
        };
        self.characters.push(character);
        self.codes.insert(character, code);
        code
    }

    /// Writes the font as the object `id`.
    pub fn write(&self, file: &mut File<'_>, id: Ref) {
        let (descendant, descriptor) = (file.next(), file.next());
        let (program, unicode, map) = (file.next(), file.next(), file.next());
        let font = program_bytes();
        file.stream(program, &font, |stream| {
            stream.pair(Name(b"Length1"), font.len() as i32);
        });
        let glyphs = std::iter::once(0).chain(self.characters.iter().map(|_| EMPTY));
        let glyphs: Vec<u8> = glyphs.flat_map(u16::to_be_bytes).collect();
        file.stream(map, &glyphs, |_| ());
        let mut cmap = UnicodeCmap::<u16>::new(Name(b"Custom"), IDENTITY);
        for (code, character) in (1..).zip(&self.characters) {
            cmap.pair(code, *character);
        }
        composite(file, id, NAME, descendant, (unicode, cmap));
        small(file, descendant, |object| {
            let mut cid: CidFont<'_> = object.start();
            cid.subtype(CidFontType::Type2);
            cid.base_font(Name(NAME.as_bytes()));
            cid.system_info(IDENTITY);
            cid.font_descriptor(descriptor);
            cid.default_width((ADVANCE * UNITS) as f32);
            cid.cid_to_gid_map_stream(map);
        });
        let (ascent, descent) = ((ASCENT * UNITS) as f32, (-DESCENT * UNITS) as f32);
        small(file, descriptor, |object| {
            let mut descriptor: FontDescriptor<'_> = object.start();
            descriptor.name(Name(NAME.as_bytes()));
            descriptor.flags(FontFlags::SYMBOLIC | FontFlags::FIXED_PITCH);
            let width = (ADVANCE * UNITS) as f32;
            descriptor.bbox(pdf_writer::Rect::new(0.0, descent, width, ascent));
            descriptor.italic_angle(0.0);
            descriptor.ascent(ascent);
            descriptor.descent(descent);
            descriptor.cap_height(ascent);
            descriptor.stem_v(80.0);
            descriptor.font_file2(program);
        });
    }
}

/// A TrueType font of two empty glyphs (ISO/IEC 14496-22), with only the tables that PDF requires.
fn program_bytes() -> Vec<u8> {
    let (units, advance) = (UNITS as u16, (ADVANCE * UNITS) as u16);
    let (ascent, descent) = ((ASCENT * UNITS) as i16, (-DESCENT * UNITS) as i16);
    let mut head = Vec::new();
    // Versions, a placeholder for the checksum of the file, the magic number, and flags: baseline at 0, left side
    // bearing at 0.
    for long in [0x0001_0000_u32, 0x0001_0000, 0, 0x5f0f_3cf5] {
        head.extend(long.to_be_bytes());
    }
    head.extend(3_u16.to_be_bytes());
    head.extend(units.to_be_bytes());
    // Times of creation and modification: always 0, so that the same font has the same bytes.
    head.extend([0; 16]);
    for short in [0, descent, advance as i16, ascent, 0, 8, 2, 0, 0] {
        head.extend(short.to_be_bytes());
    }
    let mut hhea = 0x0001_0000_u32.to_be_bytes().to_vec();
    for short in [ascent, descent, 0, advance as i16, 0, 0, 0, 1, 0, 0] {
        hhea.extend(short.to_be_bytes());
    }
    hhea.extend([0; 10]);
    hhea.extend(2_u16.to_be_bytes());
    let hmtx: Vec<u8> = [advance, 0, advance, 0]
        .into_iter()
        .flat_map(u16::to_be_bytes)
        .collect();
    let mut maxp = 0x0001_0000_u32.to_be_bytes().to_vec();
    for short in [2_u16, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0] {
        maxp.extend(short.to_be_bytes());
    }
    // Programs treat an empty table as missing, so the outlines have four unused bytes.
    let tables: [(&[u8; 4], Vec<u8>); 6] = [
        (b"glyf", vec![0; 4]),
        (b"head", head),
        (b"hhea", hhea),
        (b"hmtx", hmtx),
        (b"loca", vec![0; 6]),
        (b"maxp", maxp),
    ];
    let mut font = 0x0001_0000_u32.to_be_bytes().to_vec();
    for short in [6_u16, 64, 2, 32] {
        font.extend(short.to_be_bytes());
    }
    let mut body = Vec::new();
    let start = font.len() + 16 * tables.len();
    let mut head_at = 0;
    for (tag, table) in &tables {
        if *tag == b"head" {
            head_at = start + body.len();
        }
        font.extend(*tag);
        font.extend(sum(table).to_be_bytes());
        font.extend(((start + body.len()) as u32).to_be_bytes());
        font.extend((table.len() as u32).to_be_bytes());
        body.extend(table);
        body.resize(body.len().next_multiple_of(4), 0);
    }
    font.extend(body);
    let adjustment = 0xb1b0_afba_u32.wrapping_sub(sum(&font));
    font[head_at + 8..head_at + 12].copy_from_slice(&adjustment.to_be_bytes());
    font
}

/// The checksum of a table: the sum of its big-endian words.
fn sum(bytes: &[u8]) -> u32 {
    bytes.chunks(4).fold(0, |sum: u32, chunk| {
        let mut word = [0; 4];
        word[..chunk.len()].copy_from_slice(chunk);
        sum.wrapping_add(u32::from_be_bytes(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use skrifa::{
        FontRef, GlyphId, MetadataProvider as _,
        instance::{LocationRef, Size},
    };

    #[test]
    fn the_program_is_a_font_of_empty_glyphs() {
        let bytes = program_bytes();
        assert_eq!(sum(&bytes), 0xb1b0_afba, "the checksum of the file");
        let font = FontRef::new(&bytes).unwrap();
        let size = Size::new(UNITS as f32);
        let metrics = font.metrics(size, LocationRef::default());
        assert_eq!((metrics.units_per_em, metrics.glyph_count), (1000, 2));
        assert_eq!((metrics.ascent, metrics.descent), (750.0, -220.0));
        let glyphs = font.glyph_metrics(size, LocationRef::default());
        assert_eq!(
            glyphs.advance_width(GlyphId::new(EMPTY.into())),
            Some(500.0)
        );
        assert!(font.outline_glyphs().get(GlyphId::new(1)).is_some());
    }

    #[test]
    fn each_character_has_one_code() {
        let mut font = Glyphless::default();
        let codes: Vec<u16> = "aba\u{1f600}b".chars().map(|c| font.code(c)).collect();
        assert_eq!(codes, [1, 2, 1, 3, 2]);
    }
}
