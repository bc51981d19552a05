//! Lines and marks at letters: kinds of underlines, and emphasis marks. Draws nothing.

use super::Colour;

/// Lines of an underline. The default is a single solid line in the colour of the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Underline {
    /// The shape of the line.
    pub stroke: Stroke,
    /// Whether the line is thicker than the default.
    pub thick: bool,
    /// Whether the underline consists of two lines.
    pub double: bool,
    /// Whether only words have a line, and not the spaces between them.
    pub words: bool,
    /// The colour; `None` for that of the text.
    pub colour: Option<Colour>,
}

/// Shape of an underline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stroke {
    /// A line without gaps.
    #[default]
    Solid,
    /// Dots.
    Dotted,
    /// Dashes.
    Dashed,
    /// Long dashes.
    LongDashed,
    /// A dash and a dot in turn.
    DotDashed,
    /// A dash and two dots in turn.
    DotDotDashed,
    /// A wave.
    Wavy,
}

/// Mark at each letter, by which East Asian text emphasises words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EmphasisMark {
    /// The shape of the mark.
    pub shape: EmphasisShape,
    /// Whether the mark is below the letter. Otherwise it is above.
    pub below: bool,
}

/// Shape of an emphasis mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EmphasisShape {
    /// A small filled circle.
    Dot,
    /// A filled circle.
    Disc,
    /// An open circle.
    Circle,
    /// A sesame seed, like a comma.
    Comma,
}
