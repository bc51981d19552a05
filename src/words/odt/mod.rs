//! OpenDocument text (OASIS OpenDocument 1.3, parts 2 and 3), as a package (`odt`) and as a single XML file (`fodt`).
//! Never fetches linked content, and runs no macros.

mod ornaments;
mod read;
mod write;

#[cfg(test)]
mod tests;

use crate::{
    containers::{odf, xml::Namespaces, zip},
    format::{Category, Format},
};
use convertd_tree::{
    options,
    row::{Row, Target},
};

/// Row of the registry for packages.
pub static ROW: Row = Row {
    format: Format {
        name: "odt",
        aliases: &["ott"],
        category: Category::Document,
        description: "OpenDocument text",
        media_type: MEDIA_TYPE,
        // The first entry of the archive holds the media type uncompressed (part 2, 3.3), which puts it at a fixed
        // offset.
        magic: &[&[
            (0, b"PK\x03\x04"),
            (30, b"mimetypeapplication/vnd.oasis.opendocument.text"),
        ]],
    },
    // Some programs order the archive differently, so the file name extension is accepted, too.
    recognise: Some(|head, input, extension| {
        extension.is_some_and(|name| ROW.format.is_called(name))
            && zip::holds(head, input, &[&|name| name == "content.xml"])
    }),
    turns_pictures: false,
    read: Some(read::read),
    write: Some(Target {
        write: write::write,
        quality: "embedded pictures: reduced to 110 dpi (low) or 200 dpi (medium), or kept as they are (high)",
        options: &[&options::TITLE, &options::TOC, &options::HIGHLIGHT],
        resamples: true,
        frames: true,
        pictures: None,
        keeps_html: false,
        titled: false,
    }),
};

/// Row of the registry for the flat form: all parts in one XML file, with pictures in Base64.
pub static FLAT: Row = Row {
    format: Format {
        name: "fodt",
        aliases: &[],
        category: Category::Document,
        description: "OpenDocument text in a single XML file",
        media_type: "application/vnd.oasis.opendocument.text-flat-xml",
        magic: &[],
    },
    recognise: Some(|head, input, _| odf::is_flat(head, input, MEDIA_TYPE)),
    turns_pictures: false,
    read: Some(read::read_flat),
    write: None,
};

/// Media type, as the first entry of a package states it.
const MEDIA_TYPE: &str = "application/vnd.oasis.opendocument.text";

/// Namespaces of a document, mapped to the prefixes that this module uses.
const NAMESPACES: Namespaces = &[
    ("urn:oasis:names:tc:opendocument:xmlns:office:1.0", "office"),
    ("urn:oasis:names:tc:opendocument:xmlns:text:1.0", "text"),
    ("urn:oasis:names:tc:opendocument:xmlns:style:1.0", "style"),
    ("urn:oasis:names:tc:opendocument:xmlns:table:1.0", "table"),
    ("urn:oasis:names:tc:opendocument:xmlns:drawing:1.0", "draw"),
    ("urn:oasis:names:tc:opendocument:xmlns:meta:1.0", "meta"),
    (
        "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0",
        "svg",
    ),
    (
        "urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0",
        "field",
    ),
    ("http://purl.org/dc/elements/1.1/", "dc"),
    ("http://www.w3.org/1998/Math/MathML", "math"),
    ("http://www.w3.org/1999/xlink", "xlink"),
];
