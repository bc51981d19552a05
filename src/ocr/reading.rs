//! The characters that were read on a line, with their positions.

use crate::traineddata::unicharset::Direction;

/// A character of a line: a letter, a ligature or a syllable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Symbol<'m> {
    /// Text of the character, never empty and no space.
    pub text: &'m str,
    /// Left edge, in pixels of the line's picture from the left; accurate to about half a letter.
    pub from: f32,
    /// Right edge, measured and accurate in the same way.
    pub to: f32,
    /// Certainty as Tesseract computes it, at most 0: about the natural logarithm of the character's lowest
    /// probability, times 2.25 if the model has a dictionary, but read the character without using it.
    pub certainty: f32,
    /// Certainty of the space before the character. `None` without a space.
    pub space: Option<f32>,
    /// Direction in which it is written.
    pub direction: Direction,
}

/// A line that was read, its symbols from left to right as they stand in the picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading<'m> {
    /// Symbols, from left to right.
    pub symbols: Vec<Symbol<'m>>,
    /// Mean probability of the network's most likely outputs, from 0 to 1, over the steps whose most likely output is a
    /// character. If two models read a line, the one with the greater mean has read it better.
    pub mean: f32,
    /// Whether the line is light on dark.
    pub inverted: bool,
}

impl Reading<'_> {
    /// Text of the line from left to right, with one space between words.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for symbol in &self.symbols {
            if symbol.space.is_some() && !text.is_empty() {
                text.push(' ');
            }
            text.push_str(symbol.text);
        }
        text
    }
}

/// Converts a certainty to a confidence in per cent, as Tesseract does. The certainty of a word is the lowest certainty
/// among its symbols and the spaces beside it.
pub fn confidence(certainty: f32) -> f32 {
    (100.0 + 35.0 * certainty).clamp(0.0, 100.0)
}
