//! Comments on cells (ECMA-376 part 1, 18.7). Excel shows them only if each has a text box in a VML drawing, too
//! (part 4, 19). Reads nothing.

use super::super::write::{HEAD, MAIN, OFFICE};
use crate::{
    cells::letters,
    containers::zip::{self, Packing},
    error::Result,
    ooxml::escaped,
    shown::book::{Book, Comment, Grid},
};
use std::{collections::HashMap, fmt::Write as _};

/// Identifier of the relationship of a sheet to the text boxes of its comments.
pub(super) const DRAWING: &str = "rIdBoxes";

/// Content types of the parts with comments.
pub(super) fn types(book: &Book) -> String {
    let mut xml = String::new();
    for (number, grid) in book.grids.iter().enumerate() {
        if grid.comments.is_empty() {
            continue;
        }
        if xml.is_empty() {
            xml += "<Default Extension=\"vml\" ContentType=\"application/vnd.openxmlformats-officedocument.vmlDrawing\"/>";
        }
        let _ = write!(
            xml,
            "<Override PartName=\"/xl/comments{}.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml\"/>",
            number + 1
        );
    }
    xml
}

/// Relationships of a sheet to its comments and their text boxes.
pub(super) fn references(number: usize) -> String {
    format!(
        "<Relationship Id=\"rIdComments\" Type=\"{OFFICE}/comments\" Target=\"../comments{number}.xml\"/><Relationship Id=\"{DRAWING}\" Type=\"{OFFICE}/vmlDrawing\" Target=\"../drawings/vmlDrawing{number}.vml\"/>"
    )
}

/// Writes the comments of a sheet and the VML drawing with their text boxes. `number` of the sheet begins with 1.
pub(super) fn write(grid: &Grid, number: usize, zip: &mut zip::Writer<'_>) -> Result<()> {
    let mut authors: Vec<&str> = Vec::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut list = String::new();
    let mut boxes = String::from(
        "<xml xmlns:v=\"urn:schemas-microsoft-com:vml\" xmlns:o=\"urn:schemas-microsoft-com:office:office\" xmlns:x=\"urn:schemas-microsoft-com:office:excel\"><v:shapetype id=\"box\" coordsize=\"21600,21600\" o:spt=\"202\" path=\"m,l,21600r21600,l21600,xe\"/>",
    );
    for comment in &grid.comments {
        let author = *numbers.entry(&comment.author).or_insert_with(|| {
            authors.push(&comment.author);
            authors.len() - 1
        });
        let _ = write!(
            list,
            "<comment ref=\"{}{}\" authorId=\"{author}\"><text><t xml:space=\"preserve\">{}</t></text></comment>",
            letters(comment.column),
            comment.row + 1,
            escaped(&comment.text)
        );
        boxes += &self::box_of(comment);
    }
    boxes += "</xml>";
    let mut xml = format!("{HEAD}<comments xmlns=\"{MAIN}\"><authors>");
    for author in authors {
        let _ = write!(xml, "<author>{}</author>", escaped(author));
    }
    let _ = write!(
        xml,
        "</authors><commentList>{list}</commentList></comments>"
    );
    zip.add(
        &format!("xl/comments{number}.xml"),
        xml.as_bytes(),
        Packing::Deflated,
    )?;
    let name = format!("xl/drawings/vmlDrawing{number}.vml");
    zip.add(&name, boxes.as_bytes(), Packing::Deflated)
}

/// Hidden text box beside the cell of a comment, two columns wide. It spans the row above the cell, its own row and
/// the three rows below.
fn box_of(comment: &Comment) -> String {
    let (row, column) = (comment.row, comment.column);
    format!(
        "<v:shape type=\"#box\" style=\"position:absolute;visibility:hidden\" fillcolor=\"#ffffe1\" o:insetmode=\"auto\"><v:fill color2=\"#ffffe1\"/><v:textbox/><x:ClientData ObjectType=\"Note\"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>{}, 15, {}, 2, {}, 15, {}, 4</x:Anchor><x:AutoFill>False</x:AutoFill><x:Row>{row}</x:Row><x:Column>{column}</x:Column></x:ClientData></v:shape>",
        column + 1,
        row.saturating_sub(1),
        column + 3,
        row + 4
    )
}
