//! OpenDocument presentations (OASIS OpenDocument 1.3, parts 2 and 3), as a package (`odp`) and as a single XML file
//! (`fodp`). Plays no animations, runs no macros, and never fetches linked content.
//!
//! A drawing page is a slide, and a master page is its background. A frame states its own position; its style states
//! its appearance. An outline has a style for each level (`Default-outline1` to `9`). All slides are in one part of
//! the package, so each slide is parsed from its piece of that part when it is needed.

mod lists;
mod look;
mod page;
mod properties;
mod read;
mod shapes;
mod sheet;
mod table;
mod text;
mod values;
mod write;

use crate::{
    containers::{odf, xml::Namespaces, zip},
    format::{Category, Format},
    row::{Row, Target},
};
use convertd_office::drawing::odf::place;

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "odp",
        aliases: &["otp"],
        category: Category::Presentation,
        description: "OpenDocument presentation",
        media_type: MEDIA_TYPE,
        // The first entry of the archive is not compressed and contains the media type (part 2, 3.3), which is
        // therefore at a fixed offset.
        magic: &[&[
            (0, b"PK\x03\x04"),
            (
                30,
                b"mimetypeapplication/vnd.oasis.opendocument.presentation",
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
        write: write::write,
        keep: write::keep,
        copy: None,
        pictures: None,
    }),
};

/// Flat format: all parts in a single XML file, with pictures in Base64.
pub(crate) static FLAT: Row = Row {
    format: Format {
        name: "fodp",
        aliases: &[],
        category: Category::Presentation,
        description: "OpenDocument presentation in a single XML file",
        media_type: "application/vnd.oasis.opendocument.presentation-flat-xml",
        magic: &[],
    },
    recognise: |head, input, _| odf::is_flat(head, input, MEDIA_TYPE),
    open: read::open_flat,
    write: None,
};

/// Drawings. Their pages are like those of a presentation, without notes and animations.
pub(crate) static DRAWING: Row = Row {
    format: Format {
        name: "odg",
        aliases: &["otg"],
        category: Category::Presentation,
        description: "OpenDocument drawing",
        media_type: DRAWING_MEDIA_TYPE,
        magic: &[&[
            (0, b"PK\x03\x04"),
            (30, b"mimetypeapplication/vnd.oasis.opendocument.graphics"),
        ]],
    },
    recognise: |head, input, extension| {
        extension.is_some_and(|name| DRAWING.format.is_called(name))
            && zip::holds(head, input, &[&|name| name == "content.xml"])
    },
    open: read::open,
    write: None,
};

/// Flat format of drawings.
pub(crate) static FLAT_DRAWING: Row = Row {
    format: Format {
        name: "fodg",
        aliases: &[],
        category: Category::Presentation,
        description: "OpenDocument drawing in a single XML file",
        media_type: "application/vnd.oasis.opendocument.graphics-flat-xml",
        magic: &[],
    },
    recognise: |head, input, _| odf::is_flat(head, input, DRAWING_MEDIA_TYPE),
    open: read::open_flat,
    write: None,
};

/// Media type in the first entry of a drawing's package.
const DRAWING_MEDIA_TYPE: &str = "application/vnd.oasis.opendocument.graphics";

/// Media type in the first entry of a presentation's package.
const MEDIA_TYPE: &str = "application/vnd.oasis.opendocument.presentation";

/// Namespaces of a presentation, with the prefixes that this program uses.
const NAMESPACES: Namespaces = &[
    ("urn:oasis:names:tc:opendocument:xmlns:office:1.0", "office"),
    ("urn:oasis:names:tc:opendocument:xmlns:text:1.0", "text"),
    ("urn:oasis:names:tc:opendocument:xmlns:style:1.0", "style"),
    ("urn:oasis:names:tc:opendocument:xmlns:table:1.0", "table"),
    ("urn:oasis:names:tc:opendocument:xmlns:drawing:1.0", "draw"),
    ("urn:oasis:names:tc:opendocument:xmlns:dr3d:1.0", "dr3d"),
    (
        "urn:oasis:names:tc:opendocument:xmlns:presentation:1.0",
        "presentation",
    ),
    (
        "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0",
        "svg",
    ),
    (
        "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0",
        "loext",
    ),
    ("http://www.w3.org/1998/Math/MathML", "math"),
];
