//! Frames: content at its own position on the page, with the text around it, above and below it, behind it or in front
//! of it. Computes no positions: the layout does so, and writers without pages put the content at the anchor of the
//! frame.
//!
//! A picture is in a frame if its [field](super::Picture::frame) has one. Text boxes, and paragraphs and tables with
//! their own position, are [groups of blocks](super::GroupKind::Frame).

use super::{Colour, Length, Picture, VerticalAlignment};

/// Position and size of content on a page, and the flow of text around it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Anchor with which the frame moves.
    pub anchor: Anchor,
    /// Horizontal position.
    pub horizontal: Position,
    /// Vertical position.
    pub vertical: Position,
    /// The width of the frame.
    pub width: Extent,
    /// The height of the frame.
    pub height: Extent,
    /// Flow of text around the frame.
    pub wrap: Wrap,
    /// Whether the frame is behind the text of the page.
    pub behind: bool,
    /// Stacking order: frames with higher numbers are in front.
    pub order: i64,
    /// Distances from the frame to the text around it.
    pub distances: Edges,
    /// Distances from the edges of the frame to its own text.
    pub insets: Edges,
    /// Vertical alignment of the frame's text, if the text is less high than the frame.
    pub text: VerticalAlignment,
    /// The colour of text in the frame that has no colour of its own.
    pub colour: Option<Colour>,
    /// Background of the frame's text. It decides whether text in the automatic colour is black or white. `None` if the
    /// frame has no background.
    pub ground: Option<Colour>,
    /// Whether the height follows from the text instead of `height`. The drawing behind the text is then stretched.
    pub fits: bool,
    /// Rotation of the text about [`pivot`](Self::pivot), clockwise in degrees.
    pub turn: f32,
    /// Point about which the text is rotated, from the upper left corner of the frame: the middle of the text's own
    /// shape, if the frame contains several. `None` for the middle of the frame.
    pub pivot: Option<(Length, Length)>,
    /// Whether lines are as long as the frame is high, as for text that is turned by 90 degrees.
    pub sideways: bool,
    /// Drawing behind the text of the frame. A drawing larger than the frame extends beyond opposite sides equally.
    pub backdrop: Option<Box<Picture>>,
    /// Whether the content of the frame is separate from the main text, as in a text box. Otherwise it is a part of
    /// the main text in another place.
    pub apart: bool,
}

/// Anchor of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Anchor {
    /// The paragraph that contains the picture. A group of blocks is anchored in the block before the group.
    #[default]
    Text,
    /// The block after the group of blocks.
    Next,
    /// The page with this number, from 1.
    Page(u32),
    /// Inline: the frame is set like a letter in the block before it.
    Letter,
}

/// Position of a frame in one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Position {
    /// Reference area.
    pub base: Base,
    /// Alignment or offset within the reference area.
    pub at: At,
}

/// Reference area of a position or a size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Base {
    /// The page.
    Page,
    /// The page without its margins.
    Margin,
    /// The margin at the left or at the top.
    StartMargin,
    /// The margin at the right or at the bottom.
    EndMargin,
    /// The column.
    Column,
    /// The paragraph: horizontally the width of its column, vertically the top of its first line.
    #[default]
    Paragraph,
    /// The line that the frame is anchored in.
    Line,
    /// The character that the frame is anchored to.
    Character,
}

/// Alignment or offset of a frame within its reference area. The start is the left or the upper edge of the area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum At {
    /// Offset from the start.
    Offset(Length),
    /// Offset from the start, as a share of the width or height of the area.
    Share(f32),
    /// Aligned with the start.
    Start,
    /// Centred.
    Middle,
    /// Aligned with the right or the lower edge.
    End,
    /// Aligned with the edge at which a book is bound.
    Inside,
    /// Aligned with the outer edge of a page in a book.
    Outside,
}

impl Default for At {
    fn default() -> Self {
        Self::Offset(Length::ZERO)
    }
}

/// The width or the height of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Extent {
    /// As large as the content of the frame.
    #[default]
    Content,
    /// As large as the content of the frame, but at least this length.
    AtLeast(Length),
    /// Exactly this length, even if the content needs more.
    Exactly(Length),
    /// A share of the width or the height of the reference area.
    Share(f32, Base),
}

/// Flow of text around a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wrap {
    /// No flow: the frame is in front of the text or behind it.
    #[default]
    None,
    /// Text above and below the frame only.
    TopAndBottom,
    /// Text above and below the frame, and on these sides of it.
    Around(Side),
}

/// The sides of a frame that text flows on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// Both sides.
    #[default]
    Both,
    /// The left side.
    Left,
    /// The right side.
    Right,
    /// The side with more space.
    Larger,
}

/// Lengths on the four sides of a rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edges {
    /// Length at the top.
    pub top: Length,
    /// Length at the right.
    pub right: Length,
    /// Length at the bottom.
    pub bottom: Length,
    /// Length at the left.
    pub left: Length,
}
