//! Radiance RGBE (Greg Ward, "Real Pixels"): the row in the table of formats.

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
        name: "hdr",
        aliases: &["rgbe"],
        category: Category::Image,
        description: "Radiance high dynamic range",
        media_type: "image/vnd.radiance",
        magic: &[&[(0, b"#?RADIANCE")], &[(0, b"#?RGBE")]],
    },
    read: Some(Reader::of(read::open)),
    write: Some(Target {
        accepts: |_, _| (Channels::Rgb, Depth::Float),
        max_side: 65_535,
        streams: |_| Streams::No,
        memory: |layout, _, _| 2 * layout.bytes(),
        ..Target::of(write::write)
    }),
};
