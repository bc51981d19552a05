//! What stands in a line: text, marks on it, and what is set like a letter. Holds no blocks: a note's are kept by the
//! document, and are named by number.

use super::{Length, NoteId, ResourceId, TextStyleId};

/// A piece of a paragraph.
#[derive(Clone, Debug, PartialEq)]
pub enum Inline {
    /// Characters. Without line ends; `\t` is a tab, U+00AD a soft hyphen, U+00A0 a space that does not break. Two texts
    /// never stand side by side.
    Text(String),
    /// What a mark says about some content.
    Marked(Mark, Vec<Inline>),
    /// Content with a look, a language or a direction of its own.
    Span(TextStyleId, Vec<Inline>),
    /// Computer code, character by character. Never spans lines.
    Code(String),
    /// A link around some content.
    Link(Box<Link>),
    /// A picture, set like a letter.
    Picture(Box<Picture>),
    /// Where a footnote or endnote belongs. Never stands in a note.
    Note(NoteId),
    /// A line end that is meant.
    LineBreak,
    /// A line end of the source that means no more than a space.
    SoftBreak,
    /// A formula.
    Math(Box<Math>),
    /// The place that links to `#name` lead to. Takes no room.
    Bookmark(Box<str>),
    /// Text that only the layout knows.
    Field(Field),
    /// A piece of HTML as Markdown holds it, a tag or a comment. Only where the writer asked for such pieces.
    RawHtml(Box<str>),
}

/// What is said about a piece of text. Marks stand in one another in any order, none within itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// Usually set in italics.
    Emphasis,
    /// Usually set in bold.
    Strong,
    /// Struck out: deleted or no longer valid.
    Strikethrough,
    /// Underlined.
    Underline,
    /// Small letters in the shape of capitals.
    SmallCaps,
    /// Raised and smaller.
    Superscript,
    /// Lowered and smaller.
    Subscript,
    /// Marked with a pen, as by a reader.
    Highlight,
}

/// A link.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Link {
    /// Where to: a URL as the source has it, or `#name` for a place in this document.
    pub target: Box<str>,
    /// Shown when pointed at. Empty if there is none.
    pub title: Box<str>,
    /// What is shown.
    pub content: Vec<Inline>,
}

impl Link {
    /// The name of the place in this document that the link leads to.
    pub fn bookmark(&self) -> Option<&str> {
        self.target
            .strip_prefix('#')
            .filter(|name| !name.is_empty())
    }
}

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Where its bytes are.
    pub source: PictureSource,
    /// What it shows, in words. Empty if nobody said.
    pub alternative: Box<str>,
    /// Shown when pointed at. Empty if there is none.
    pub title: Box<str>,
    /// How wide it is shown. Without a width, the height decides; without both, the picture's own pixels do.
    pub width: Option<Length>,
    /// How high it is shown.
    pub height: Option<Length>,
}

/// Where the bytes of a picture are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PictureSource {
    /// In the document.
    Resource(ResourceId),
    /// Somewhere else. Never fetched: a writer keeps the address, or shows the alternative text and says so in its notes.
    Address(Box<str>),
}

/// A formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Math {
    /// In the language of TeX, without the signs around it.
    pub tex: Box<str>,
    /// Stands in a line of its own, in the middle.
    pub display: bool,
}

/// Text that only the layout knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The number of the page it stands on.
    Page,
    /// The number of pages.
    Pages,
}
