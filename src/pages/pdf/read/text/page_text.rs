//! Content of a page: its letters, the pictures that belong to its text, and the rules among them. Finds nothing itself.

use super::{drawn::Drawn, rules::Rules, styles::Style};
use std::ops::Range;

/// A letter, or several letters of one glyph.
#[derive(Clone, Debug)]
pub(crate) struct Letter {
    /// The range of its characters in the text of the page.
    pub(crate) text: Range<u32>,
    /// The start and end along the line, in points.
    pub(crate) x: (f32, f32),
    /// The position of the baseline; larger values are further down.
    pub(crate) y: f32,
    /// The font size.
    pub(crate) size: f32,
    /// The direction of its line in degrees, clockwise from the right.
    pub(crate) angle: i16,
    pub(crate) style: Style,
    /// Its link, if it is in one.
    pub(crate) link: Option<u16>,
    /// Whether it stands after a space.
    pub(crate) spaced: bool,
    /// Whether the file marks it as an artifact, such as a page number.
    pub(crate) artifact: bool,
    /// The number of the marked content that it stands in, which a structure may refer to.
    pub(crate) mark: Option<u32>,
    /// Object that it represents, if it is not a letter.
    pub(crate) thing: Option<Thing>,
}

/// Something that takes a place among lines, by its number on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Thing {
    Table(u16),
    Figure(u16),
}

/// The text of a page.
#[derive(Debug, Default)]
pub(crate) struct Letters {
    /// In the order of drawing.
    pub(crate) all: Vec<Letter>,
    /// The characters of all of them.
    pub(crate) text: String,
    /// The number of glyphs whose character is unknown.
    pub(crate) unknown: usize,
    /// The number of drawn glyphs whose code was taken for their character.
    pub(crate) guessed: usize,
    /// Whether the page has a picture.
    pub(crate) pictures: bool,
    /// The pictures, if they were asked for.
    pub(crate) figures: Vec<Figure>,
    /// The straight rules that are drawn.
    pub(crate) rules: Rules,
    /// Other drawings, if pictures were asked for.
    pub(crate) drawn: Drawn,
}

impl Letters {
    /// The number of letters whose character is unknown, or only guessed.
    #[cfg(feature = "ocr")]
    pub(crate) fn unread(&self) -> usize {
        let is_none = |c: &char| matches!(c, '\u{fffd}' | '\u{e000}'..='\u{f8ff}');
        self.guessed + self.text.chars().filter(is_none).count()
    }

    pub(crate) fn text(&self, letter: &Letter) -> &str {
        &self.text[letter.text.start as usize..letter.text.end as usize]
    }
}

/// A picture and its position, in points of the upright page.
#[derive(Debug, PartialEq)]
pub(crate) struct Figure {
    pub(crate) x: (f32, f32),
    pub(crate) y: (f32, f32),
    /// The number of its file among [`Figures::files`](super::figures::Figures::files).
    pub(crate) file: usize,
    /// Whether text stands on it.
    pub(crate) is_background: bool,
    /// The number of the marked content that it stands in.
    pub(crate) mark: Option<u32>,
    /// Whether it covers the page.
    pub(super) fills_page: bool,
}

impl Figure {
    /// Its width and height in points.
    pub(crate) fn size(&self) -> (f32, f32) {
        (self.x.1 - self.x.0, self.y.1 - self.y.0)
    }

    /// Whether a letter stands on it.
    pub(super) fn has(&self, letter: &Letter) -> bool {
        let (x, y) = (
            0.5 * (letter.x.0 + letter.x.1),
            letter.y - 0.3 * letter.size,
        );
        letter.angle == 0 && (self.x.0..self.x.1).contains(&x) && (self.y.0..self.y.1).contains(&y)
    }
}
