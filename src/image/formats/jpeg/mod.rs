//! JPEG (ITU-T T.81, JFIF 1.02): the row in the table of formats.

mod additional_data;
#[cfg(feature = "document")]
pub(crate) mod as_is;
mod dct;
pub(crate) mod decode;
pub(crate) mod markers;
mod metadata;
pub(crate) mod read;
pub(crate) mod stream;
pub(crate) mod write;
pub(crate) mod zigzag;

use crate::{
    pixels::Depth,
    row::Row,
    source::Reader,
    target::{Streams, Target, Tuning},
};
use convertd_core::format::{Category, Format};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "jpg",
        aliases: &["jpeg", "jpe", "jfif"],
        category: Category::Image,
        description: "JPEG photograph",
        media_type: "image/jpeg",
        magic: &[&[(0, b"\xff\xd8\xff")]],
    },
    read: Some(Reader {
        recognise: Some(|head, _, _| markers::begins(head)),
        metadata: Some(metadata::find),
        ..Reader::of(read::open)
    }),
    write: Some(Target {
        quality: write::QUALITY,
        tuning: Tuning::Scale,
        accepts: |channels, _| (channels.without_alpha(), Depth::Eight),
        // The format allows 65,535, but libjpeg, with which most programs read JPEG, refuses more than 65,500.
        max_side: 65_500,
        streams: |quality| quality.pick(Streams::Quickly, Streams::Quickly, Streams::Slowly),
        carries_icc: true,
        keeps_metadata: write::MAX_METADATA,
        without_metadata: Some(metadata::without),
        memory: write::memory,
        memory_for_less: write::memory_for_less,
        ..Target::of(write::write)
    }),
};
