//! Parts that xlsx and xlsb share: the package, shared strings and number formats (ECMA-376 parts 1, 2 and 4; ISO/IEC
//! 29500, transitional and strict). Reads no cells.

mod package;
mod strings;
mod styles;
mod text;

use crate::containers::xml::Namespaces;

#[cfg(feature = "document")]
pub(crate) use package::Reference;
pub(crate) use package::{Package, is_workbook};
pub(crate) use strings::Strings;
pub(crate) use styles::Styles;
pub(crate) use text::{escape, escaped, unescape};

/// Namespaces of the transitional and the strict variant, with the prefixes that this program uses.
pub(crate) const NAMESPACES: Namespaces = &[
    (
        "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
        "s",
    ),
    ("http://purl.oclc.org/ooxml/spreadsheetml/main", "s"),
    (
        "http://schemas.openxmlformats.org/package/2006/relationships",
        "rel",
    ),
    ("http://schemas.openxmlformats.org/drawingml/2006/main", "a"),
    ("http://purl.oclc.org/ooxml/drawingml/main", "a"),
    (
        "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing",
        "xdr",
    ),
    (
        "http://purl.oclc.org/ooxml/drawingml/spreadsheetDrawing",
        "xdr",
    ),
    (
        "http://schemas.microsoft.com/office/spreadsheetml/2009/9/main",
        "x14",
    ),
    ("http://schemas.microsoft.com/office/excel/2006/main", "xm"),
];
