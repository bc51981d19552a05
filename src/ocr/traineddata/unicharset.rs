//! The character set of a model (unicharset): a text with one line for each character, in the order of their numbers.
//! Recognises nothing.
//!
//! A line is `text properties ranges script other_case direction mirror normed`, then a comment; older files lack some
//! of the last fields. A text may be several code points: a ligature, a syllable. The first line is the number of
//! characters. The first character is the space, written `NULL`; the two after it are not characters, but stand for
//! joined and broken letters.

use super::unusable;
use convertd_core::error::Result;

/// The number of the space.
pub(crate) const SPACE: usize = 0;
/// The lowest number of a printable character.
const FIRST: usize = 3;
/// Limit on the characters of a model. The largest known model, of traditional Chinese, has 5,000.
pub(crate) const MAX: usize = 65_535;

/// The direction in which a character is written, after Unicode's Bidi_Class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From left to right, as Latin letters are.
    LeftToRight,
    /// From right to left, as Arabic and Hebrew letters are.
    RightToLeft,
    /// A digit, which is written from left to right among characters of both kinds.
    Number,
    /// The direction of the surrounding text.
    Neutral,
}

/// The characters of a model.
pub(crate) struct Unicharset {
    /// All texts, one after another.
    texts: String,
    chars: Vec<Char>,
    /// Whether the language has spaces between its words.
    spaced: bool,
}

struct Char {
    /// End of the character's text in `texts`. The text begins where that of the previous character ends.
    end: usize,
    digit: bool,
    spaced: bool,
    direction: Direction,
}

impl Unicharset {
    /// Parses the text of a unicharset.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self> {
        let mut lines = bytes.split(|byte| *byte == b'\n');
        let count: usize = lines
            .next()
            .and_then(|line| str::from_utf8(line).ok()?.trim().parse().ok())
            .filter(|count| (FIRST..=MAX).contains(count))
            .ok_or_else(|| unusable("its set of characters does not begin with their number"))?;
        let mut set = Self {
            texts: String::new(),
            chars: Vec::new(),
            spaced: true,
        };
        for line in lines.take(count) {
            let line = str::from_utf8(line)
                .map_err(|_| unusable("its set of characters is not valid UTF-8"))?;
            set.push(line);
        }
        if set.chars.len() < count {
            return Err(unusable("its set of characters ends too early"));
        }
        Ok(set)
    }

    /// Adds the character of a line.
    fn push(&mut self, line: &str) {
        let mut fields = line.split([' ', '\t', '\r']);
        let text = fields.next().unwrap_or_default();
        let properties = fields.next().unwrap_or_default();
        // Older files lack the ranges of a character's sizes.
        let rest: Vec<&str> = fields.collect();
        let with_ranges = rest.first().is_some_and(|field| field.contains(','));
        let rest = &rest[usize::from(with_ranges)..];
        let script = rest.first().copied().unwrap_or_default();
        let direction = rest.get(2).copied().unwrap_or_default();
        match self.chars.len() {
            SPACE => self.texts.push(' '),
            1..FIRST => {}
            _ => self.texts.push_str(text),
        }
        self.spaced &= !["Han", "Katakana", "Thai"].contains(&script);
        self.chars.push(Char {
            end: self.texts.len(),
            digit: u32::from_str_radix(properties, 16).is_ok_and(|bits| bits & 8 != 0),
            spaced: !["Han", "Hiragana", "Katakana", "Thai", "Hangul"].contains(&script),
            direction: match direction {
                "0" => Direction::LeftToRight,
                "1" | "13" => Direction::RightToLeft,
                "2" | "5" => Direction::Number,
                _ => Direction::Neutral,
            },
        });
    }

    /// Number of characters, including unprintable ones.
    pub(crate) fn len(&self) -> usize {
        self.chars.len()
    }

    /// Text of a character; empty for an unprintable one.
    pub(crate) fn text(&self, id: usize) -> &str {
        let start = match id {
            0 => 0,
            _ => self.chars[id - 1].end,
        };
        &self.texts[start..self.chars[id].end]
    }

    /// Returns whether a character is a digit.
    pub(crate) fn is_digit(&self, id: usize) -> bool {
        self.chars[id].digit
    }

    /// Returns whether words of a character's script have spaces between them. Hangul counts as a script without
    /// spaces, as in Tesseract.
    pub(crate) fn is_spaced(&self, id: usize) -> bool {
        self.chars[id].spaced
    }

    /// Returns whether words of the language have spaces between them: no character is of the scripts Han, Katakana or
    /// Thai.
    pub(crate) fn is_spaced_language(&self) -> bool {
        self.spaced
    }

    /// Direction in which a character is written.
    pub(crate) fn direction(&self, id: usize) -> Direction {
        self.chars[id].direction
    }

    /// Memory in bytes that parsing `len` bytes takes at most.
    pub(crate) fn memory(len: u64) -> u64 {
        len.saturating_add(MAX as u64 * size_of::<Char>() as u64)
            .min(len.saturating_mul(24))
    }
}
