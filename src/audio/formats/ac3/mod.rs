//! AC-3 and Enhanced AC-3 without a container (ATSC A/52): `.ac3` files from DVDs and broadcasts, and `.eac3` files
//! from streaming services. They are read, but not written.

mod read;

use crate::row::{Recognise, Row};
use convertd_core::format::{Category, Format};

pub(crate) static AC3: Row = Row {
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

pub(crate) static EAC3: Row = Row {
    format: Format {
        name: "eac3",
        aliases: &["ec3"],
        category: Category::Audio,
        description: "Dolby Digital Plus without a container",
        media_type: "audio/eac3",
        magic: &[],
    },
    recognise: Recognise::Frames(read::enhanced),
    open: read::open_enhanced,
    extra_memory: None,
    write: None,
};
