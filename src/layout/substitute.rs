//! Measures of a face, for itself or as a substitute for a font that a document names. Measures no text.

use super::{face::Face, measures::Measures};
use crate::fonts::named::Named;

impl Measures {
    /// Measures of the face itself.
    pub fn of(face: &Face<'_>) -> Self {
        Self {
            widths: None,
            stretch: 1.0,
            line: face.font.line(),
        }
    }

    /// Measures of a named font, for a face from which only characters of another script are taken. Their glyphs keep
    /// their shape.
    pub fn lent(named: &'static Named) -> Self {
        Self {
            widths: Some(named.widths(false, false).0),
            stretch: 1.0,
            line: named.line,
        }
    }

    /// Measures of a named font in a face that replaces it.
    ///
    /// Compares the widths of ASCII letters and digits in both fonts. The ratio of the widths is the horizontal scale
    /// of the glyphs. If no widths of the bold or italic face are known, only the ratio of the most similar faces whose
    /// widths are known is used; of these, `base` is the one that replaces the font.
    pub fn named(
        named: &'static Named,
        bold: bool,
        italic: bool,
        face: &Face<'_>,
        base: &Face<'_>,
    ) -> Self {
        let (widths, as_bold, as_italic) = named.widths(bold, italic);
        // If the widths for this style are not known, another face is compared. This assumes that faces of all styles
        // differ as much.
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
        // For some East Asian fonts, only the widths of their own scripts are known, and the glyphs are not scaled.
        let is_known = ours > 0.0 && theirs > 0.0;
        Self {
            widths: (std::ptr::eq(known, face) && widths.all().next().is_some()).then_some(widths),
            stretch: if is_known {
                (theirs / ours).clamp(0.5, 2.0)
            } else {
                1.0
            },
            line: named.line,
        }
    }
}
