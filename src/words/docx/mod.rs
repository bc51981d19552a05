//! Word documents (DOCX): WordprocessingML inside an Office Open XML package (ECMA-376 parts 1, 2 and 4; ISO/IEC
//! 29500).
//!
//! There are two variants with different namespaces: "transitional", which Word writes by default, and "strict". Both
//! variants are read; the transitional variant is written. Never fetches external targets of relationships, and never
//! runs macros.

mod read;
mod recognise;
mod write;

use crate::{
    containers::xml::Namespaces,
    format::{Category, Format},
    job::OptionSpec,
};
use convertd_tree::{
    options,
    row::{Read, Row, Target},
};
pub use read::{Chunks, read};

/// Media types of the pictures that Word shows.
static PICTURES: [&str; 9] = [
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/bmp",
    "image/tiff",
    "image/emf",
    "image/x-emf",
    "image/wmf",
    "image/x-wmf",
];

static OPTIONS: [&OptionSpec; 3] = [&options::TITLE, &options::TOC, &options::HIGHLIGHT];

/// Description of the format.
const FORMAT: Format = Format {
    name: "docx",
    aliases: &["docm", "dotx", "dotm"],
    category: Category::Document,
    description: "Word document",
    media_type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    magic: &[],
};

/// Row of the registry. `read` is a reader that also reads [embedded documents of other formats](Chunks).
pub const fn row(read: Read) -> Row {
    Row {
        format: FORMAT,
        recognise: Some(recognise::is_word),
        turns_pictures: false,
        read: Some(read),
        write: Some(Target {
            write: write::write,
            quality: "embedded pictures: reduced to 110 dpi (low) or 200 dpi (medium), or kept as they are (high)",
            options: &OPTIONS,
            resamples: true,
            frames: true,
            pictures: Some(&PICTURES),
            keeps_html: false,
            titled: false,
        }),
    }
}

/// Namespaces of both variants, mapped to the prefixes that this module uses, with those of DrawingML, VML and
/// mathematics. Two namespaces with the same prefix are treated alike.
const NAMESPACES: Namespaces = &[
    (
        "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "w",
    ),
    ("http://purl.oclc.org/ooxml/wordprocessingml/main", "w"),
    (
        "http://schemas.openxmlformats.org/officeDocument/2006/math",
        "m",
    ),
    ("http://purl.oclc.org/ooxml/officeDocument/math", "m"),
    ("http://schemas.openxmlformats.org/drawingml/2006/main", "a"),
    ("http://purl.oclc.org/ooxml/drawingml/main", "a"),
    (
        "http://schemas.openxmlformats.org/drawingml/2006/picture",
        "pic",
    ),
    ("http://purl.oclc.org/ooxml/drawingml/picture", "pic"),
    (
        "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
        "wp",
    ),
    (
        "http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing",
        "wp",
    ),
    (
        "http://schemas.openxmlformats.org/drawingml/2006/chart",
        "chart",
    ),
    ("http://purl.oclc.org/ooxml/drawingml/chart", "chart"),
    (
        "http://schemas.microsoft.com/office/drawing/2014/chartex",
        "chart",
    ),
    (
        "http://schemas.openxmlformats.org/drawingml/2006/diagram",
        "diagram",
    ),
    ("http://purl.oclc.org/ooxml/drawingml/diagram", "diagram"),
    (
        "http://schemas.microsoft.com/office/drawing/2016/SVG/main",
        "asvg",
    ),
    (
        "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
        "wps",
    ),
    (
        "http://schemas.microsoft.com/office/word/2010/wordprocessingGroup",
        "wpg",
    ),
    (
        "http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas",
        "wpc",
    ),
    (
        "http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing",
        "wp14",
    ),
    (
        "http://schemas.microsoft.com/office/word/2010/wordml",
        "w14",
    ),
    (
        "http://schemas.openxmlformats.org/markup-compatibility/2006",
        "mc",
    ),
    ("urn:schemas-microsoft-com:vml", "v"),
    ("urn:schemas-microsoft-com:office:office", "o"),
    (
        "http://schemas.openxmlformats.org/package/2006/content-types",
        "types",
    ),
];
