//! AMR files (RFC 4867, section 5), as telephones record them: a line that names the codec, and frames one after
//! another. They are read, not written.

mod read;

use crate::row::{Recognise, Row};
use convertd_core::format::{Category, Format};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "amr",
        aliases: &["awb"],
        category: Category::Audio,
        description: "AMR speech, narrowband and wideband",
        media_type: "audio/amr",
        magic: &[&[(0, b"#!AMR")]],
    },
    recognise: Recognise::Magic,
    open: read::open,
    extra_memory: None,
    write: None,
};
