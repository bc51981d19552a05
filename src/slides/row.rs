//! Description of a presentation format.

use super::{deck::Deck, deck_material::Material, write::Page};
use crate::{
    error::Result,
    format::Format,
    job::{Input, Job, Notes, Output},
};
use convertd_tree::Document;

/// A presentation format. Each format defines its row in its `mod.rs`.
pub(crate) struct Row {
    /// Names, media type and magic bytes.
    pub(crate) format: Format,
    /// Recognises files without magic bytes. See [`Converter::recognise`](crate::job::Converter::recognise).
    pub(crate) recognise: fn(head: &[u8], input: &mut dyn Input, extension: Option<&str>) -> bool,
    /// Opens a file and reads the data that all slides share.
    pub(crate) open: Open,
    /// Writer. `None` for formats that can only be read.
    pub(crate) write: Option<Target>,
}

/// Writer of a format.
pub(crate) struct Target {
    /// Writes the slides that were laid out from a document.
    pub(crate) write: Write,
    /// Writes the slides of a deck with their places and formatting.
    pub(crate) keep: Keep,
    /// Copies a file of the same format. `None` for formats whose files are always rewritten.
    pub(crate) copy: Option<Copy>,
    /// Media types of pictures that the format can contain; other pictures are converted to PNG. `None` if it can
    /// contain all.
    pub(crate) pictures: Option<&'static [&'static str]>,
}

/// See [`Target::write`].
pub(crate) type Write = fn(&Job<'_>, &Document, &[Page], &mut dyn Output, &mut Notes) -> Result<()>;

/// See [`Target::copy`].
pub(crate) type Copy =
    fn(&Job<'_>, &mut dyn Input, &Material, &mut dyn Output, &mut Notes) -> Result<()>;

/// See [`Target::keep`].
pub(crate) type Keep =
    fn(&Job<'_>, &mut dyn Deck, &Material, &mut dyn Output, &mut Notes) -> Result<()>;

/// See [`Row::open`].
pub(crate) type Open = for<'a> fn(&'a Job<'a>, &'a mut dyn Input) -> Result<Box<dyn Deck + 'a>>;
