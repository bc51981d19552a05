//! EMF and WMF, the metafiles of Windows, and PICT, the metafile of the Macintosh: their rows in the table of formats.
//! They are read as vector drawings and are not written.

use super::svg;
use crate::{row::Row, source::Reader};
use convertd_core::{
    format::{Category, Format},
    job::Input,
};
use convertd_metafile::{self as metafile, MetafileFormat};
use std::io::{Read as _, SeekFrom};

pub(crate) static EMF: Row = Row {
    format: Format {
        name: "emf",
        aliases: &["emz"],
        category: Category::Image,
        description: "Enhanced Metafile",
        media_type: "image/emf",
        magic: &[],
    },
    read: Some(Reader {
        recognise: Some(|head, _, _| kind(head) == Some(MetafileFormat::Emf)),
        ..Reader::of(svg::open)
    }),
    write: None,
};

pub(crate) static WMF: Row = Row {
    format: Format {
        name: "wmf",
        aliases: &["wmz"],
        category: Category::Image,
        description: "Windows Metafile",
        media_type: "image/wmf",
        magic: &[],
    },
    read: Some(Reader {
        recognise: Some(|head, _, _| kind(head) == Some(MetafileFormat::Wmf)),
        ..Reader::of(svg::open)
    }),
    write: None,
};

pub(crate) static PICT: Row = Row {
    format: Format {
        name: "pict",
        aliases: &["pct"],
        category: Category::Image,
        description: "Macintosh picture",
        media_type: "image/x-pict",
        magic: &[],
    },
    read: Some(Reader {
        recognise: Some(|_, input, _| is_pict(input)),
        ..Reader::of(svg::open)
    }),
    write: None,
};

/// Returns whether a file is a PICT. Its signature is not at the beginning of the file.
fn is_pict(input: &mut dyn Input) -> bool {
    let mut head = Vec::new();
    let start = input.seek(SeekFrom::Start(0));
    let read = start.and_then(|_| input.take(metafile::HEAD_LEN).read_to_end(&mut head));
    read.is_ok() && metafile::kind(&head) == Some(MetafileFormat::Pict)
}

/// The kind of a metafile, from its beginning, which may be compressed.
fn kind(head: &[u8]) -> Option<MetafileFormat> {
    metafile::kind(head).or_else(|| metafile::kind(&svg::unpacked_head(head, 64)?))
}
