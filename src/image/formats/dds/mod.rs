//! DirectDraw surfaces: the row of the format. They are read, not written.
//!
//! The crate `dds` reads the header and the pixels: BC1 to BC7, signed and unsigned, floating point, and the usual masks. It takes 0.4
//! times as long as the `image` crate for DXT1 and DXT5, and a fifth to a twentieth of the time that our own reader of masks takes
//! (4096 × 4096 pixels, on a busy machine). Our own reads what the crate does not: it knows some 20 sets of masks where any
//! set is valid, and no rows that are padded.

mod known;
mod masks;
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
