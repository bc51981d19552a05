//! The measures of a face, by itself or where it stands for a font that a document names. Measures no text.

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

    /// Measures of a named font, for a face that stands in for it.
    pub fn named(
        named: &'static Named,
        bold: bool,
        italic: bool,
        face: &Face<'_>,
        base: &Face<'_>,
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
}
