//! WavPack, versions 4 and 5: independent blocks of some tenths of a second, with one or two channels each. It is read,
//! not written.

mod blocks;
mod read;

use crate::{
    codecs::wavpack::MAGIC,
    row::{Recognise, Row},
};
use convertd_core::format::{Category, Format};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "wv",
        aliases: &["wavpack"],
        category: Category::Audio,
        description: "WavPack",
        media_type: "audio/x-wavpack",
        magic: &[&[(0, MAGIC)]],
    },
    // Some programs put an ID3 tag before the first block.
    recognise: Recognise::Content(|_, probe| probe.head.starts_with(MAGIC)),
    open: read::open,
    extra_memory: Some(read::memory),
    write: None,
};
