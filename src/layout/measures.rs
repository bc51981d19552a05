//! Widths and heights of text in a font that the document names, if the glyphs come from another face. Does not depend
//! on that face.

use crate::fonts::named::{Line, Widths};

/// Measures of text in a face.
pub struct Measures {
    /// Widths of the named font. `None` if the face's own widths are used.
    pub widths: Option<&'static Widths>,
    /// Horizontal scale of the face's glyphs that makes them on average as wide as those of the named font.
    pub stretch: f32,
    /// Ascent, descent and leading, in ems.
    pub line: Line,
}

impl Measures {
    /// Advance of a character, in units of the face. `own` is the face's own advance, and `units` is the number of
    /// units per em.
    pub fn advance(&self, character: Option<char>, own: i32, units: f32) -> i32 {
        let widths = self.widths;
        let known = character.and_then(|character| widths?.of(character));
        match known {
            Some(width) => (f32::from(width) * units / 1000.0).round() as i32,
            None => (own as f32 * self.stretch).round() as i32,
        }
    }

    /// Returns whether all widths are the face's own ones.
    pub fn is_own(&self) -> bool {
        self.widths.is_none() && self.stretch == 1.0
    }
}
