//! PNG and APNG (W3C PNG, third edition): their rows in the table of formats. Files with an animation may have either
//! name. A file is recognised as APNG if its animation control chunk (acTL) directly follows its header, where most
//! encoders write it.

mod chunks;
mod colour;
mod filter;
mod frames;
mod hidden;
mod lines;
mod metadata;
pub(crate) mod read;
mod unfilter;
mod write;
mod write_frames;

#[cfg(feature = "document")]
pub(crate) use filter::Filters;

use crate::{
    metadata::MAX,
    row::Row,
    source::Reader,
    target::{Palettes, Streams, Target},
};
use convertd_core::format::{Category, Format};

/// The reader of both formats.
const READER: Reader = Reader {
    open_moving: Some(frames::open),
    metadata: Some(metadata::find),
    ..Reader::of(read::open)
};

/// The common part of both writers.
const TARGET: Target = Target {
    quality: write::QUALITY,
    streams: |_| Streams::Slowly,
    carries_icc: true,
    carries_hdr: true,
    memory: write::memory,
    ..Target::of(write::write)
};

pub(crate) static APNG: Row = Row {
    format: Format {
        name: "apng",
        aliases: &[],
        category: Category::Image,
        description: "Animated PNG",
        media_type: "image/apng",
        magic: &[&[(0, b"\x89PNG\r\n\x1a\n"), (37, b"acTL")]],
    },
    read: Some(READER),
    // Palettes and metadata would come before the animation control chunk, by which the format is recognised, so they
    // are not written.
    write: Some(Target {
        write: write::write_animated,
        write_moving: Some(write_frames::write),
        ..TARGET
    }),
};

pub(crate) static PNG: Row = Row {
    format: Format {
        name: "png",
        aliases: &[],
        category: Category::Image,
        description: "Portable Network Graphics",
        media_type: "image/png",
        magic: &[&[(0, b"\x89PNG\r\n\x1a\n")]],
    },
    read: Some(READER),
    write: Some(Target {
        palettes: Palettes::Any,
        keeps_metadata: MAX,
        ..TARGET
    }),
};
