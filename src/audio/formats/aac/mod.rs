//! AAC in ADTS frames (ISO 13818-7, section 6.2), as in broadcasts and `.aac` files. It is not written, because the
//! format cannot state the length of the sound; M4A can.

mod header;
mod read;

use crate::row::{Recognise, Row};
use convertd_core::format::{Category, Format};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "aac",
        aliases: &["adts"],
        category: Category::Audio,
        description: "AAC without a container",
        media_type: "audio/aac",
        magic: &[],
    },
    recognise: Recognise::Frames(read::frame),
    open: read::open,
    extra_memory: None,
    write: None,
};
