//! Drawing of a sheet (ECMA-376 part 1, 20.5): pictures, charts and shapes with their anchors. Decodes no pictures.

use super::{MAX_PART, series};
use crate::{
    containers::xml::{Node, Reader},
    error::Result,
    job::Notes,
    ooxml::{NAMESPACES, Package, Reference},
    shown::book::{Anchor, Extent, Grid, MAX_LIST, Placed},
};
use convertd_office::{
    drawing::{Chart, Theme, draw_anchored, draw_chart},
    wordprocessing::charts,
};
use convertd_tree::{Builder, POINT, ResourceId};

/// Context that drawings are created in.
pub(in crate::formats) struct DrawingContext<'t, 'b, 'j> {
    /// Colours and fonts of the workbook.
    pub(in crate::formats) theme: &'t Theme,
    /// Builder of the document that contains the drawings.
    pub(in crate::formats) build: &'b mut Builder<'j>,
    pub(in crate::formats) notes: &'b mut Notes,
}

/// Anchor and extent of an object.
pub(in crate::formats) type Place = (Anchor, Extent);

/// Drawing of a sheet, before its part is read.
pub(in crate::formats) struct Drawing<'d> {
    /// Index of the sheet among those that are read.
    pub(in crate::formats) at: usize,
    /// Name of the sheet's part.
    pub(in crate::formats) part: &'d str,
    /// Identifier of the relationship to the drawing's part.
    pub(in crate::formats) id: String,
    /// Place of all objects regardless of their anchors, on a chart sheet.
    pub(in crate::formats) place: Option<Place>,
}

/// Reads the drawing of a sheet.
pub(in crate::formats) fn read(
    package: &mut Package<'_>,
    drawing: &Drawing<'_>,
    grids: &[Grid],
    context: &mut DrawingContext<'_, '_, '_>,
) -> Result<Vec<Placed>> {
    let mut pictures = Vec::new();
    let Some(grid) = grids.get(drawing.at) else {
        return Ok(pictures);
    };
    let references = package.references(drawing.part)?;
    let Some(part) = references.into_iter().find(|one| one.id == drawing.id) else {
        return Ok(pictures);
    };
    let Some(text) = package.text(&part.target, MAX_PART)? else {
        return Ok(pictures);
    };
    let references = package.references(&part.target)?;
    let mut xml = Reader::new(package.job, &text, NAMESPACES);
    xml.root()?;
    let level = xml.level();
    let mut left_out = 0;
    while let Some(element) = xml.next_element(level)? {
        if pictures.len() >= MAX_LIST {
            break;
        }
        let node = Node::read(&mut xml, element)?;
        let place = drawing.place.or_else(|| read_place(&node));
        let Some((from, extent)) = place else {
            continue;
        };
        let Some(object) = object(&node) else {
            continue;
        };
        let size = grid.extent(&from, &extent);
        let made = match object.element.name {
            "pic" => picture(package, object, &references, context.build)?,
            "graphicFrame" => chart(package, object, &references, context, (size, grids))?,
            _ => shape(package, object, context, size)?,
        };
        left_out += usize::from(made.is_none()) + pictures_in_groups(object, 0);
        if let Some((picture, default)) = made {
            pictures.push(Placed {
                from,
                extent,
                picture,
                alternative: alternative_text(object).unwrap_or(default),
            });
        }
    }
    if left_out > 0 {
        let name = grid.sheet.name();
        context.notes.add(format!(
            "Charts, shapes and pictures on the sheet {name:?} that cannot be drawn were left out: {left_out}."
        ));
    }
    Ok(pictures)
}

/// Object at an anchor. Alternate content (part 3, 7.2) offers several objects; the first one that is supported is
/// taken.
fn object<'n, 'x>(anchor: &'n Node<'x>) -> Option<&'n Node<'x>> {
    let is_object = |node: &&Node<'_>| match node.element.name {
        "pic" | "sp" | "cxnSp" | "grpSp" => true,
        "graphicFrame" => relationship(node).is_some(),
        _ => false,
    };
    let mut direct = anchor.children.iter();
    direct.find(is_object).or_else(|| {
        let choices = anchor.all_named("AlternateContent");
        choices
            .flat_map(|node| &node.children)
            .flat_map(|node| &node.children)
            .find(is_object)
    })
}

/// Alternative text of an object, if it has any.
fn alternative_text(object: &Node<'_>) -> Option<Box<str>> {
    let about = object
        .children
        .iter()
        .find(|child| child.element.name.starts_with("nv"))?;
    let own = about.child("xdr", "cNvPr")?;
    let words = own
        .attribute("descr")
        .filter(|words| !words.trim().is_empty())?;
    Some(words.chars().take(1024).collect())
}

/// Number of pictures and charts in a group, which are not drawn.
fn pictures_in_groups(node: &Node<'_>, depth: usize) -> usize {
    if node.element.name != "grpSp" || depth > 16 {
        return 0;
    }
    let children = node.children.iter().map(|child| match child.element.name {
        "pic" | "graphicFrame" => 1,
        _ => pictures_in_groups(child, depth + 1),
    });
    children.sum()
}

/// A picture with its default alternative text, or `None` if nothing can be shown.
type DescribedPicture = Option<(ResourceId, Box<str>)>;

