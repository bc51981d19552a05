//! GIF (GIF89a): the row in the table of formats.

mod blocks;
mod frames;
mod read;
mod write;
mod write_frames;

use crate::{
    pixels::Depth,
    row::Row,
    source::Reader,
    target::{Streams, Target},
};
use convertd_core::format::{Category, Format};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "gif",
        aliases: &[],
        category: Category::Image,
        description: "Graphics Interchange Format",
        media_type: "image/gif",
        magic: &[&[(0, b"GIF87a")], &[(0, b"GIF89a")]],
    },
    read: Some(Reader {
        open_moving: Some(frames::open),
        ..Reader::of(read::open)
    }),
    write: Some(Target {
        quality: write::QUALITY,
        accepts: |channels, _| (channels.coloured(), Depth::Eight),
        max_side: 65_535,
        streams: |_| Streams::Slowly,
        memory: write::memory,
        write_moving: Some(write_frames::write),
        ..Target::of(write::write)
    }),
};
