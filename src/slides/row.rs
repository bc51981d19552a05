//! The description of a presentation format. Reads and writes nothing.

use super::{deck::Deck, write::Page};
use crate::{
    error::Result,
    format::Format,
    job::{Input, Job, Notes, Output},
};
use convertd_tree::Document;

/// A presentation format: a row of facts, in the `mod.rs` of its folder.
pub(crate) struct Row {
    /// Its names, media type and magic bytes.
    pub(crate) format: Format,
    /// Whether a file without magic bytes is of this format. See [`Converter::recognise`](crate::job::Converter::recognise).
    pub(crate) recognise: fn(head: &[u8], input: &mut dyn Input, extension: Option<&str>) -> bool,
    /// Opens a file, and reads what concerns all of its slides.
    pub(crate) open: Open,
    /// Writer of the format; `None` if it is only read.
    pub(crate) write: Option<Target>,
}

/// A format's writer.
pub(crate) struct Target {
    /// Writes slides, which were made of a document.
    pub(crate) write: Write,
    /// The media types of the pictures that the format can hold, if others have to be replaced by a PNG.
    pub(crate) pictures: Option<&'static [&'static str]>,
}

/// See [`Target::write`].
pub(crate) type Write = fn(&Job<'_>, &Document, &[Page], &mut dyn Output, &mut Notes) -> Result<()>;

/// See [`Row::open`].
pub(crate) type Open = for<'a> fn(&'a Job<'a>, &'a mut dyn Input) -> Result<Box<dyn Deck + 'a>>;
