//! Radiance RGBE (Greg Ward, "Real Pixels"): the row of the format.

mod write;

use crate::{
    format::{Category, Format},
    image::{
        adapter::read::{self, Codec},
        limits,
        pixels::{Channels, Depth},
        row::Row,
        source::Reader,
        target::{Streams, Target},
    },
};
use image::codecs::hdr::{HdrDecoder, SIGNATURE};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "hdr",
        aliases: &["rgbe"],
        category: Category::Image,
        description: "Radiance high dynamic range",
        media_type: "image/vnd.radiance",
        magic: &[&[(0, b"#?RADIANCE")], &[(0, b"#?RGBE")]],
    },
    read: Some(Reader::of(|job, input| read::open(job, input, &CODEC))),
    write: Some(Target {
        accepts: |_, _| (Channels::Rgb, Depth::Float),
        max_side: 65_535,
        streams: |_| Streams::No,
        memory: |layout, _, _| 2 * layout.bytes(),
        ..Target::of(write::write)
    }),
};

static CODEC: Codec = Codec {
    open: |mut input| {
        // The decoder knows one of the two signatures. If it is not strict, it takes the other for a comment.
        let is_usual = input.fill_buf()?.starts_with(SIGNATURE);
        Ok(Box::new(HdrDecoder::with_strictness(input, is_usual)?))
    },
    memory: read::output_and_copy,
    density: Some(limits::PIXELS_PER_BYTE),
    lossless: true,
};
