//! MPEG audio without a container (ISO 11172-3, 13818-3): frames, with ID3 tags around them. Layer 3 is `mp3`. Layers 1
//! and 2 are `mp2`, which is never written.

#[cfg(feature = "lame")]
mod lame;
#[cfg(not(feature = "lame"))]
mod pure;
mod write;

use crate::{
    codecs::mpeg::Header,
    row::{Frame, Recognise, Row, Writer},
    sources::mpeg,
};
use convertd_core::format::{Category, Format};

pub(crate) static MP3: Row = Row {
    format: Format {
        name: "mp3",
        aliases: &["mpga"],
        category: Category::Audio,
        description: "MPEG audio, layer 3",
        media_type: "audio/mpeg",
        magic: &[],
    },
    recognise: Recognise::Frames(|bytes| {
        frame(bytes)
            .filter(|(layer, _)| *layer == 3)
            .map(|(_, frame)| frame)
    }),
    open: mpeg::open,
    extra_memory: None,
    write: Some(Writer {
        quality: "average bit rate: 128, 224 and 320 kbit/s for stereo, half of it for mono",
        is_lossy: true,
        has_bit_rate: true,
        has_chapters: true,
        plan: write::plan,
        left_out: None,
        create: write::create,
    }),
};

pub(crate) static MP2: Row = Row {
    format: Format {
        name: "mp2",
        aliases: &["mp1", "mpa"],
        category: Category::Audio,
        description: "MPEG audio, layers 1 and 2",
        media_type: "audio/mpeg",
        magic: &[],
    },
    recognise: Recognise::Frames(|bytes| {
        frame(bytes)
            .filter(|(layer, _)| *layer < 3)
            .map(|(_, frame)| frame)
    }),
    open: mpeg::open,
    extra_memory: None,
    write: None,
};

/// Reads the header of a frame: its layer, and the properties that recognition needs.
fn frame(bytes: &[u8]) -> Option<(u8, Frame)> {
    let header = Header::parse(bytes)?;
    let frame = Frame {
        length: header.length,
        kind: header.kind(),
    };
    Some((header.layer, frame))
}
