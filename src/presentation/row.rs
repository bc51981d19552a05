//! The description of a presentation format. Reads nothing.

use super::deck::Deck;
use crate::{
    error::Result,
    format::Format,
    job::{Input, Job},
};

/// A presentation format: a row of facts, in the `mod.rs` of its folder.
pub(crate) struct Row {
    /// Its names, media type and magic bytes.
    pub(crate) format: Format,
    /// Whether a file without magic bytes is of this format. See [`Converter::recognise`](crate::job::Converter::recognise).
    pub(crate) recognise: fn(head: &[u8], input: &mut dyn Input, extension: Option<&str>) -> bool,
    /// Opens a file, and reads what concerns all of its slides.
    pub(crate) open: Open,
}

/// See [`Row::open`].
pub(crate) type Open = for<'a> fn(&'a Job<'a>, &'a mut dyn Input) -> Result<Box<dyn Deck + 'a>>;
