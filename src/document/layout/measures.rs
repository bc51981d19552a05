//! How wide and how high text is in a font that a document names, set in the glyphs of a face. Shapes nothing.

use super::face::Face;
use crate::fonts::named::{Line, Named, Widths};

/// See the module.
pub(crate) struct Measures {
    /// The widths of the font that is named, if they are not those of the face.
    widths: Option<&'static Widths>,
    /// How wide glyphs are, beside the face's own: as the characters of the font that is named are on average.
    pub(crate) stretch: f32,
    pub(crate) line: Line,
}

impl Measures {
    /// Those of the face itself.
    pub(crate) fn of(face: &Face) -> Self {
        Self {
            widths: None,
            stretch: 1.0,
            line: face.font.line(),
        }
    }

    /// Those of a font that is named, in a face that stands for it.
    pub(crate) fn named(
        named: &'static Named,
        bold: bool,
        italic: bool,
        face: &Face,
        base: &Face,
    ) -> Self {
        let (widths, as_bold, as_italic) = named.widths(bold, italic);
        // Where nothing is known of the bold face, it is as much wider than the one that stands for it as the regular one is.
        let known = if (as_bold, as_italic) == (bold, italic) {
            face
        } else {
            base
        };
        let letters = widths
            .all()
            .filter(|(character, _)| character.is_ascii_alphanumeric());
        let (mut ours, mut theirs) = (0.0, 0.0);
        for (character, width) in letters {
            if let Some(own) = known.width(character) {
                ours += own as f32 / face.units();
                theirs += f32::from(width) / 1000.0;
            }
        }
        let is_known = ours > 0.0 && theirs > 0.0;
        Self {
            widths: (is_known && std::ptr::eq(known, face)).then_some(widths),
            stretch: if is_known {
                (theirs / ours).clamp(0.5, 2.0)
            } else {
                1.0
            },
            line: named.line,
        }
    }

    /// How far the next character is, in units of a face whose glyph is so wide.
    pub(crate) fn advance(&self, character: Option<char>, own: i32, units: f32) -> i32 {
        let widths = self.widths;
        let known = character.and_then(|character| widths?.of(character));
        match known {
            Some(width) => (f32::from(width) * units / 1000.0).round() as i32,
            None => (own as f32 * self.stretch).round() as i32,
        }
    }

    /// Whether text is as wide as the face has it.
    pub(crate) fn is_own(&self) -> bool {
        self.widths.is_none() && self.stretch == 1.0
    }
}
