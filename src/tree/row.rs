//! The description of a document format. Reads and writes nothing.

use crate::document::Document;
use crate::{
    error::Result,
    format::Format,
    job::{Input, Job, Notes, OptionSpec, Output},
};

/// A document format: a row of facts, in the `mod.rs` of its folder.
pub struct Row {
    /// The names, the media type and the magic bytes of the format.
    pub format: Format,
    /// Decides whether a file without magic bytes is of this format. See
    /// [`Converter::recognise`](crate::job::Converter::recognise).
    pub recognise: Option<Recognise>,
    /// Whether programs show the pictures in such a file turned as the pictures' own metadata demand, as browsers do.
    /// Office programs show them as they are stored, unless the document states otherwise.
    pub turns_pictures: bool,
    /// Reads a file into a tree; `None` if the format is only written.
    pub read: Option<Read>,
    /// Writer of the format; `None` if it is only read.
    pub write: Option<Target>,
}

/// See [`Row::recognise`].
pub(crate) type Recognise = fn(head: &[u8], input: &mut dyn Input, extension: Option<&str>) -> bool;

/// See [`Row::read`].
pub type Read = fn(&Job<'_>, &mut dyn Input, &mut Notes) -> Result<Document>;

/// A format's writer.
pub struct Target {
    /// Writes a tree to a file.
    pub write: fn(&Job<'_>, &Document, &mut dyn Output, &mut Notes) -> Result<()>,
    /// Meaning of the tiers `low`, `medium` and `high`, as users read it.
    pub quality: &'static str,
    /// The optional fields that the writer understands.
    pub options: &'static [&'static OptionSpec],
    /// Whether the writer shows text boxes at their positions, or notes their loss itself.
    pub frames: bool,
    /// Whether the format contains pictures as files. These are scaled down at lower quality levels.
    pub resamples: bool,
    /// The media types of the pictures that the format can hold; other pictures are replaced by a PNG. `None` if it
    /// can hold all.
    pub pictures: Option<&'static [&'static str]>,
    /// Whether the format can hold raw HTML. For other formats, HTML in a Markdown document is converted to parts of
    /// the tree, as far as possible.
    pub keeps_html: bool,
    /// Whether a file must have a title. If the document has none, its first heading or the name of its file becomes
    /// the title.
    pub titled: bool,
}
