//! DirectDraw surfaces: the row in the table of formats. They are read, not written.
//!
//! The crate `dds` reads the header and the pixels: BC1 to BC7, signed and unsigned, floating point, and the usual
//! masks. For 4096 × 4096 pixels in DXT5 it takes 54 ms of processor time, and the `image` crate 140 ms; for BGRA it
//! takes 24 ms, and our own reader of masks 123 ms. Our own reader handles only surfaces that the crate does not
//! support: any other masks (the crate knows some 20 sets), padded rows, and palettes.

mod indexed;
mod known;
mod masks;
mod read;

use crate::{row::Row, source::Reader};
use convertd_core::format::{Category, Format};

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
