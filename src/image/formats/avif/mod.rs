//! AVIF (ISO/IEC 23000-22): the row in the table of formats. Reads pictures and sequences of them; writes one picture.

mod av1;
mod point;
mod write;

use crate::{
    heif::{is_of, metadata, moving, open::open},
    pixels::Depth,
    row::Row,
    source::Reader,
    target::{Streams, Target, Tuning},
};
use convertd_core::format::{Category, Format};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "avif",
        aliases: &[],
        category: Category::Image,
        description: "AV1 picture",
        media_type: "image/avif",
        magic: &[&[(4, b"ftypavif")], &[(4, b"ftypavis")]],
    },
    read: Some(Reader {
        recognise: Some(|head, input, _| is_of(av1::CODEC.kind, head, input)),
        open_moving: Some(|job, input| moving::open(job, input, &av1::CODEC)),
        metadata: Some(metadata::find),
        ..Reader::of(|job, input| open(job, input, &av1::CODEC))
    }),
    write: Some(Target {
        quality: write::QUALITY,
        tuning: Tuning::Scale,
        accepts: |channels, _| (channels, Depth::Eight),
        max_side: write::MAX_SIDE,
        carries_hdr: true,
        streams: |_| Streams::No,
        memory: write::memory,
        ..Target::of(write::write)
    }),
};
