//! TIFF (TIFF 6.0, its technical notes, and BigTIFF): the row of the format.

mod check;
mod chunks;
mod compression;
mod description;
mod jpegs;
mod logluv;
mod metadata;
mod numbers;
mod packed;
mod pages;
mod read;
mod samples;
mod tags;
mod thunder;
mod write;
mod ycbcr;

use crate::{
    metadata::MAX,
    row::Row,
    source::Reader,
    target::{Streams, Target},
};
use convertd_core::format::{Category, Format};
use std::io;

pub(crate) use metadata::find as find_metadata;

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "tiff",
        aliases: &["tif"],
        category: Category::Image,
        description: "Tagged Image File Format",
        media_type: "image/tiff",
        magic: &[&[(0, b"II+\0")], &[(0, b"MM\0+")]],
    },
    read: Some(Reader {
        // Raw files of cameras begin with the same bytes, but their row comes first in the list of formats.
        recognise: Some(|head, _, _| head.starts_with(b"II*\0") || head.starts_with(b"MM\0*")),
        pages: Some(pages::find),
        metadata: Some(metadata::find),
        ..Reader::of(read::open)
    }),
    write: Some(Target {
        quality: write::QUALITY,
        streams: |quality| quality.pick(Streams::Quickly, Streams::Slowly, Streams::Slowly),
        carries_icc: true,
        keeps_metadata: MAX,
        memory: write::memory,
        append: Some(write::append),
        ..Target::of(write::write)
    }),
};

/// The error for a damaged file; `what` describes the damage.
fn invalid(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
