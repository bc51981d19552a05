//! JPEG XL (ISO/IEC 18181): the row in the table of formats. It is read by jxl-oxide, and written by jixel.

mod frames;
mod header;
mod metadata;
mod original;
mod pack;
mod parse;
mod read;
mod write;
mod write_frames;

use crate::{
    limits,
    metadata::MAX,
    row::Row,
    source::Reader,
    target::{Streams, Target, Tuning},
};
use convertd_core::format::{Category, Format};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "jxl",
        aliases: &[],
        category: Category::Image,
        description: "JPEG XL",
        media_type: "image/jxl",
        magic: &[&[(0, b"\xff\x0a")], &[(0, b"\0\0\0\x0cJXL \r\n\x87\n")]],
    },
    read: Some(Reader {
        metadata: Some(metadata::find),
        open_moving: Some(frames::open),
        ..Reader::of(read::open)
    }),
    write: Some(Target {
        quality: write::QUALITY,
        tuning: Tuning::ScaleOrLossless,
        accepts: write::accepts,
        max_side: limits::MAX_SIDE,
        streams: |_| Streams::No,
        carries_icc: true,
        carries_hdr: true,
        keeps_metadata: MAX,
        packs: Some(&pack::JPEGS),
        memory: write::memory,
        memory_for_less: write::memory_for_less,
        write_moving: Some(write_frames::write),
        ..Target::of(write::write)
    }),
};
