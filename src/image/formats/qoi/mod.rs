//! QOI (The Quite OK Image Format, 1.0): the row in the table of formats.

use crate::{
    adapter::{
        read::{self, Codec},
        write,
    },
    limits,
    pixels::Depth,
    row::Row,
    source::Reader,
    target::{Streams, Target},
};
use convertd_core::format::{Category, Format};
use image::codecs::qoi::{QoiDecoder, QoiEncoder};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "qoi",
        aliases: &[],
        category: Category::Image,
        description: "Quite OK Image",
        media_type: "image/qoi",
        magic: &[&[(0, b"qoif")]],
    },
    read: Some(Reader::of(|job, input| read::open(job, input, &CODEC))),
    write: Some(Target {
        accepts: |channels, _| (channels.coloured(), Depth::Eight),
        streams: |_| Streams::No,
        memory: |layout, _, _| 3 * layout.bytes(),
        ..Target::of(|_, rows, _, output, _| write::encode(rows, QoiEncoder::new(output)))
    }),
};

static CODEC: Codec = Codec {
    open: |input| Ok(Box::new(QoiDecoder::new(input)?)),
    memory: read::output_alone,
    density: Some(limits::PIXELS_PER_BYTE),
    lossless: true,
};
