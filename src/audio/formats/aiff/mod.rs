//! AIFF and AIFF-C (Apple, "Audio Interchange File Format", 1989 and 1991): an IFF file with a chunk that describes the
//! samples and a chunk that holds them, most significant byte first. AIFF-C adds compression types. AIFF-C is written
//! only for floating-point samples.

mod layout;
mod read;
mod write;

use crate::{
    row::{Recognise, Row, Writer},
    sink::Plan,
};
use convertd_core::format::{Category, Format};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "aiff",
        aliases: &["aif", "aifc"],
        category: Category::Audio,
        description: "Audio Interchange File Format, uncompressed",
        media_type: "audio/aiff",
        magic: &[&[(0, b"FORM"), (8, b"AIFF")], &[(0, b"FORM"), (8, b"AIFC")]],
    },
    recognise: Recognise::Magic,
    open: read::open,
    extra_memory: None,
    write: Some(Writer {
        quality: "no effect: samples, bit depth and sample rate are kept; lossy sources become 16 bits",
        is_lossy: false,
        has_bit_rate: false,
        has_chapters: true,
        plan: |source| Ok(Plan::uncompressed(source)),
        left_out: None,
        create: write::create,
    }),
};
