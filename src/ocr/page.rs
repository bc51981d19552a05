//! Pages as input, and the text that is found on them. All coordinates are pixels of the input page, before it is
//! turned and straightened; x goes to the right, y downwards.

/// A page of 8-bit grey pixels, row by row from the top left; 0 is black.
#[derive(Clone, Copy)]
pub struct Page<'a> {
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// `width × height` samples.
    pub grey: &'a [u8],
}

/// A rectangle in pixels of the page. `right` and `bottom` are the first column and row outside of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// Left edge.
    pub left: f32,
    /// Upper edge.
    pub top: f32,
    /// Right edge, exclusive.
    pub right: f32,
    /// Lower edge, exclusive.
    pub bottom: f32,
}

impl Rect {
    /// The smallest rectangle around this rectangle and `other`.
    pub fn with(&self, other: &Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }
}

/// The line on which letters stand, from the left end of a line of text to its right end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Baseline {
    /// Start of the line, (x, y).
    pub from: (f32, f32),
    /// End of the line, (x, y).
    pub to: (f32, f32),
}

/// A word without the spaces around it.
#[derive(Clone, Debug, PartialEq)]
pub struct Word {
    /// Characters in reading order, never empty.
    pub text: String,
    /// The smallest rectangle around the word's ink, or the word's part of the line if it has no ink of its own.
    pub bounds: Rect,
    /// Confidence in per cent, 0 to 100, as Tesseract counts it.
    pub confidence: f32,
}

/// A line of text of one column.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Words in reading order, at least one.
    pub words: Vec<Word>,
    /// The smallest rectangle around the line's ink.
    pub bounds: Rect,
    /// Baseline of the letters.
    pub baseline: Baseline,
    /// Distance from the baseline to the top of ascenders and capitals, in pixels.
    pub ascent: f32,
    /// Index of the block (a column's paragraph-like group of lines) that the line belongs to; blocks are numbered in
    /// reading order.
    pub block: usize,
    /// Whether the line is read from right to left.
    pub right_to_left: bool,
}

/// A quarter turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Turn {
    /// The page is upright.
    #[default]
    Upright,
    /// The page must be turned clockwise by 90° to be upright.
    Clockwise,
    /// The page must be turned by 180° to be upright.
    UpsideDown,
    /// The page must be turned counter-clockwise by 90° to be upright.
    CounterClockwise,
}

/// Everything that is found on a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Text {
    /// Lines in reading order.
    pub lines: Vec<Line>,
    /// Turn that makes the page upright.
    pub turn: Turn,
    /// Angle in degrees by which the upright page must be turned clockwise to be straight, −5 to 5.
    pub skew: f32,
    /// Horizontal and vertical ruling lines, as in tables and forms.
    pub rules: Vec<Rect>,
    /// Photographs and other areas that are not text.
    pub pictures: Vec<Rect>,
}

impl Text {
    /// Mean confidence of all words in per cent, each weighted by its number of characters; `None` without words.
    pub fn confidence(&self) -> Option<f32> {
        let mut sum = 0.0;
        let mut characters = 0.0;
        for word in self.lines.iter().flat_map(|line| &line.words) {
            let weight = word.text.chars().count() as f32;
            sum += weight * word.confidence;
            characters += weight;
        }
        (characters > 0.0).then(|| sum / characters)
    }
}
