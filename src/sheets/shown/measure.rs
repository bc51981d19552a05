//! Measures of a sheet that depend on fonts: the width of a digit, which column widths are multiples of, and heights
//! of rows. Does not lay out text.
//!
//! Spreadsheet programs measure in pixels of 1/96 inch even for printing: a column is a whole number of pixels wide,
//! and ascent and descent of a font are whole numbers of pixels.

use super::style::{Font, Position, Underline};
use crate::fonts::Family;
use convertd_layout::{face::Joining, faces::Faces, text_format::TextFormat};
use convertd_tree::Colour;

/// Pixels per point.
const PIXELS: f32 = 96.0 / 72.0;

/// Converts a font to the text properties of the layout package. Superscripts and subscripts have 65 % of the font
/// size.
pub(crate) fn look(font: &Font, faces: &mut Faces<'_>) -> TextFormat {
    let mut look = TextFormat::plain();
    look.family = faces.family(&font.name, Family::Sans);
    look.bold = font.bold;
    look.italic = font.italic;
    look.size = font.size.clamp(1.0, 409.0);
    look.colour = font.colour.unwrap_or(Colour(0, 0, 0));
    look.underline = font.underline != Underline::None;
    look.strike = font.strike;
    look.raised = match font.position {
        Position::Baseline => 0.0,
        Position::Superscript => 0.33 * look.size,
        Position::Subscript => -0.14 * look.size,
    };
    if font.position != Position::Baseline {
        look.size *= 0.65;
    }
    look
}

/// Width of the widest digit of a font in whole pixels, the unit of column widths (18.3.1.13).
pub(crate) fn digit_width(font: &Font, faces: &mut Faces<'_>) -> f32 {
    let family = faces.family(&font.name, Family::Sans);
    let Some(chosen) = faces.choose(family, font.bold, font.italic) else {
        // Digit width of the default font, Calibri 11.
        return 7.0;
    };
    let units = faces.face(chosen.face).units();
    let widest = (b'0'..=b'9').map(|digit| {
        let digit = char::from(digit);
        let digit = digit.to_string();
        let word = faces.word(chosen, &digit, false, Joining::FINE, None);
        word.advance
    });
    let widest = widest.max().unwrap_or(0) as f32;
    (widest / units * font.size * PIXELS).round().max(1.0)
}

/// Width of a column of this many characters, in pixels (18.3.1.13). Truncates to 1/256 of a character first, as the
/// specification does.
pub(crate) fn column_width(characters: f64, digit: f32) -> f32 {
    let digit = f64::from(digit);
    let characters = characters.clamp(0.0, 255.0);
    ((256.0 * characters + (128.0 / digit).trunc()) / 256.0 * digit).trunc() as f32
}

/// Default column width in pixels, for a file that states it as a number of characters: these characters and the
/// padding of a cell, rounded up to a multiple of eight pixels.
pub(crate) fn default_width(characters: f64, digit: f32) -> f32 {
    let padding = 2.0 * (digit / 4.0).ceil() + 1.0;
    let width = characters.clamp(0.0, 255.0) as f32 * digit + padding;
    (width / 8.0).ceil() * 8.0
}

/// Height of a row with one line in this font, in points. Two pixels are padding.
pub(crate) fn row_height(font: &Font, faces: &mut Faces<'_>) -> f32 {
    let family = faces.family(&font.name, Family::Sans);
    let Some(chosen) = faces.choose(family, font.bold, font.italic) else {
        // Default height of Excel.
        return 15.0;
    };
    let face = faces.face(chosen.face);
    let scale = (font.size * PIXELS).round() / face.units();
    let metrics = &face.font.metrics;
    let pixels = (metrics.ascent * scale).round() + (metrics.descent.abs() * scale).round() + 2.0;
    pixels / PIXELS
}
