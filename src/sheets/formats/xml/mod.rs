//! Tables in XML: an element for each row, with an element for each cell. The syntax is parsed and written by [`data`].

use super::json::{
    read,
    write::{Frame, create},
};
use crate::{
    containers::xml,
    data,
    format::{Category, Format},
    options,
    row::{Row, Target},
};
use convertd_office::flat;

/// Extensions of data in XML: feeds, tracks and places, schemas, settings, translations. They are not aliases of the
/// format, because the writer cannot write these kinds of XML.
const KINDS: [&str; 14] = [
    "rss", "atom", "rdf", "opml", "gpx", "kml", "tcx", "xsd", "wsdl", "plist", "xlf", "xliff",
    "tmx", "resx",
];

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "xml",
        aliases: &[],
        category: Category::Spreadsheet,
        description: "XML, data or a list of elements",
        media_type: "application/xml",
        magic: &[],
    },
    // Most formats in XML have extensions of their own, so a file without an extension needs an XML declaration.
    recognise: |head, _, extension| {
        let is_data = match extension {
            Some(name) if ROW.format.is_called(name) => is_xml(head),
            Some(name) => KINDS.contains(&name) && is_xml(head),
            None => is_declared(head),
        };
        is_data && !flat::is_package(head)
    },
    open: |job, input, _| read::open_made(job, data::table(job, input)?),
    write: Some(Target {
        #[cfg(feature = "document")]
        whole: None,
        #[cfg(feature = "document")]
        pictures: &[],
        create: |_, output, _| create(output, Frame::Xml),
        many: false,
        quality: "no effect: nothing is lost at any level",
        options: &[&options::SHEET, &options::SHEETS, &options::VALUES],
    }),
};

/// Returns whether a file begins like XML, in UTF-8 or UTF-16.
fn is_xml(head: &[u8]) -> bool {
    xml::begins(head) || matches!(head, [0xff, 0xfe, b'<', 0, ..] | [0xfe, 0xff, 0, b'<', ..])
}

/// Returns whether a file begins with an XML declaration.
fn is_declared(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    text.starts_with(b"<?xml ")
}
