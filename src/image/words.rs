//! Words with their positions, from the text that a file stores beside its picture. Types only; the formats read them.

use convertd_core::job::Lease;

/// The text of a picture.
pub struct OwnText<'j> {
    /// Width and height of the picture in pixels.
    pub size: (u32, u32),
    /// Lines in the order in which they are read.
    pub lines: Vec<Line>,
    /// Reservation of the memory of the text.
    pub lease: Lease<'j>,
}

/// A line of words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// Words in the order in which they are read, at least one.
    pub words: Vec<Word>,
    /// The number of the paragraph that the line belongs to.
    pub block: usize,
}

/// A word.
#[derive(Clone, Debug, PartialEq)]
pub struct Word {
    /// Letters of the word, at least one.
    pub text: String,
    /// Left, upper, right and lower edge in pixels, counted from the top left corner. The left edge is less than the
    /// right edge, and the upper edge is less than the lower edge.
    pub bounds: [i32; 4],
}