/// Reads a picture from the part that its relationship refers to.
fn picture(
    package: &mut Package<'_>,
    picture: &Node<'_>,
    references: &[Reference],
    build: &mut Builder<'_>,
) -> Result<DescribedPicture> {
    let blip = picture
        .child("xdr", "blipFill")
        .and_then(|fill| fill.child("a", "blip"));
    let Some(id) = blip.and_then(|blip| blip.attribute("embed")) else {
        return Ok(None);
    };
    let Some(part) = references.iter().find(|one| one.id == id) else {
        return Ok(None);
    };
    let Some(bytes) = package.blob(&part.target, MAX_PART)? else {
        return Ok(None);
    };
    let name = part.target.rsplit('/').next().unwrap_or_default();
    Ok(Some((build.resource(bytes, name, None)?, Box::default())))
}

/// Identifier of the relationship to the chart in a frame.
fn relationship(frame: &Node<'_>) -> Option<String> {
    let data = frame.child("a", "graphic")?.child("a", "graphicData")?;
    let chart = data.named("chart")?;
    let is_known = data.attribute("uri").is_some_and(|uri| {
        let known = [
            "drawingml/2006/chart",
            "drawingml/chart",
            "drawing/2014/chartex",
        ];
        known.iter().any(|known| uri.ends_with(known))
    });
    chart
        .attribute("id")
        .filter(|_| is_known)
        .map(|id| id.into_owned())
}

/// Reads and draws a chart. Values that the chart does not contain are taken from the cells.
fn chart(
    package: &mut Package<'_>,
    frame: &Node<'_>,
    references: &[Reference],
    context: &mut DrawingContext<'_, '_, '_>,
    (size, grids): ((f32, f32), &[Grid]),
) -> Result<DescribedPicture> {
    let id = relationship(frame);
    let part = references.iter().find(|one| Some(&one.id) == id.as_ref());
    let Some(part) = part else {
        return Ok(None);
    };
    let Some(text) = package.text(&part.target, MAX_PART)? else {
        return Ok(None);
    };
    let text = series::filled(&text, grids);
    package.grow(4 * text.len() as u64)?;
    // A damaged chart must not prevent the conversion of the workbook.
    let chart = Chart::read(&mut Reader::new(package.job, &text, NAMESPACES)).unwrap_or_default();
    let drawn = draw_chart(&chart, context.theme, &context.theme.palette, double(size));
    drawing(
        package,
        context.build,
        drawn,
        charts::alternative(&chart, None),
    )
}

/// Draws a shape or group of shapes.
fn shape(
    package: &mut Package<'_>,
    shape: &Node<'_>,
    context: &mut DrawingContext<'_, '_, '_>,
    size: (f32, f32),
) -> Result<DescribedPicture> {
    // A horizontal or vertical line has a height or width of 0, but is drawn with a pen, so each side has at least a
    // point.
    let size = (size.0.max(1.0), size.1.max(1.0));
    let drawn = draw_anchored(shape, context.theme, &context.theme.palette, double(size));
    drawing(package, context.build, drawn, Box::default())
}

/// Adds a drawing as a resource, with its alternative text.
fn drawing(
    package: &mut Package<'_>,
    build: &mut Builder<'_>,
    drawn: Option<Vec<u8>>,
    words: Box<str>,
) -> Result<DescribedPicture> {
    let Some(drawn) = drawn else {
        return Ok(None);
    };
    package.grow(2 * drawn.len() as u64)?;
    Ok(Some((
        build.resource(drawn, "", Some(charts::DRAWING))?,
        words,
    )))
}

/// Returns a size in double precision.
fn double(size: (f32, f32)) -> (f64, f64) {
    (size.0.into(), size.1.into())
}

/// Reads the place of an object (20.5.2.33). Its corners are offsets from cells, in English Metric Units.
fn read_place(node: &Node<'_>) -> Option<Place> {
    let point = |node: &Node<'_>| {
        let value = |name: &str| {
            let text = &node.child("xdr", name)?.text;
            text.trim()
                .parse::<f64>()
                .ok()
                .filter(|number| number.is_finite())
        };
        let index = |name, most: f64| value(name).unwrap_or(0.0).clamp(0.0, most) as u32;
        let offset = |name| (value(name).unwrap_or(0.0) / POINT).clamp(-1e5, 1e5) as f32;
        Anchor {
            row: index("row", 1_048_575.0),
            column: index("col", 16_383.0),
            x: offset("colOff"),
            y: offset("rowOff"),
        }
    };
    let emu = |node: &Node<'_>, name| {
        let number = node.attribute(name)?.trim().parse::<f64>().ok()?;
        number
            .is_finite()
            .then_some((number / POINT).clamp(-1e5, 1e5) as f32)
    };
    let from = node.child("xdr", "from").map(point);
    if let (Some(from), Some(to)) = (from, node.child("xdr", "to")) {
        return Some((from, Extent::To(point(to))));
    }
    let extent = node.child("xdr", "ext")?;
    let size = Extent::Size(emu(extent, "cx")?, emu(extent, "cy")?);
    let from = match (from, node.child("xdr", "pos")) {
        (Some(from), _) => from,
        (None, Some(position)) => Anchor {
            x: emu(position, "x")?,
            y: emu(position, "y")?,
            ..Anchor::default()
        },
        (None, None) => Anchor::default(),
    };
    Some((from, size))
}
