//! Ascent and descent of text, from its font. Does not compute the height of lines.

use super::{
    faces::{self, Faces},
    item::Pen,
    ornaments,
    text_format::TextFormat,
};
use convertd_tree::{EmphasisMark, Typesetter};

/// Ascent and descent: distances from the baseline, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LineExtent {
    pub above: f32,
    pub below: f32,
}

impl LineExtent {
    /// Extends ascent and descent to include those of `other`.
    pub fn include(&mut self, other: Self) {
        self.above = self.above.max(other.above);
        self.below = self.below.max(other.below);
    }

    pub fn height(self) -> f32 {
        self.above + self.below
    }

    /// Ascent and descent of text in a font, raised by a distance in points. The ascent includes the font's leading.
    /// Word rounds each of the three lengths to a twentieth of a point.
    pub fn of(faces: &Faces<'_>, pen: Pen, raised: f32, typesetter: Typesetter) -> Self {
        let line = faces.measures(pen.chosen).line;
        let length = |part: f32| match typesetter {
            Typesetter::Own | Typesetter::Writer => part * pen.size,
            Typesetter::Word => (part * pen.size * 20.0).round() / 20.0,
        };
        Self {
            above: length(line.ascent) + length(line.leading) + raised,
            below: length(line.descent) - raised,
        }
    }

    /// Ascent and descent of Chinese, Japanese and Korean text in Word. The sum is 30 % more than the font states. One
    /// half of the addition is above the text, and the other half is below it (measured on Korean documents without a
    /// grid).
    pub(super) fn of_east_asian(faces: &Faces<'_>, pen: Pen, text_format: &TextFormat) -> Self {
        const MORE: f32 = 0.3;
        let named = faces::named_font(text_format.family).map(|named| named.line);
        let line = named.unwrap_or(faces.measures(pen.chosen).line);
        let more = MORE / 2.0 * (line.ascent + line.descent);
        Self {
            above: (line.ascent + more) * pen.size + text_format.raised,
            below: (line.descent + more) * pen.size - text_format.raised,
        }
    }

    /// Height that a letter with an emphasis mark needs above the baseline, or depth that it needs below.
    pub(super) fn of_mark(mark: EmphasisMark, text_format: &TextFormat) -> Self {
        match mark.below {
            true => Self {
                above: 0.0,
                below: ornaments::ROOM_BELOW * text_format.size - text_format.raised,
            },
            false => Self {
                above: ornaments::ROOM_ABOVE * text_format.size + text_format.raised,
                below: 0.0,
            },
        }
    }

    /// Ascent and descent of text with this formatting.
    pub(crate) fn of_text(
        faces: &mut Faces<'_>,
        text_format: &TextFormat,
        typesetter: Typesetter,
    ) -> Self {
        let Some(chosen) = faces.choose(text_format.family, text_format.bold, text_format.italic)
        else {
            return Self::default();
        };
        let pen = Pen::new(chosen, text_format, faces);
        Self::of(faces, pen, text_format.raised, typesetter)
    }
}
