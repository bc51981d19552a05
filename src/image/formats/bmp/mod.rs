//! Windows bitmaps: the row in the table of formats.

mod fields;
pub(crate) mod header;
mod packed;
pub(crate) mod read;
mod runs;
mod write;

use crate::{
    pixels::{Channels, Depth},
    row::Row,
    source::Reader,
    target::{Palettes, Target},
};
use convertd_core::format::{Category, Format};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "bmp",
        aliases: &["dib"],
        category: Category::Image,
        description: "Windows bitmap",
        media_type: "image/bmp",
        magic: &[&[(0, b"BM"), (6, b"\0\0\0\0")]],
    },
    read: Some(Reader {
        recognise: Some(|head, _, extension| {
            let has_extension = extension.is_some_and(|name| ROW.format.is_called(name));
            read::recognise(head, has_extension)
        }),
        pages: Some(read::pages),
        metadata: Some(read::metadata),
        ..Reader::of(read::open)
    }),
    write: Some(Target {
        accepts: |channels, _| match channels {
            Channels::GreyAlpha => (Channels::Rgba, Depth::Eight),
            Channels::Grey | Channels::Rgb | Channels::Rgba => (channels, Depth::Eight),
        },
        palettes: Palettes::Opaque,
        ..Target::of(write::write)
    }),
};
