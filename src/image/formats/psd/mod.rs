//! Photoshop documents (Adobe Photoshop File Formats Specification, 2019): the row in the table of formats. The
//! flattened picture (composite image) is read. If the file has none, its visible layers with pixels are composed.

mod blend;
mod compose;
mod layers;
mod planes;
mod read;
mod structure;

use crate::{row::Row, source::Reader};
use convertd_core::format::{Category, Format};
use structure::Structure;

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "psd",
        aliases: &["psb"],
        category: Category::Image,
        description: "Photoshop document",
        media_type: "image/vnd.adobe.photoshop",
        magic: &[&[(0, b"8BPS\0\x01")], &[(0, b"8BPS\0\x02")]],
    },
    read: Some(Reader {
        metadata: Some(|input, found| {
            found.resolution = Structure::read(input)?.resolution;
            Ok(())
        }),
        ..Reader::of(read::open)
    }),
    write: None,
};
