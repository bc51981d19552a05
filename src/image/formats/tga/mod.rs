//! Truevision TGA 2.0: the row of the format. The format has no magic bytes; files of version 2.0 have a signature in
//! their footer.

mod read;
mod recognise;
mod write;

use crate::{
    pixels::{Channels, Depth},
    row::Row,
    source::Reader,
    target::Target,
};
use convertd_core::format::{Category, Format};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "tga",
        aliases: &["targa", "icb", "vda", "vst"],
        category: Category::Image,
        description: "Truevision TGA",
        media_type: "image/x-tga",
        magic: &[],
    },
    read: Some(Reader {
        recognise: Some(|head, input, extension| {
            let has_extension = extension.is_some_and(|name| ROW.format.is_called(name));
            recognise::is_tga(head, input, has_extension)
        }),
        ..Reader::of(read::open)
    }),
    write: Some(Target {
        quality: write::QUALITY,
        accepts: |channels, _| match channels {
            Channels::GreyAlpha => (Channels::Rgba, Depth::Eight),
            Channels::Grey | Channels::Rgb | Channels::Rgba => (channels, Depth::Eight),
        },
        max_side: 65_535,
        ..Target::of(write::write)
    }),
};
