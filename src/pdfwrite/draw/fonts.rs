//! Fonts of the drawings in a file, each embedded once. Does not write the text.

use crate::{
    error::Result,
    fonts::used::Font,
    image::vector,
    object::{File, embed},
};
use pdf_writer::Ref;
use resvg::usvg::fontdb::{Database, ID, Source};

/// State that all drawings of a file share.
pub struct Set<'s> {
    /// Fonts in use, which are written after the last drawing.
    pub fonts: &'s mut Fonts,
    /// Whether viewers may smooth enlarged pictures, which PDF/A does not allow (ISO 19005-2, 6.2.8).
    pub smooth: bool,
}

/// Tables of fonts whose glyphs are coloured, bitmaps or variable. Their text becomes shapes.
const UNLIKE: [&[u8; 4]; 5] = [b"COLR", b"SVG ", b"CBDT", b"sbix", b"fvar"];

/// Fonts of all drawings in a file. A font that cannot be embedded is remembered as `None`.
#[derive(Default)]
pub struct Fonts {
    fonts: Vec<(ID, Option<(Ref, Font<'static>)>)>,
}

impl Fonts {
    /// Returns the embedded font with this identifier, if it can be embedded.
    pub(super) fn get(&mut self, file: &mut File<'_>, id: ID) -> Option<(Ref, &mut Font<'static>)> {
        let at = match self.fonts.iter().position(|(known, _)| *known == id) {
            Some(at) => at,
            None => {
                let font = read(vector::faces(), id).map(|font| (file.next(), font));
                self.fonts.push((id, font));
                self.fonts.len() - 1
            }
        };
        let (object, font) = self.fonts[at].1.as_mut()?;
        Some((*object, font))
    }

    /// Writes all fonts in use. Other fonts of the file have numbers below `first`.
    pub fn write(&self, file: &mut File<'_>, first: u16) -> Result<()> {
        for (number, (_, font)) in (first..).zip(&self.fonts) {
            if let Some((object, font)) = font {
                embed(font, file, *object, number)?;
            }
        }
        Ok(())
    }
}

/// Reads a font of the program, if its glyphs are plain outlines.
fn read(database: &'static Database, id: ID) -> Option<Font<'static>> {
    let face = database.face(id)?;
    let data: &[u8] = match &face.source {
        Source::Binary(data) => data.as_ref().as_ref(),
    };
    // Only the first font of a file can be embedded.
    let font = Font::read(data).filter(|_| face.index == 0)?;
    let has = |tag: &&[u8; 4]| font.font().table_data(skrifa::Tag::new(tag)).is_some();
    (!UNLIKE.iter().any(has)).then_some(font)
}
