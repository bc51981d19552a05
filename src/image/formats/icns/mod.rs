//! Apple icons: the row in the table of formats. Converts the largest picture, unless another one is requested.
//!
//! A file is a list of entries, each with a four-letter code for its kind and size, and a length. There is no
//! specification by Apple; the kinds are those that `iconutil` of macOS 14 and libicns 0.8 write and read.

mod entries;
mod read;
mod write;

use crate::{
    pixels::{Channels, Depth},
    row::Row,
    source::Reader,
    target::{Streams, Target},
};
use convertd_core::format::{Category, Format};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "icns",
        aliases: &[],
        category: Category::Image,
        description: "Apple icon",
        media_type: "image/icns",
        magic: &[&[(0, b"icns")]],
    },
    read: Some(Reader {
        pages: Some(entries::find),
        ..Reader::of(read::open)
    }),
    write: Some(Target {
        quality: write::QUALITY,
        accepts: |_, _| (Channels::Rgba, Depth::Eight),
        scales_to: Some(write::LARGEST),
        streams: |_| Streams::No,
        memory: |layout, _, _| 5 * layout.bytes() + (4 << 20),
        ..Target::of(write::write)
    }),
};
