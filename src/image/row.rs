//! What a picture format says about itself: one row a format, from which everything that asks for formats by name is
//! derived. Knows no format.

use super::{source::Reader, target::Target};
use crate::format::Format;

/// A format of pictures.
pub(crate) struct Row {
    /// Its names, media type and magic bytes.
    pub(crate) format: Format,
    /// How it is read, if it is.
    pub(crate) read: Option<Reader>,
    /// How it is written, if it is.
    pub(crate) write: Option<Target>,
}
