//! Pictures of sheets (ECMA-376 part 1, 20.5). A sheet with pictures has a drawing part, which places each of them.

use super::super::write::{HEAD, OFFICE, PACKAGE};
use crate::{
    containers::zip::{self, Packing},
    error::Result,
    ooxml::escaped,
    shown::{
        book::{Anchor, Book, Extent, Grid},
        inserted::Pictures,
    },
};
use convertd_tree::{POINT, media};
use std::{collections::BTreeMap, fmt::Write as _};

/// Media types that Excel reads.
pub(in crate::formats::xlsx) const ACCEPTED: &[&str] = &[
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/tiff",
    "image/emf",
    "image/wmf",
];

/// Beginning of the names of pictures in the package.
pub(super) const PREFIX: &str = "xl/media/image";

/// Identifier of the relationship of a sheet to its drawing.
pub(super) const DRAWING: &str = "rIdDrawing";

/// Content types of the pictures and drawings.
pub(super) fn types(book: &Book, pictures: &Pictures) -> String {
    let types = pictures.all(book).filter_map(|one| pictures.name(one));
    let types: BTreeMap<_, _> = types.map(|(_, one)| (media::extension(one), one)).collect();
    let mut xml = String::new();
    for (extension, media_type) in types {
        let _ = write!(
            xml,
            "<Default Extension=\"{extension}\" ContentType=\"{media_type}\"/>"
        );
    }
    for (number, grid) in (1..).zip(&book.grids) {
        if pictures.kept(&grid.pictures).next().is_some() {
            let _ = write!(
                xml,
                "<Override PartName=\"/xl/drawings/drawing{number}.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.drawing+xml\"/>"
            );
        }
    }
    xml
}

/// Relationship of a sheet to its drawing.
pub(super) fn reference(number: usize) -> String {
    format!(
        "<Relationship Id=\"{DRAWING}\" Type=\"{OFFICE}/drawing\" Target=\"../drawings/drawing{number}.xml\"/>"
    )
}

/// Writes the drawing of a sheet and its relationships. `number` of the sheet begins with 1.
pub(super) fn write(
    grid: &Grid,
    number: usize,
    pictures: &Pictures,
    zip: &mut zip::Writer<'_>,
) -> Result<()> {
    let mut xml = format!(
        "{HEAD}<xdr:wsDr xmlns:xdr=\"http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing\" xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" xmlns:r=\"{OFFICE}\">"
    );
    let mut references = format!("{HEAD}<Relationships xmlns=\"{PACKAGE}/relationships\">");
    for (id, placed) in pictures.kept(&grid.pictures).enumerate() {
        let id = id + 1;
        let Some((name, _)) = pictures.name(placed.picture) else {
            continue;
        };
        let _ = write!(
            references,
            "<Relationship Id=\"rId{id}\" Type=\"{OFFICE}/image\" Target=\"../media/image{name}\"/>"
        );
        let (width, height) = grid.extent(&placed.from, &placed.extent);
        let (width, height) = (units(width), units(height));
        let (begin, end) = match &placed.extent {
            Extent::To(to) => (
                format!(
                    "<xdr:twoCellAnchor editAs=\"oneCell\">{}{}",
                    corner("from", &placed.from),
                    corner("to", to)
                ),
                "</xdr:twoCellAnchor>",
            ),
            Extent::Size(..) => (
                format!(
                    "<xdr:oneCellAnchor>{}<xdr:ext cx=\"{width}\" cy=\"{height}\"/>",
                    corner("from", &placed.from)
                ),
                "</xdr:oneCellAnchor>",
            ),
        };
        let _ = write!(
            xml,
            "{begin}<xdr:pic><xdr:nvPicPr><xdr:cNvPr id=\"{id}\" name=\"Picture {id}\" descr=\"{}\"/><xdr:cNvPicPr><a:picLocks noChangeAspect=\"1\"/></xdr:cNvPicPr></xdr:nvPicPr>\
             <xdr:blipFill><a:blip r:embed=\"rId{id}\"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill>\
             <xdr:spPr><a:xfrm><a:off x=\"0\" y=\"0\"/><a:ext cx=\"{width}\" cy=\"{height}\"/></a:xfrm><a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic><xdr:clientData/>{end}",
            escaped(&placed.alternative)
        );
    }
    xml += "</xdr:wsDr>";
    references += "</Relationships>";
    let name = format!("xl/drawings/drawing{number}.xml");
    zip.add(&name, xml.as_bytes(), Packing::Deflated)?;
    let name = format!("xl/drawings/_rels/drawing{number}.xml.rels");
    zip.add(&name, references.as_bytes(), Packing::Deflated)
}

/// Corner of a picture: a cell, and the distance from its upper left corner.
fn corner(name: &str, at: &Anchor) -> String {
    format!(
        "<xdr:{name}><xdr:col>{}</xdr:col><xdr:colOff>{}</xdr:colOff><xdr:row>{}</xdr:row><xdr:rowOff>{}</xdr:rowOff></xdr:{name}>",
        at.column,
        units(at.x),
        at.row,
        units(at.y)
    )
}

/// English Metric Units of a length in points.
fn units(points: f32) -> i64 {
    (points.max(0.0) * POINT as f32).round() as i64
}
