//! AAC in ADTS frames (ISO 13818-7, section 6.2), as broadcasters and `.aac` files have it. Only read: M4A is the
//! container that tells the length.

mod header;
mod read;

use crate::{
    audio::row::{Frame, Recognise, Row},
    format::{Category, Format},
};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "aac",
        aliases: &["adts"],
        category: Category::Audio,
        description: "AAC without a container",
        media_type: "audio/aac",
        magic: &[],
    },
    recognise: Recognise::Frames(|bytes| {
        let header = header::Header::parse(bytes)?;
        Some(Frame {
            length: header.length,
            kind: header.kind(),
        })
    }),
    open: read::open,
    extra_memory: None,
    write: None,
};
