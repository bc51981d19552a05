//! The inlines of a document, which are set within a line: text, marks, and inline objects. Hold no blocks: the text of
//! notes is in the document, and is referred to by number.

use super::{Frame, Length, NoteId, ResourceId, TextStyleId};
use crate::numerals::Format;
use std::borrow::Cow;

/// A part of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Inline {
    /// Text without line ends. `\t` is a tab, U+00AD a soft hyphen, U+00A0 a no-break space. Two texts are never
    /// adjacent.
    Text(String),
    /// Content with a mark, such as emphasis.
    Marked(Mark, Vec<Inline>),
    /// Content with a style, a language or a direction of its own.
    Span(TextStyleId, Vec<Inline>),
    /// Program code, in which every character is significant. Never contains line ends.
    Code(String),
    /// A link.
    Link(Box<Link>),
    /// A picture, in the line or in a frame of its own.
    Picture(Box<Picture>),
    /// A reference to a footnote or endnote. Never inside a note.
    Note(NoteId),
    /// A line break.
    LineBreak,
    /// A line end of the source, which means the same as a space.
    SoftBreak,
    /// A formula.
    Math(Box<Math>),
    /// A target of links to `#name`. Invisible.
    Bookmark(Box<str>),
    /// A field, whose text is known only after the layout.
    Field(Field),
    /// A word with its pronunciation above.
    Ruby(Box<Ruby>),
    /// An HTML tag or comment in a Markdown document. Occurs only if the writer's format can hold it.
    RawHtml(Box<str>),
}

/// A meaning of a piece of text. Marks may nest in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// Usually set in italics.
    Emphasis,
    /// Usually set in bold.
    Strong,
    /// Struck through: deleted, or no longer valid.
    Strikethrough,
    /// Underlined.
    Underline,
    /// Lower-case letters in the shape of small capitals.
    SmallCaps,
    /// Raised and smaller.
    Superscript,
    /// Lowered and smaller.
    Subscript,
    /// Highlighted, as by a reader with a marker.
    Highlight,
}

/// A link.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Link {
    /// The target: a URL as in the source, or `#name` for a place in this document.
    pub target: Box<str>,
    /// The tooltip. Empty if absent.
    pub title: Box<str>,
    /// The visible content.
    pub content: Vec<Inline>,
}

impl Link {
    /// The name of the target, if it is in this document.
    pub fn bookmark(&self) -> Option<&str> {
        self.target
            .strip_prefix('#')
            .filter(|name| !name.is_empty())
    }
}

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Source of the picture's bytes.
    pub source: PictureSource,
    /// The alternative text. Empty if absent.
    pub alternative: Box<str>,
    /// The tooltip. Empty if absent.
    pub title: Box<str>,
    /// The displayed width. If only one of width and height is given, the other follows from the picture's proportions;
    /// if neither is, the picture's pixels decide.
    pub width: Option<Length>,
    /// The displayed height; see `width`.
    pub height: Option<Length>,
    /// Frame of the picture, if it is not inline. The picture is centred in the frame, and may be larger than the
    /// frame.
    pub frame: Option<Box<Frame>>,
}

/// Source of a picture's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PictureSource {
    /// A resource of the document.
    Resource(ResourceId),
    /// An address outside the document. It is never fetched: a writer writes the address, or shows the alternative
    /// text and adds a note.
    Address(Box<str>),
}

/// A word with a smaller text above, such as its pronunciation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruby {
    /// The word.
    pub base: Box<str>,
    /// The text above.
    pub above: Box<str>,
}

impl Ruby {
    /// Returns the word, followed by the text above it in parentheses, for formats that cannot place text above a word.
    pub fn spelled(&self) -> String {
        format!("{}({})", self.base, self.above)
    }
}

/// A formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Math {
    /// The formula in TeX, without delimiters.
    pub tex: Box<str>,
    /// Whether the formula is on its own line, centred.
    pub display: bool,
}

/// A text that only the layout knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The number of the current page.
    Page,
    /// The number of pages in the document.
    Pages,
    /// The number of pages in the section.
    SectionPages,
    /// The number of the section, from 1.
    Section,
    /// The text of a paragraph that has a certain style.
    Styled(Box<StyleReference>),
    /// A number of one of the kinds above, in a format of its own instead of that of the section.
    Formatted(Box<Field>, Format),
}

impl Field {
    /// Returns the text that a file stores for the field. A program that opens the file replaces it.
    pub fn stored(&self) -> Cow<'_, str> {
        match self {
            Self::Page | Self::Pages | Self::SectionPages | Self::Section => "1".into(),
            Self::Styled(reference) => (&*reference.stored).into(),
            Self::Formatted(_, format) => format.write(1).into(),
        }
    }
}

/// Reference to the text of a paragraph with a certain style: a paragraph on the same page, or else the last such
/// paragraph before that page.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StyleReference {
    /// Name of the style, in lower case. Headings have `heading` and their level.
    pub name: Box<str>,
    /// Whether the reference shows the last such paragraph of the page, and not the first one.
    pub last: bool,
    /// Text of the field when the document was saved. It is used if no paragraph has the style.
    pub stored: Box<str>,
}
