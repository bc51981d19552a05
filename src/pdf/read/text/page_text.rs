//! Data types for the content of a page: letters, pictures, and rules. Recognises nothing.

use super::{drawn::Drawn, rules::Rules, styles::Style};
use convertd_tree::Region;
use std::ops::Range;

/// A letter, or several letters drawn as one glyph.
#[derive(Clone, Debug)]
pub(crate) struct Letter {
    /// Range of its characters in [`Letters::text`], in bytes.
    pub(crate) text: Range<u32>,
    /// Start and end along the writing direction, in points.
    pub(crate) x: (f32, f32),
    /// Baseline across the writing direction, in points, increasing downwards.
    pub(crate) y: f32,
    /// Font size in points.
    pub(crate) size: f32,
    /// Writing direction in degrees, clockwise from the right.
    pub(crate) angle: i16,
    pub(crate) style: Style,
    /// Index of the link on the page, if the letter is in a link.
    pub(crate) link: Option<u16>,
    /// Whether a space precedes the letter.
    pub(crate) spaced: bool,
    /// Whether the letter is an artifact, such as a page number.
    pub(crate) artifact: bool,
    /// Marked-content identifier, to which a structure tree may refer.
    pub(crate) mark: Option<u32>,
    /// Table or picture that this value stands for instead of a letter.
    pub(crate) object: Option<PageObject>,
}

/// A table or picture among lines, by its index on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PageObject {
    Table(u16),
    Figure(u16),
}

/// Text of a page.
#[derive(Debug, Default)]
pub(crate) struct Letters {
    /// Letters in drawing order.
    pub(crate) all: Vec<Letter>,
    /// Characters of all letters.
    pub(crate) text: String,
    /// Number of glyphs with unknown characters.
    pub(crate) unknown: usize,
    /// Number of Type 3 glyphs whose code was used as the character.
    pub(crate) guessed: usize,
    /// Number of readings (ruby) above ideographs that were left out.
    pub(crate) readings: usize,
    /// Whether the page has any picture.
    pub(crate) pictures: bool,
    /// Pictures, if they are needed.
    pub(crate) figures: Vec<Figure>,
    /// Straight lines, candidates for rules of tables.
    pub(crate) rules: Rules,
    /// Other vector drawings, if pictures are needed.
    pub(crate) drawn: Drawn,
}

impl Letters {
    /// Number of letters whose characters are unknown or guessed.
    #[cfg(feature = "ocr")]
    pub(crate) fn unread(&self) -> usize {
        let is_none = |c: &char| matches!(c, '\u{fffd}' | '\u{e000}'..='\u{f8ff}');
        self.guessed + self.text.chars().filter(is_none).count()
    }

    /// Characters of a letter.
    pub(crate) fn text(&self, letter: &Letter) -> &str {
        &self.text[letter.text.start as usize..letter.text.end as usize]
    }
}

/// A picture with its position on the upright page, in points.
#[derive(Debug, PartialEq)]
pub(crate) struct Figure {
    /// Left and right edge.
    pub(crate) x: (f32, f32),
    /// Top and bottom edge.
    pub(crate) y: (f32, f32),
    /// Number of the picture's file in [`Figures::files`](super::figures::Figures::files).
    pub(crate) file: usize,
    /// Whether so much text is on the picture that it counts as a background.
    pub(crate) is_background: bool,
    /// Marked-content identifier of the picture.
    pub(crate) mark: Option<u32>,
    /// Whether the picture covers most of the page.
    pub(super) fills_page: bool,
}

impl Figure {
    /// Width and height in points.
    pub(crate) fn size(&self) -> (f32, f32) {
        (self.x.1 - self.x.0, self.y.1 - self.y.0)
    }

    /// Position on a page with this number.
    pub(crate) fn region(&self, page: usize) -> Region {
        Region {
            page: page as u32,
            left: self.x.0,
            top: self.y.0,
            right: self.x.1,
            bottom: self.y.1,
            characters: 0,
        }
    }

    /// Returns whether the centre of an upright letter is on the picture. Letters in other directions do not count.
    pub(super) fn has(&self, letter: &Letter) -> bool {
        let (x, y) = (
            0.5 * (letter.x.0 + letter.x.1),
            letter.y - 0.3 * letter.size,
        );
        letter.angle == 0 && (self.x.0..self.x.1).contains(&x) && (self.y.0..self.y.1).contains(&y)
    }
}
