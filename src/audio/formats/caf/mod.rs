//! Core Audio files (Apple, "Core Audio Format Specification 1.0"): a description, a packet table, and the sound. They
//! are not written.

mod chunks;
mod read;

use crate::row::{Recognise, Row};
use convertd_core::format::{Category, Format};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "caf",
        aliases: &[],
        category: Category::Audio,
        description: "Core Audio Format",
        media_type: "audio/x-caf",
        magic: &[&[(0, b"caff\0\x01")]],
    },
    recognise: Recognise::Magic,
    open: read::open,
    extra_memory: Some(chunks::memory),
    write: None,
};
