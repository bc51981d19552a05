//! HEIC and HEIF (ISO/IEC 23008-12) with pictures coded as HEVC (ITU-T H.265): the row in the table of formats. Reads
//! still pictures, and the first picture of a sequence; writes nothing.

mod hevc;

use crate::{
    heif::{is_of, is_of_another, metadata, open::open, pages},
    row::Row,
    source::Reader,
};
use convertd_core::format::{Category, Format};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "heic",
        aliases: &["heif", "hif", "heics", "heifs"],
        category: Category::Image,
        description: "HEIF picture with HEVC compression, the format of many phones",
        media_type: "image/heic",
        magic: &[
            &[(4, b"ftypheic")],
            &[(4, b"ftypheix")],
            &[(4, b"ftypheim")],
            &[(4, b"ftypheis")],
            &[(4, b"ftyphevc")],
            &[(4, b"ftyphevx")],
            &[(4, b"ftyphevm")],
            &[(4, b"ftyphevs")],
        ],
    },
    read: Some(Reader {
        recognise: Some(|head, input, _| {
            is_of(hevc::CODEC.kind, head, input) || is_of_another(head, input)
        }),
        pages: Some(pages::find),
        metadata: Some(metadata::find),
        ..Reader::of(|job, input| open(job, input, &hevc::CODEC))
    }),
    write: None,
};
