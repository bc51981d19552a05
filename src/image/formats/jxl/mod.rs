//! JPEG XL (ISO/IEC 18181): the row of the format. It is read by jxl-oxide, and not written.

mod read;

use crate::{
    format::{Category, Format},
    image::{row::Row, source::Reader},
};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "jxl",
        aliases: &[],
        category: Category::Image,
        description: "JPEG XL",
        media_type: "image/jxl",
        magic: &[&[(0, b"\xff\x0a")], &[(0, b"\0\0\0\x0cJXL \r\n\x87\n")]],
    },
    read: Some(Reader::of(read::open)),
    write: None,
};
