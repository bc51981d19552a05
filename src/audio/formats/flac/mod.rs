//! FLAC files (RFC 9639): metadata blocks, then frames without a container. FLAC in Ogg, Matroska and MP4 belongs to
//! those formats, and is never written.

mod frames;
mod read;
mod write;

use crate::row::{Recognise, Row, Writer};
use convertd_core::format::{Category, Format};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "flac",
        aliases: &[],
        category: Category::Audio,
        description: "Free Lossless Audio Codec",
        media_type: "audio/flac",
        magic: &[&[(0, b"fLaC")]],
    },
    // Some programs put an ID3 tag before the signature.
    recognise: Recognise::Content(|_, probe| probe.head.starts_with(b"fLaC")),
    open: read::open,
    extra_memory: None,
    write: Some(Writer {
        quality: "compression effort: quick, normal and thorough; the sound is the same at every level",
        is_lossy: false,
        has_bit_rate: false,
        has_chapters: true,
        plan: write::plan,
        left_out: None,
        create: write::create,
    }),
};
