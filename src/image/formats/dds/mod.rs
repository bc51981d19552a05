//! DirectDraw surfaces: the row of the format. They are read, not written.
//!
//! The crate `dds` reads the header and the pixels: BC1 to BC7, signed and unsigned, floating point, and the usual
//! masks. For 4096 × 4096 pixels it takes 54 ms of processor time where the `image` crate takes 140 (DXT5), and 24 ms
//! where our own reader of masks takes 123 (BGRA). Our own reads only what the crate does not: any masks, of which the
//! crate knows some 20 sets, padded rows, and palettes.

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
