//! Sun and NeXT audio files (`.au`, `.snd`): a header of 24 bytes, a text, and the samples. They hold no tags except
//! that text.

mod read;
mod write;

use crate::{
    row::{Recognise, Row, Writer},
    sink::Plan,
};
use convertd_core::format::{Category, Format};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "au",
        aliases: &["snd"],
        category: Category::Audio,
        description: "Sun and NeXT audio, uncompressed",
        media_type: "audio/basic",
        magic: &[&[(0, b".snd\0\0")]],
    },
    recognise: Recognise::Magic,
    open: read::open,
    extra_memory: None,
    write: Some(Writer {
        quality: "no effect: samples, bit depth and sample rate are kept; lossy sources become 16 bits",
        is_lossy: false,
        has_bit_rate: false,
        has_chapters: false,
        plan: |source| Ok(Plan::uncompressed(source)),
        left_out: Some(write::left_out),
        create: write::create,
    }),
};
