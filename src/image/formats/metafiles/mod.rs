//! EMF and WMF, the metafiles of Windows: the rows of both formats. They are read as the drawings that they become, not written.

use super::svg;
use crate::{
    format::{Category, Format},
    image::{
        metafile::{self, Kind},
        row::Row,
        source::Reader,
    },
};

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
        recognise: Some(|head, _, _| kind(head) == Some(Kind::Emf)),
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
        recognise: Some(|head, _, _| kind(head) == Some(Kind::Wmf)),
        ..Reader::of(svg::open)
    }),
    write: None,
};

/// The kind of a metafile by its beginning, which may be packed.
fn kind(head: &[u8]) -> Option<Kind> {
    metafile::kind(head).or_else(|| metafile::kind(&svg::unpacked_head(head, 64)?))
}
