//! Pictures of sheets (OpenDocument 1.3 part 3, 9.2.8 and 10.4.2): each is a file of the package and a frame at its
//! place on the sheet.

use crate::{
    coding::escape::escaped,
    containers::zip,
    error::Result,
    shown::{
        book::{Book, Grid},
        inserted::{Pictures, packing},
    },
};
use convertd_tree::{ResourceId, media};
use std::{collections::BTreeMap, fmt::Write as _};

/// Media types that office programs read in a package.
pub(in crate::formats::ods) const HELD: &[&str] = &[
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/bmp",
    "image/tiff",
    "image/svg+xml",
    "image/emf",
    "image/wmf",
];

/// Name of a picture's file, and its media type.
fn name(pictures: &Pictures, picture: ResourceId) -> Option<(String, &str)> {
    let (_, media_type) = pictures.file(picture)?;
    let (number, extension) = (picture.index() + 1, media::extension(media_type));
    Some((format!("Pictures/{number}.{extension}"), media_type))
}

/// Pictures that the sheets show, each once.
fn all(book: &Book, pictures: &Pictures) -> Vec<ResourceId> {
    let shown = book
        .grids
        .iter()
        .flat_map(|grid| pictures.kept(&grid.pictures));
    let shown = shown.map(|placed| (placed.picture.index(), placed.picture));
    shown.collect::<BTreeMap<_, _>>().into_values().collect()
}

/// Entries of the manifest.
pub(super) fn entries(book: &Book, pictures: &Pictures) -> String {
    let mut xml = String::new();
    for picture in all(book, pictures) {
        if let Some((name, media_type)) = name(pictures, picture) {
            let _ = write!(
                xml,
                "<manifest:file-entry manifest:full-path=\"{name}\" manifest:media-type=\"{media_type}\"/>"
            );
        }
    }
    xml
}

/// Writes the files.
pub(super) fn files(book: &Book, pictures: &Pictures, zip: &mut zip::Writer<'_>) -> Result<()> {
    for picture in all(book, pictures) {
        if let (Some((name, _)), Some((bytes, media_type))) =
            (name(pictures, picture), pictures.file(picture))
        {
            zip.add(&name, bytes, packing(media_type))?;
        }
    }
    Ok(())
}

/// Writes the frames of a sheet, which stand before its columns.
pub(super) fn frames(grid: &Grid, pictures: &Pictures, out: &mut String) {
    let mut kept = pictures.kept(&grid.pictures).peekable();
    if kept.peek().is_none() {
        return;
    }
    out.push_str("<table:shapes>");
    for (number, placed) in kept.enumerate() {
        let Some((name, _)) = name(pictures, placed.picture) else {
            continue;
        };
        let (x, y) = grid.point(&placed.from);
        let (width, height) = grid.extent(&placed.from, &placed.extent);
        let _ = write!(
            out,
            "<draw:frame draw:z-index=\"{number}\" svg:x=\"{x:.2}pt\" svg:y=\"{y:.2}pt\" svg:width=\"{:.2}pt\" svg:height=\"{:.2}pt\">\
             <draw:image xlink:href=\"{name}\" xlink:type=\"simple\" xlink:show=\"embed\" xlink:actuate=\"onLoad\"/>",
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
