//! The formats of netpbm (their man pages): a row in the table of formats for each of PBM, PGM, PPM, PAM and PFM, which
//! share their code.

mod read;
mod write;

use crate::{
    pixels::{Channels, Depth},
    row::Row,
    source::Reader,
    target::{Streams, Target},
};
use convertd_core::format::{Category, Format};

const READER: Reader = Reader::of(read::open);

pub(crate) static PBM: Row = Row {
    format: Format {
        name: "pbm",
        aliases: &[],
        category: Category::Image,
        description: "Portable bitmap, black and white",
        media_type: "image/x-portable-bitmap",
        magic: &[&[(0, b"P1")], &[(0, b"P4")]],
    },
    read: Some(READER),
    write: Some(Target {
        quality: write::BILEVEL_QUALITY,
        accepts: |_, _| (Channels::Grey, Depth::Eight),
        streams: |_| Streams::Slowly,
        ..Target::of(write::write_pbm)
    }),
};

pub(crate) static PGM: Row = Row {
    format: Format {
        name: "pgm",
        aliases: &[],
        category: Category::Image,
        description: "Portable greymap",
        media_type: "image/x-portable-graymap",
        magic: &[&[(0, b"P2")], &[(0, b"P5")]],
    },
    read: Some(READER),
    write: Some(Target {
        accepts: |_, depth| (Channels::Grey, depth.min(Depth::Sixteen)),
        ..Target::of(write::write_pgm)
    }),
};

pub(crate) static PPM: Row = Row {
    format: Format {
        name: "ppm",
        aliases: &["pnm"],
        category: Category::Image,
        description: "Portable pixmap, colour",
        media_type: "image/x-portable-pixmap",
        magic: &[&[(0, b"P3")], &[(0, b"P6")]],
    },
    read: Some(READER),
    write: Some(Target {
        accepts: |_, depth| (Channels::Rgb, depth.min(Depth::Sixteen)),
        ..Target::of(write::write_ppm)
    }),
};

pub(crate) static PAM: Row = Row {
    format: Format {
        name: "pam",
        aliases: &[],
        category: Category::Image,
        description: "Portable arbitrary map",
        media_type: "image/x-portable-arbitrarymap",
        magic: &[&[(0, b"P7\n")]],
    },
    read: Some(READER),
    write: Some(Target::of(write::write_pam)),
};

pub(crate) static PFM: Row = Row {
    format: Format {
        name: "pfm",
        aliases: &[],
        category: Category::Image,
        description: "Portable float map",
        media_type: "image/x-portable-floatmap",
        magic: &[&[(0, b"PF\n")], &[(0, b"Pf\n")]],
    },
    read: Some(READER),
    write: Some(Target {
        accepts: |channels, _| (channels.without_alpha(), Depth::Float),
        ..Target::of(write::write_pfm)
    }),
};
