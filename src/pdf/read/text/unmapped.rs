//! Characters of glyphs that the PDF does not map to Unicode. The font file of a composite font without a `ToUnicode`
//! table often has a `cmap` table, which this module inverts.

use hayro::hayro_interpret::font::{Glyph, OutlineFontData};
use skrifa::{FontRef, MetadataProvider as _};
use std::collections::HashMap;

/// Limit on the characters recorded per font.
const MAX: usize = 70_000;

/// Limit on the fonts that are read.
const MAX_FONTS: usize = 100;

/// Tables that map the glyphs of a font to characters, by cache key of the font.
#[derive(Debug, Default)]
pub(crate) struct Unmapped(HashMap<u128, HashMap<u32, char>>);

impl Unmapped {
    /// Character of a glyph, if it can be determined.
    pub(crate) fn character(&mut self, glyph: &Glyph<'_>) -> Option<char> {
        if let Glyph::Outline(outline) = glyph
            && let Some(font) = outline.font_data()
        {
            return self.character_in_cmap(&font, outline.glyph_id().to_u32());
        }
        // Without font data, as for simple and Type 3 fonts, a printable ASCII code is taken as the character.
        let code = u8::try_from(glyph.char_code()).ok()?;
        code.is_ascii_graphic().then(|| char::from(code))
    }

    /// Character of a glyph by the `cmap` table of its font, which is inverted the first time.
    fn character_in_cmap(&mut self, font: &OutlineFontData, glyph: u32) -> Option<char> {
        if self.0.len() == MAX_FONTS && !self.0.contains_key(&font.cache_key) {
            return None;
        }
        let characters = self.0.entry(font.cache_key).or_insert_with(|| {
            let mut characters = HashMap::new();
            if let Ok(font) = FontRef::new((*font.data).as_ref()) {
                for (code, glyph) in font.charmap().mappings().take(MAX) {
                    // Symbol fonts move ASCII codes to a private-use area. Such codes are moved back.
                    let code = if (0xf020..0xf07f).contains(&code) {
                        code - 0xf000
                    } else {
                        code
                    };
                    if let Some(character) = char::from_u32(code) {
                        characters.entry(glyph.to_u32()).or_insert(character);
                    }
                }
            }
            characters
        });
        characters.get(&glyph).copied()
    }
}
