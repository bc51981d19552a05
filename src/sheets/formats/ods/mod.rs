//! OpenDocument spreadsheets (OASIS OpenDocument 1.3, parts 2 and 3). Computes no formulas, runs no macros, and never
//! fetches linked content.

mod cell;
#[cfg(feature = "document")]
mod names;
#[cfg(feature = "document")]
mod number_style;
mod read;
#[cfg(feature = "document")]
mod settings;
mod sheet;
#[cfg(feature = "document")]
mod shown;
mod styles;
#[cfg(test)]
mod tests;
#[cfg(feature = "document")]
mod validations;
#[cfg(feature = "document")]
mod whole;
mod write;

use crate::{
    containers::{xml::Namespaces, zip},
    format::{Category, Format},
    options,
    row::{Row, Target},
};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "ods",
        aliases: &["ots"],
        category: Category::Spreadsheet,
        description: "OpenDocument spreadsheet",
        media_type: MEDIA_TYPE,
        // The first entry of the archive is not compressed and contains the media type (part 2, 3.3), which is
        // therefore at a fixed offset.
        magic: &[&[
            (0, b"PK\x03\x04"),
            (
                30,
                b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
            ),
        ]],
    },
    // Some programs write the entries in another order, so the extension of the file name is accepted, too.
    recognise: |head, input, extension| {
        extension.is_some_and(|name| ROW.format.is_called(name))
            && zip::holds(head, input, &[&|name| name == "content.xml"])
    },
    open: read::open,
    write: Some(Target {
        create: write::create,
        #[cfg(feature = "document")]
        whole: Some(whole::write),
        #[cfg(feature = "document")]
        pictures: whole::ACCEPTED,
        many: true,
        quality: "compression effort: fast, normal and thorough; nothing is lost at any level",
        options: &[&options::SHEET],
    }),
};

/// Media type in the first entry of the package.
const MEDIA_TYPE: &str = "application/vnd.oasis.opendocument.spreadsheet";

/// Name of the part with all sheets.
const CONTENT: &str = "content.xml";

/// Name of the part with the named styles.
const STYLES: &str = "styles.xml";

/// Namespaces of the elements that are read.
const NAMESPACES: Namespaces = &[
    ("urn:oasis:names:tc:opendocument:xmlns:office:1.0", "office"),
    ("urn:oasis:names:tc:opendocument:xmlns:text:1.0", "text"),
    ("urn:oasis:names:tc:opendocument:xmlns:style:1.0", "style"),
    ("urn:oasis:names:tc:opendocument:xmlns:table:1.0", "table"),
    ("urn:oasis:names:tc:opendocument:xmlns:drawing:1.0", "draw"),
    (
        "urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0",
        "number",
    ),
    (
        "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0",
        "manifest",
    ),
];
