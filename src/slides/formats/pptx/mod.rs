//! PowerPoint presentations (PPTX): PresentationML and DrawingML inside an Office Open XML package (ECMA-376 part 1, 19
//! to 21; ISO/IEC 29500), transitional and strict. Runs no macros and plays no animations, and never fetches external
//! targets.
//!
//! Most properties of a shape are inherited. Its place and its text styles come from a placeholder of the layout,
//! which in turn inherits from a placeholder of the master; colours and fonts come from the theme of the master. A
//! layout or a master is read once, as a [`template`]. A layout refers only to its master and a master to nothing
//! further, so loops are impossible.

mod built_in_tables;
mod copy;
mod graphic;
mod read;
mod recognise;
mod scope;
mod shapes;
mod source;
mod styles;
mod table_style;
mod template;
mod text;
mod write;

use crate::{
    containers::xml::Namespaces,
    format::{Category, Format},
    row::{Row, Target},
};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "pptx",
        aliases: &["pptm", "ppsx", "ppsm", "potx", "potm"],
        category: Category::Presentation,
        description: "PowerPoint presentation",
        media_type: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        magic: &[],
    },
    recognise: recognise::is_presentation,
    open: read::open,
    write: Some(Target {
        write: write::write,
        keep: write::keep,
        copy: Some(copy::copy),
        pictures: Some(&write::PICTURES),
    }),
};

/// Namespaces of the transitional and the strict variant, with the prefixes that this module uses.
const NAMESPACES: Namespaces = &[
    (
        "http://schemas.openxmlformats.org/presentationml/2006/main",
        "p",
    ),
    ("http://purl.oclc.org/ooxml/presentationml/main", "p"),
    ("http://schemas.openxmlformats.org/drawingml/2006/main", "a"),
    ("http://purl.oclc.org/ooxml/drawingml/main", "a"),
    (
        "http://schemas.openxmlformats.org/drawingml/2006/chart",
        "c",
    ),
    ("http://purl.oclc.org/ooxml/drawingml/chart", "c"),
    (
        "http://schemas.microsoft.com/office/drawing/2014/chartex",
        "c",
    ),
    (
        "http://schemas.openxmlformats.org/drawingml/2006/diagram",
        "dgm",
    ),
    ("http://purl.oclc.org/ooxml/drawingml/diagram", "dgm"),
    (
        "http://schemas.microsoft.com/office/drawing/2008/diagram",
        "dsp",
    ),
    (
        "http://schemas.openxmlformats.org/officeDocument/2006/math",
        "m",
    ),
    ("http://purl.oclc.org/ooxml/officeDocument/math", "m"),
    (
        "http://schemas.microsoft.com/office/drawing/2010/main",
        "a14",
    ),
    (
        "http://schemas.microsoft.com/office/drawing/2016/SVG/main",
        "asvg",
    ),
    (
        "http://schemas.openxmlformats.org/markup-compatibility/2006",
        "mc",
    ),
];
