//! JPEG 2000 (ISO/IEC 15444-1): the row in the table of formats. Reads JP2 files and codestreams, writes nothing.
//!
//! The decoder is hayro-jpeg2000, which the reader of PDF uses, too. It has no limits of its own, so the header is
//! first parsed here, and the memory that decoding will need is reserved accordingly.

mod codestream;
mod read;

use crate::{row::Row, source::Reader};
use convertd_core::format::{Category, Format};

pub(crate) use read::open;

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "jp2",
        aliases: &["j2k", "j2c", "jpc", "jpf", "jpx"],
        category: Category::Image,
        description: "JPEG 2000",
        media_type: "image/jp2",
        magic: &[&[(0, SIGNATURE)], &[(0, CODESTREAM)]],
    },
    read: Some(Reader::of(open)),
    write: None,
};

/// The signature box of a file (I.5.1).
pub(crate) const SIGNATURE: &[u8] = b"\0\0\0\x0cjP  \r\n\x87\n";

/// First bytes of a codestream: the markers SOC and SIZ (A.4.1 and A.5.1).
pub(crate) const CODESTREAM: &[u8] = b"\xff\x4f\xff\x51";
