//! Widths and heights of text in a font that a document names, set in the glyphs of a face. Knows no face.

use crate::fonts::named::{Line, Widths};

/// See the module.
pub struct Measures {
    /// The widths of the font that is named, if they are not those of the face.
    pub widths: Option<&'static Widths>,
    /// Scale of the face's glyph widths to those of the named font, on average.
    pub stretch: f32,
    pub line: Line,
}

impl Measures {
    /// Advance of a character, in units of a face whose glyph has the width `own`.
    pub fn advance(&self, character: Option<char>, own: i32, units: f32) -> i32 {
        let widths = self.widths;
        let known = character.and_then(|character| widths?.of(character));
        match known {
            Some(width) => (f32::from(width) * units / 1000.0).round() as i32,
            None => (own as f32 * self.stretch).round() as i32,
        }
    }

    /// Whether text is as wide as the face has it.
    pub fn is_own(&self) -> bool {
        self.widths.is_none() && self.stretch == 1.0
    }
}
