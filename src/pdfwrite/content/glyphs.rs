//! Glyphs that a single text-showing operator draws (ISO 32000-1, 9.4.3, `Tj` and `TJ`): strings of glyph numbers, and
//! adjustments between them where a glyph does not follow directly after the one before it. Chooses no glyphs.

use pdf_writer::Content;
use std::fmt::Write as _;

/// Smallest adjustment that is written, in thousandths of the font size. At 12 points it is 0.024 points, a tenth of a
/// dot of a printer with 300 dpi.
const LEAST: f32 = 2.0;

/// Operand of a text-showing operator, to which glyphs are added.
///
/// This module writes the strings itself, in hexadecimal: two characters for each byte. `pdf_writer` needs four
/// characters for nearly every byte of a string without bytes above 127, and the glyph numbers of a small font are such
/// strings. The pages of a sheet of 50,000 cells are 0.83 times as long in hexadecimal.
#[derive(Default)]
pub struct Glyphs {
    /// Strings in hexadecimal with adjustments in thousandths of the font size between them, after an opening bracket.
    operand: String,
    /// Whether the last string is not closed yet.
    in_string: bool,
    /// Whether the operand needs `TJ`, since `Tj` shows a single string only.
    has_adjustments: bool,
    /// Position that a viewer has reached, in text space.
    pub pen: f32,
}

impl Glyphs {
    /// Creates an empty operand, with the viewer's position at `pen`.
    pub fn at(pen: f32) -> Self {
        Self {
            pen,
            ..Self::default()
        }
    }

    /// Returns the adjustment before a glyph that shall be at `x`, for a font of this size. It is 0 for small
    /// differences, which come from the rounding of the widths in the file, until their sum reaches [`LEAST`].
    pub fn adjustment(&self, x: f32, size: f32) -> f32 {
        let off = ((self.pen - x) * 1000.0 / size).round();
        // A font size of 0 makes the quotient infinite or not a number.
        if off.is_finite() && off.abs() >= LEAST {
            off
        } else {
            0.0
        }
    }

    /// Adds a glyph with an adjustment before it. `own` is its width as the font in the file states it, in thousandths
    /// of the font size: viewers advance by this width, whatever width the layout used.
    pub fn push(&mut self, adjustment: f32, cid: u16, own: f32, size: f32) {
        if self.operand.is_empty() {
            self.operand.push('[');
        }
        if adjustment != 0.0 {
            self.end_string();
            // The adjustment is a whole number. Writing to a string cannot fail.
            write!(self.operand, "{}", adjustment as i32).unwrap_or_default();
            self.has_adjustments = true;
            self.pen -= adjustment * size / 1000.0;
        }
        if !std::mem::replace(&mut self.in_string, true) {
            self.operand.push('<');
        }
        // Four hexadecimal digits: CIDs have two bytes (Identity-H).
        for shift in [12, 8, 4, 0] {
            let digit = char::from_digit(u32::from(cid >> shift & 15), 16);
            self.operand.push(digit.unwrap_or('0'));
        }
        self.pen += own * size / 1000.0;
    }

    /// Closes the string that is open.
    fn end_string(&mut self) {
        if std::mem::take(&mut self.in_string) {
            self.operand.push('>');
        }
    }

    /// Writes the operator, if there is a glyph to show. The pen keeps its position.
    pub fn show(&mut self, content: &mut Content) {
        if self.operand.is_empty() {
            return;
        }
        self.end_string();
        if std::mem::take(&mut self.has_adjustments) {
            self.operand.push_str("]TJ");
            content.op(&self.operand);
        } else {
            self.operand.push_str("Tj");
            // `Tj` takes the string without the opening bracket.
            content.op(self.operand.get(1..).unwrap_or_default());
        }
        self.operand.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glyphs_are_written_in_hexadecimal() {
        let mut content = Content::new();
        let mut glyphs = Glyphs::at(0.0);
        glyphs.show(&mut content);
        glyphs.push(0.0, 1, 500.0, 10.0);
        glyphs.push(0.0, 0x2a, 500.0, 10.0);
        glyphs.show(&mut content);
        assert_eq!(glyphs.pen, 10.0);
        glyphs.push(-120.0, 0x1fff, 500.0, 10.0);
        glyphs.push(30.0, 3, 500.0, 10.0);
        glyphs.show(&mut content);
        let text = String::from_utf8(content.finish().into_vec()).unwrap();
        assert_eq!(text, "<0001002a>Tj\n[-120<1fff>30<0003>]TJ");
    }

    #[test]
    fn text_of_size_zero_is_not_adjusted() {
        let glyphs = Glyphs::at(5.0);
        assert_eq!(glyphs.adjustment(0.0, 10.0), 500.0);
        assert_eq!(glyphs.adjustment(0.0, 0.0), 0.0);
        assert_eq!(glyphs.adjustment(5.0, 0.0), 0.0);
    }
}
