//! DirectDraw surfaces: the row of the format. They are read, not written.

mod read;

use crate::{
    format::{Category, Format},
    image::{row::Row, source::Reader},
};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "dds",
        aliases: &[],
        category: Category::Image,
        description: "DirectDraw surface",
        media_type: "image/vnd-ms.dds",
        magic: &[&[(0, b"DDS \x7c\0\0\0")]],
    },
    read: Some(Reader::of(read::open)),
    write: None,
};
