//! AC-3 without a container (ATSC A/52), as `.ac3` files of DVDs and broadcasts have it. It is read, not written.

mod read;

use crate::{
    audio::row::{Recognise, Row},
    format::{Category, Format},
};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "ac3",
        aliases: &[],
        category: Category::Audio,
        description: "Dolby Digital without a container",
        media_type: "audio/ac3",
        magic: &[],
    },
    recognise: Recognise::Frames(read::frame),
    open: read::open,
    extra_memory: None,
    write: None,
};
