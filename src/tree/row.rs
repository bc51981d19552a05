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
    /// Whether programs for this format rotate a picture by the orientation in the picture's own metadata, as browsers
    /// do. Office programs show pictures as they are stored, unless the document states otherwise.
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
    /// Whether the writer shows text boxes at their positions, or itself notes that it does not. If `false`, the caller
    /// adds a note about text boxes.
    pub frames: bool,
    /// Whether the format embeds pictures as files, whose resolution is reduced beforehand at lower quality levels.
    pub resamples: bool,
    /// The media types of the pictures that the format can hold; other pictures are converted beforehand, usually to
    /// PNG. `None` if the format can hold pictures of all types.
    pub pictures: Option<&'static [&'static str]>,
    /// Whether the format can hold raw HTML. For other formats, HTML in a Markdown document is converted to parts of
    /// the tree, as far as possible.
    pub keeps_html: bool,
    /// Whether a file must have a title. If the document has none, its first heading becomes the title, or else the
    /// name of its file.
    pub titled: bool,
}
