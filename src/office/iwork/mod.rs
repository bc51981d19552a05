//! Reads what the documents of Apple's Numbers, Pages and Keynote have had in common since 2013. Reads no page, slide
//! or sheet.
//!
//! A document is a set of objects (see [`Objects`](crate::containers::iwa::Objects)), which refer to one another by
//! number. [`Table`] reads the cells of a table. [`Text`] divides a text into pieces, and [`Styles`] resolves their
//! formatting. [`Drawn`] is the kind of an object on a page, and [`Media`] finds its picture. Numbers of fields and
//! kinds are those that the projects `numbers-parser`, `keynote-parser` and `libetonyek` found.

mod cell;
#[cfg(feature = "document")]
mod drawn;
#[cfg(feature = "document")]
mod faces;
#[cfg(feature = "document")]
mod inheritance;
#[cfg(feature = "document")]
mod media;
mod spans;
#[cfg(feature = "document")]
mod styles;
mod table;
#[cfg(feature = "document")]
mod text;

#[cfg(feature = "document")]
pub use drawn::{Drawn, Image, Shape, geometry, members};
#[cfg(feature = "document")]
pub use inheritance::{Ancestor, ancestors, stated_fill};
#[cfg(feature = "document")]
pub use media::Media;
pub use spans::Spans;
#[cfg(feature = "document")]
pub use styles::{Styled, Styles, colour};
pub use table::{ERROR, Region, Table, Value};
#[cfg(feature = "document")]
pub use text::{Piece, Text, has_words};

/// Numbers of the kinds of objects. Several kinds in one constant are read in the same way.
pub mod kind {
    /// A text with its styles.
    pub const STORAGES: &[u64] = &[2001, 2005];
    /// A drawable in a text.
    pub const ATTACHMENT: u64 = 2003;
    /// A reference to a footnote.
    pub const FOOTNOTE: u64 = 2008;
    /// A shape with a text.
    pub const SHAPE: u64 = 2011;
    /// A comment.
    pub const COMMENT: u64 = 2014;
    /// An address that a text links to.
    pub const LINK: u64 = 2032;
    /// A number that depends on the layout, such as the page number.
    pub const NUMBERS: &[u64] = &[2004, 2007, 2009, 2043];
    /// A style of characters.
    pub const CHARACTERS: u64 = 2021;
    /// A style of paragraphs.
    pub const PARAGRAPHS: u64 = 2022;
    /// A style of lists.
    pub const LIST: u64 = 2023;
    /// A style of shapes with text.
    pub(super) const TEXT_SHAPE_STYLE: u64 = 2025;
    /// Styles of shapes with text, and of shapes without text.
    pub const SHAPE_STYLES: &[u64] = &[TEXT_SHAPE_STYLE, 3015];
    /// A table of contents in a text.
    pub const CONTENTS: &[u64] = &[2240, 2241];
    /// A shape without a text.
    pub const BARE_SHAPE: u64 = 3004;
    /// A picture.
    pub const IMAGE: u64 = 3005;
    /// The visible part of a picture.
    pub const MASK: u64 = 3006;
    /// A film or sound.
    pub const MOVIE: u64 = 3007;
    /// A group of drawables.
    pub const GROUP: u64 = 3008;
    /// A line between drawables.
    pub const CONNECTION: u64 = 3009;
    /// A chart.
    pub const CHARTS: &[u64] = &[5000, 5004, 5021];
    /// A table as a drawable.
    pub const TABLE_INFO: u64 = 6000;
    /// A table as a drawable in a text.
    pub const TABLE_IN_TEXT: u64 = 6007;
    /// A table.
    pub const TABLE: u64 = 6001;
    /// Rows of a table.
    pub(super) const TILE: u64 = 6002;
    /// Headers of rows or columns of a table.
    pub(super) const HEADERS: u64 = 6006;
    /// A list of texts, formats or formulas of a table.
    pub(super) const LISTS: &[u64] = &[6005, 6201];
    /// A segment of a long list of texts, formats or formulas.
    pub(super) const SEGMENT: u64 = 6011;
    /// Merged cells of a table.
    pub(super) const MERGED: u64 = 6144;
    /// A text in a cell, with formatting.
    pub(super) const RICH_TEXT: u64 = 6218;
    /// The list of files.
    #[cfg(feature = "document")]
    pub(super) const PACKAGE: u64 = 11_006;
}
