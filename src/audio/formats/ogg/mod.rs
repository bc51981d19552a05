//! Ogg files (RFC 3533) with Vorbis, which is also written, or FLAC, which is only read. Opus in Ogg is a format of its
//! own, because users know it as a separate format.

mod write;

use crate::{
    row::{Recognise, Row, Writer},
    sources::ogg::{self, Codec},
};
use convertd_core::format::{Category, Format};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "ogg",
        aliases: &["oga"],
        category: Category::Audio,
        description: "Ogg Vorbis",
        media_type: "audio/ogg",
        magic: &[
            &[(0, b"OggS"), (28, b"\x01vorbis")],
            &[(0, b"OggS"), (28, b"\x7fFLAC")],
        ],
    },
    recognise: Recognise::Content(|_, probe| {
        matches!(ogg::codec(probe), Some(Codec::Vorbis | Codec::Flac))
    }),
    open: ogg::open,
    extra_memory: None,
    write: Some(Writer {
        quality: "distance of the coding noise below the masking threshold: 3, 6 and 10 dB; about 120, 150 and 200 kbit/s for stereo",
        is_lossy: true,
        has_bit_rate: false,
        has_chapters: true,
        plan: write::plan,
        left_out: None,
        create: write::create,
    }),
};
