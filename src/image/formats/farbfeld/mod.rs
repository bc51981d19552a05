//! Farbfeld (suckless.org): the row in the table of formats. A file consists of a header and of four samples of 16 bits
//! for each pixel.

use crate::{
    adapter::read::{self, Codec},
    limits,
    pixels::{Channels, Depth},
    row::Row,
    source::Reader,
    target::{Target, write_big_endian},
};
use convertd_core::format::{Category, Format};
use image::codecs::farbfeld::FarbfeldDecoder;

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "ff",
        aliases: &["farbfeld"],
        category: Category::Image,
        description: "Farbfeld 16-bit picture",
        media_type: "image/x-farbfeld",
        magic: &[&[(0, b"farbfeld")]],
    },
    read: Some(Reader::of(|job, input| read::open(job, input, &CODEC))),
    write: Some(Target {
        accepts: |_, _| (Channels::Rgba, Depth::Sixteen),
        ..Target::of(|job, rows, _, output, _| {
            let layout = rows.layout();
            let (width, height) = (layout.width.to_be_bytes(), layout.height.to_be_bytes());
            let header = [&b"farbfeld"[..], &width, &height].concat();
            write_big_endian(job, rows, output, &header)
        })
    }),
};

static CODEC: Codec = Codec {
    open: |input| Ok(Box::new(FarbfeldDecoder::new(input)?)),
    memory: read::output_alone,
    density: Some(limits::PIXELS_PER_BYTE),
    lossless: true,
};
