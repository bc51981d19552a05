//! What a format of documents says about itself. Reads and writes nothing.

use super::tree::Document;
use crate::{
    error::Result,
    format::Format,
    job::{Input, Job, Notes, OptionSpec, Output},
};

/// A format of documents: one row of facts, in the `mod.rs` of its folder.
pub(crate) struct Row {
    /// Its names and its signature.
    pub(crate) format: Format,
    /// Whether content without a signature is of this format. See [`Converter::recognise`](crate::job::Converter::recognise).
    pub(crate) recognise: Option<Recognise>,
    /// Makes a tree of a file.
    pub(crate) read: Option<Read>,
    /// Makes a file of a tree.
    pub(crate) write: Option<Target>,
}

/// See [`Row::recognise`].
pub(crate) type Recognise = fn(head: &[u8], input: &mut dyn Input, extension: Option<&str>) -> bool;

/// See [`Row::read`].
pub(crate) type Read = fn(&Job<'_>, &mut dyn Input, &mut Notes) -> Result<Document>;

/// How a format is written.
pub(crate) struct Target {
    /// Makes a file of a tree.
    pub(crate) write: fn(&Job<'_>, &Document, &mut dyn Output, &mut Notes) -> Result<()>,
    /// What `low`, `medium` and `high` mean, for people.
    pub(crate) quality: &'static str,
    /// The optional fields that it understands.
    pub(crate) options: &'static [&'static OptionSpec],
    /// It holds pictures as files, which get fewer pixels where the quality asks for it. See [`super::resample`].
    pub(crate) resamples: bool,
    /// It can hold pieces of HTML as they are. For all others they become parts of the tree, as far as that can hold them.
    pub(crate) keeps_html: bool,
}
