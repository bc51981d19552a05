//! Pictures in headers and footers (ECMA-376 part 1, 18.3.1.37), which are shapes of a VML drawing with names that
//! state their places. Also reads the time of the last save. Decodes no pictures.

use super::MAX_PART;
use crate::{
    containers::xml::{Node, Reader},
    error::Result,
    ooxml::{NAMESPACES, Package},
    shown::{
        book::{Grid, MarginPicture},
        header::Saved,
    },
};
use convertd_tree::Builder;

/// Number of places: three sections each of header and footer, for all pages, the first page, and even pages.
const MAX: usize = 18;

/// A shape: its name, the relationship to its picture, and its width and height in points.
type Shape = (Box<str>, String, (f32, f32));

/// Time of the last save (ECMA-376 part 2, 8.3.5), if stated.
pub(in crate::formats) fn saved(package: &mut Package<'_>) -> Result<Option<Saved>> {
    let references = package.references("")?;
    let Some((part, _)) = package.part("core-properties", &references) else {
        return Ok(None);
    };
    let Some(text) = package.text(&part, 1 << 20)? else {
        return Ok(None);
    };
    let moment = || {
        let mut xml = Reader::new(package.job, &text, NAMESPACES);
        xml.root()?;
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            if element.name == "modified" {
                let node = Node::read(&mut xml, element)?;
                return Ok(Saved::parse(node.text.trim()));
            }
        }
        Ok(None)
    };
    // Damaged properties must not prevent the conversion of the sheets.
    let moment: Result<_> = moment();
    Ok(moment.unwrap_or_default())
}

/// Reads the VML drawing with relationship `id` of the sheet's part.
pub(in crate::formats) fn read(
    package: &mut Package<'_>,
    part: &str,
    id: &str,
    grid: &mut Grid,
    build: &mut Builder<'_>,
) -> Result<()> {
    let references = package.references(part)?;
    let Some(drawing) = references.into_iter().find(|one| one.id == id) else {
        return Ok(());
    };
    let Some(text) = package.text(&drawing.target, MAX_PART)? else {
        return Ok(());
    };
    package.grow(4 * text.len() as u64)?;
    // A damaged drawing must not prevent the conversion of the workbook.
    let shapes = shapes(&mut Reader::new(package.job, &text, NAMESPACES)).unwrap_or_default();
    let references = package.references(&drawing.target)?;
    for (place, id, size) in shapes {
        let Some(picture) = references.iter().find(|one| one.id == id) else {
            continue;
        };
        let Some(bytes) = package.blob(&picture.target, MAX_PART)? else {
            continue;
        };
        let name = picture.target.rsplit('/').next().unwrap_or_default();
        grid.margin_pictures.push(MarginPicture {
            place,
            picture: build.resource(bytes, name, None)?,
            size,
        });
    }
    Ok(())
}

/// Reads the VML shapes of pictures in headers and footers.
fn shapes(xml: &mut Reader<'_>) -> Result<Vec<Shape>> {
    xml.root()?;
    let level = xml.level();
    let mut shapes = Vec::new();
    while let Some(element) = xml.next_element(level)? {
        if element.name != "shape" || shapes.len() >= MAX {
            continue;
        }
        let node = Node::read(xml, element)?;
        shapes.extend(shape(&node));
    }
    Ok(shapes)
}

/// Reads a shape. `None` if it has no picture, size or name.
fn shape(node: &Node<'_>) -> Option<Shape> {
    let data = node.named("imagedata")?;
    let id = data.attribute("relid").or_else(|| data.attribute("id"))?;
    let style = node.attribute("style")?;
    let size = (length(&style, "width")?, length(&style, "height")?);
    let place = node.attribute("id")?.chars().take(16).collect();
    Some((place, id.into_owned(), size))
}

/// Length in a CSS style such as `width:60pt;height:20.25pt`, in points.
fn length(style: &str, name: &str) -> Option<f32> {
    let mut parts = style.split(';').filter_map(|part| part.split_once(':'));
    let (_, value) = parts.find(|(known, _)| known.trim() == name)?;
    let value = value.trim();
    let end = value.find(|c: char| c.is_ascii_alphabetic());
    let (number, unit) = value.split_at(end.unwrap_or(value.len()));
    let unit = match unit {
        "" | "px" => 0.75,
        "in" => 72.0,
        "cm" => 72.0 / 2.54,
        "mm" => 72.0 / 25.4,
        _ => 1.0,
    };
    let number = number.trim().parse::<f32>().ok()?;
    Some(number * unit).filter(|points| (0.5..=3600.0).contains(points))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_units() {
        #[track_caller]
        fn check(style: &str, points: Option<f32>) {
            assert_eq!(length(style, "width"), points);
        }
        check("position:absolute; width:60.5pt;height:3pt", Some(60.5));
        check("width:2in", Some(144.0));
        check("WIDTH:2in", None);
        check("width:99999pt", None);
        check("width:", None);
    }
}
