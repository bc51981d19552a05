//! Photoshop documents (Adobe Photoshop File Formats Specification, 2019): the row of the format. Only the flattened
//! picture (composite image) is read; a file that was saved without it is refused.

mod planes;
mod read;
mod structure;

use crate::{
    format::{Category, Format},
    image::{row::Row, source::Reader},
};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "psd",
        aliases: &["psb"],
        category: Category::Image,
        description: "Photoshop document, its flattened picture",
        media_type: "image/vnd.adobe.photoshop",
        magic: &[&[(0, b"8BPS\0\x01")], &[(0, b"8BPS\0\x02")]],
    },
    read: Some(Reader::of(read::open)),
    write: None,
};
