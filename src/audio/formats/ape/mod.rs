//! Monkey's Audio, versions 3.95 (2000) and later: lossless frames of some seconds, and a table of their positions. It
//! is read, not written.

mod header;
mod read;

use crate::row::{Recognise, Row};
use convertd_core::format::{Category, Format};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "ape",
        aliases: &[],
        category: Category::Audio,
        description: "Monkey's Audio",
        media_type: "audio/x-ape",
        magic: &[&[(0, b"MAC ")]],
    },
    // Some programs put an ID3 tag before the signature.
    recognise: Recognise::Content(|_, probe| probe.head.starts_with(b"MAC ")),
    open: read::open,
    extra_memory: Some(read::memory),
    write: None,
};
