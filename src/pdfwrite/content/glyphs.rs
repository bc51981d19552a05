//! Glyphs that a single text-showing operator draws (ISO 32000-1, 9.4.3, `Tj` and `TJ`): strings of glyph numbers, with adjustments
//! between them where a glyph does not stand where the one before it ends. Chooses no glyphs.

use pdf_writer::Content;
use std::fmt::Write as _;

/// The least adjustment that is written, in thousandths of the font size: a fortieth of a dot of a printer at 12 points.
const LEAST: f32 = 2.0;

/// The operand of the operator, as it grows.
///
/// It is written here: `pdf_writer` writes strings in which no byte is above 127, as numbers of glyphs of a small font are, with four
/// characters for nearly every byte. In hexadecimal they are half as long, and the pages of a sheet of 50,000 cells 0.83 times as long.
#[derive(Default)]
pub struct Glyphs {
    /// Strings in hexadecimal with adjustments in thousandths of the font size between them, behind an opening bracket.
    operand: String,
    /// The last string has no end yet.
    in_string: bool,
    has_adjustments: bool,
    /// The position that a viewer has reached, in text coordinates.
    pub pen: f32,
}

impl Glyphs {
    /// An empty run, with the viewer's position at `pen`.
    pub fn at(pen: f32) -> Self {
        Self {
            pen,
            ..Self::default()
        }
    }

    /// The adjustment in front of a glyph that stands at `x`, for a font of this size. It is 0 for what only the widths in the
    /// file are rounded by, until that comes to something.
    pub fn adjustment(&self, x: f32, size: f32) -> f32 {
        let off = ((self.pen - x) * 1000.0 / size).round();
        // Text of no size has no thousandths.
        if off.is_finite() && off.abs() >= LEAST {
            off
        } else {
            0.0
        }
    }

    /// Adds a glyph with an adjustment in front of it. `own` is its width as the font in the file states it, in thousandths of the
    /// font size: viewers go by that, whatever the text was laid out with.
    pub fn push(&mut self, adjustment: f32, cid: u16, own: f32, size: f32) {
        if self.operand.is_empty() {
            self.operand.push('[');
        }
        if adjustment != 0.0 {
            self.end_string();
            // It is a whole number. What cannot be one moves nothing.
            write!(self.operand, "{}", adjustment as i32).unwrap_or_default();
            self.has_adjustments = true;
            self.pen -= adjustment * size / 1000.0;
        }
        if !std::mem::replace(&mut self.in_string, true) {
            self.operand.push('<');
        }
        for shift in [12, 8, 4, 0] {
            let digit = char::from_digit(u32::from(cid >> shift & 15), 16);
            self.operand.push(digit.unwrap_or('0'));
        }
        self.pen += own * size / 1000.0;
    }

    fn end_string(&mut self) {
        if std::mem::take(&mut self.in_string) {
            self.operand.push('>');
        }
    }

    /// Writes the operator, if there is anything to show. The pen stays where it is.
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
    fn text_of_no_size_is_not_adjusted() {
        let glyphs = Glyphs::at(5.0);
        assert_eq!(glyphs.adjustment(0.0, 10.0), 500.0);
        assert_eq!(glyphs.adjustment(0.0, 0.0), 0.0);
        assert_eq!(glyphs.adjustment(5.0, 0.0), 0.0);
    }
}
