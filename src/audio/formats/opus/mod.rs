//! Opus in Ogg (RFC 7845). Opus in other containers belongs to their formats.

mod write;

use crate::{
    row::{Recognise, Row, Writer},
    sources::ogg::{self, Codec},
};
use convertd_core::format::{Category, Format};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "opus",
        aliases: &[],
        category: Category::Audio,
        description: "Ogg Opus",
        media_type: "audio/ogg; codecs=opus",
        magic: &[&[(0, b"OggS"), (28, b"OpusHead")]],
    },
    recognise: Recognise::Content(|_, probe| ogg::codec(probe) == Some(Codec::Opus)),
    open: ogg::open,
    extra_memory: None,
    write: Some(Writer {
        quality: "bit rate: 64, 96 and 160 kbit/s for stereo, 0.6 times as much for mono",
        is_lossy: true,
        has_bit_rate: true,
        has_chapters: true,
        plan: write::plan,
        left_out: Some(write::left_out),
        create: write::create,
    }),
};
