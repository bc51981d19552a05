//! OpenEXR: the row in the table of formats. Its colours are always multiplied by alpha ("Technical Introduction to
//! OpenEXR", section about alpha).

mod choice;
mod luma;
mod planes;
mod read;
mod sampling;

use crate::{
    adapter::write,
    associated,
    pixels::{Depth, alpha},
    row::Row,
    source::Reader,
    target::{Streams, Target},
};
use convertd_core::format::{Category, Format};
use image::codecs::openexr::OpenExrEncoder;

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "exr",
        aliases: &[],
        category: Category::Image,
        description: "OpenEXR high dynamic range",
        media_type: "image/x-exr",
        magic: &[&[(0, b"\x76\x2f\x31\x01")]],
    },
    read: Some(Reader::of(|job, input| {
        read::open(job, input).map(associated::straight)
    })),
    write: Some(Target {
        accepts: |channels, _| (channels.coloured(), Depth::Float),
        streams: |_| Streams::No,
        memory: |layout, _, _| 3 * layout.bytes(),
        ..Target::of(|_, rows, _, output, _| {
            write::encode(alpha::associated(rows), OpenExrEncoder::new(output))
        })
    }),
};
