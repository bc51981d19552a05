//! Pictures of sheets (OpenDocument 1.3 part 3, 9.2.8 and 10.4.2): each is a file of the package and a frame at its
//! place on the sheet.

use crate::{
    coding::escape::escaped,
    shown::{
        book::{Book, Grid},
        inserted::Pictures,
    },
};
use std::fmt::Write as _;

/// Media types that office programs read in a package.
pub(in crate::formats::ods) const ACCEPTED: &[&str] = &[
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/bmp",
    "image/tiff",
    "image/svg+xml",
    "image/emf",
    "image/wmf",
];

/// Beginning of the names of pictures in the package.
pub(super) const PREFIX: &str = "Pictures/";

/// Entries of the manifest.
pub(super) fn entries(book: &Book, pictures: &Pictures) -> String {
    let mut xml = String::new();
    for (name, media_type) in pictures.all(book).filter_map(|one| pictures.name(one)) {
        let _ = write!(
            xml,
            "<manifest:file-entry manifest:full-path=\"{PREFIX}{name}\" manifest:media-type=\"{media_type}\"/>"
        );
    }
    xml
}

/// Writes the frames of a sheet, which precede its columns.
pub(super) fn frames(grid: &Grid, pictures: &Pictures, out: &mut String) {
    let mut kept = pictures.kept(&grid.pictures).peekable();
    if kept.peek().is_none() {
        return;
    }
    out.push_str("<table:shapes>");
    for (number, placed) in kept.enumerate() {
        let Some((name, _)) = pictures.name(placed.picture) else {
            continue;
        };
        let (x, y) = grid.point(&placed.from);
        let (width, height) = grid.extent(&placed.from, &placed.extent);
        let _ = write!(
            out,
            "<draw:frame draw:z-index=\"{number}\" svg:x=\"{x:.2}pt\" svg:y=\"{y:.2}pt\" svg:width=\"{:.2}pt\" svg:height=\"{:.2}pt\">\
             <draw:image xlink:href=\"{PREFIX}{name}\" xlink:type=\"simple\" xlink:show=\"embed\" xlink:actuate=\"onLoad\"/>",
            width.max(0.0),
            height.max(0.0)
        );
        if !placed.alternative.is_empty() {
            let _ = write!(out, "<svg:desc>{}</svg:desc>", escaped(&placed.alternative));
        }
        out.push_str("</draw:frame>");
    }
    out.push_str("</table:shapes>");
}
