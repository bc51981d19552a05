//! WebP (RFC 9649): the row of the format. Without the feature `libwebp` it is read by the `image` crate, and written
//! without loss only.

mod fallback;
mod frames;
#[cfg(feature = "libwebp")]
mod libwebp;
mod metadata;
#[cfg(feature = "libwebp")]
mod read;
mod vp8x;
mod write;
#[cfg(feature = "libwebp")]
mod write_frames;

use crate::{
    metadata::MAX,
    pixels::Depth,
    row::Row,
    source::Reader,
    target::{Streams, Target, Tuning},
};
use convertd_core::format::{Category, Format};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "webp",
        aliases: &[],
        category: Category::Image,
        description: "WebP picture",
        media_type: "image/webp",
        magic: &[&[(0, b"RIFF"), (8, b"WEBP")]],
    },
    read: Some(Reader {
        open_moving: Some(frames::open),
        metadata: Some(metadata::find),
        #[cfg(feature = "libwebp")]
        open: read::open,
        ..Reader::of(fallback::open)
    }),
    write: Some(Target {
        quality: write::QUALITY,
        tuning: if cfg!(feature = "libwebp") {
            Tuning::ScaleOrLossless
        } else {
            Tuning::None
        },
        accepts: |channels, _| (channels.coloured(), Depth::Eight),
        max_side: 16_383,
        streams: |_| Streams::No,
        carries_icc: true,
        keeps_metadata: MAX,
        memory: write::memory,
        #[cfg(feature = "libwebp")]
        write_moving: Some(write_frames::write),
        ..Target::of(write::write)
    }),
};
