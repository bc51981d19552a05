//! Windows icons: the row of the format. Their decoder takes the largest picture, unless it is shown but one.

mod pages;
mod write;

use crate::{
    format::{Category, Format},
    image::{
        adapter::read::{self as adapter, Codec},
        limits,
        pixels::{Channels, Depth},
        row::Row,
        source::Reader,
        target::{Streams, Target},
    },
};
use image::codecs::ico::IcoDecoder;

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "ico",
        aliases: &[],
        category: Category::Image,
        description: "Windows icon",
        media_type: "image/vnd.microsoft.icon",
        magic: &[&[(0, b"\0\0\x01\0"), (5, b"\0")]],
    },
    read: Some(Reader {
        pages: Some(pages::find),
        ..Reader::of(|job, input| adapter::open(job, input, &CODEC))
    }),
    write: Some(Target {
        quality: write::QUALITY,
        accepts: |_, _| (Channels::Rgba, Depth::Eight),
        scales_to: Some(write::LARGEST),
        streams: |_| Streams::No,
        memory: |layout, _, _| 4 * layout.bytes() + (4 << 20),
        ..Target::of(write::write)
    }),
};

static CODEC: Codec = Codec {
    open: |input| Ok(Box::new(IcoDecoder::new(input)?)),
    memory: adapter::output_and_copy,
    density: Some(limits::PIXELS_PER_BYTE),
    lossless: true,
};
