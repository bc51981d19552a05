//! Hangul documents in XML (HWPX; OWPML, Korean standard KS X 6101): parts in a package like that of an EPUB. Never
//! writes the format, and never opens files or addresses that a document refers to.

mod read;

use crate::{
    containers::{xml::Namespaces, zip},
    format::{Category, Format},
};
use convertd_tree::row::Row;

/// Row of the registry: HWPX as a source of documents.
pub static ROW: Row = Row {
    format: Format {
        name: "hwpx",
        aliases: &["hwtx"],
        category: Category::Document,
        description: "Hangul document in XML",
        media_type: "application/hwp+zip",
        // The first entry is stored without compression and holds the media type, which puts it at a fixed offset.
        magic: &[&[(0, b"PK\x03\x04"), (30, b"mimetypeapplication/hwp+zip")]],
    },
    // Other programs order the archive differently, so a package is also recognised by the names of its parts.
    recognise: Some(|head, input, _| {
        zip::holds(
            head,
            input,
            &[&|name| name == HEADER, &|name| name.starts_with(SECTION)],
        )
    }),
    turns_pictures: false,
    read: Some(read::read),
    write: None,
};

/// Name of the part with fonts, styles and other properties that texts refer to.
const HEADER: &str = "Contents/header.xml";

/// Common beginning of the names of the parts with text. A number follows, counted from 0.
const SECTION: &str = "Contents/section";

/// Namespaces of all parts, mapped to the prefixes that this module uses.
const NAMESPACES: Namespaces = &[
    ("http://www.hancom.co.kr/hwpml/2011/head", "head"),
    ("http://www.hancom.co.kr/hwpml/2011/section", "section"),
    ("http://www.hancom.co.kr/hwpml/2011/paragraph", "p"),
    ("http://www.hancom.co.kr/hwpml/2016/paragraph", "p"),
    ("http://www.hancom.co.kr/hwpml/2011/core", "core"),
    ("http://www.idpf.org/2007/opf/", "opf"),
    ("http://schemas.openxmlformats.org/drawingml/2006/main", "a"),
    (
        "http://schemas.openxmlformats.org/drawingml/2006/chart",
        "chart",
    ),
];
