//! The drawing of a sheet (ECMA-376 part 1, 20.5): pictures and where they stand. Decodes none.

use super::MAX_PART;
use crate::{
    containers::xml::{Node, Reader},
    document::tree::Builder,
    error::Result,
    job::Notes,
    spreadsheet::{
        ooxml::{NAMESPACES, Package, Reference},
        shown::book::{Anchor, Extent, Grid, MAX_LIST, Placed},
    },
};

/// English Metric Units in a point.
const POINT: f64 = 12_700.0;

/// Reads the drawing with this relationship of a sheet's part.
pub(super) fn read(
    package: &mut Package<'_>,
    sheet: &str,
    id: &str,
    grid: &mut Grid,
    build: &mut Builder<'_>,
    notes: &mut Notes,
) -> Result<()> {
    let references = package.references(sheet)?;
    let Some(part) = references.into_iter().find(|one| one.id == id) else {
        return Ok(());
    };
    let Some(text) = package.text(&part.target, MAX_PART)? else {
        return Ok(());
    };
    let references = package.references(&part.target)?;
    let mut xml = Reader::new(package.job, &text, NAMESPACES);
    xml.root()?;
    let level = xml.level();
    let mut others = 0;
    while let Some(element) = xml.next_element(level)? {
        if grid.pictures.len() >= MAX_LIST {
            break;
        }
        let node = Node::read(&mut xml, element)?;
        let Some(picture) = node.child("xdr", "pic") else {
            let drawn = ["sp", "graphicFrame", "grpSp", "cxnSp"];
            others += usize::from(drawn.iter().any(|name| node.child("xdr", name).is_some()));
            continue;
        };
        if let Some(placed) = placed(package, &node, picture, &references, build)? {
            grid.pictures.push(placed);
        }
    }
    if others > 0 {
        let name = grid.sheet.name();
        notes.add(format!(
            "Charts and shapes on the sheet {name:?} were left out: {others}."
        ));
    }
    Ok(())
}

fn placed(
    package: &mut Package<'_>,
    node: &Node<'_>,
    picture: &Node<'_>,
    references: &[Reference],
    build: &mut Builder<'_>,
) -> Result<Option<Placed>> {
    let Some((from, extent)) = place(node) else {
        return Ok(None);
    };
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
    build.own_memory(package.reserved())?;
    let name = part.target.rsplit('/').next().unwrap_or_default();
    let id = build.resource(bytes, name, None)?;
    let about = picture
        .child("xdr", "nvPicPr")
        .and_then(|about| about.child("xdr", "cNvPr"));
    let words = about
        .and_then(|about| about.attribute("descr"))
        .unwrap_or_default();
    Ok(Some(Placed {
        from,
        extent,
        picture: id,
        alternative: words.chars().take(1024).collect(),
    }))
}

fn place(node: &Node<'_>) -> Option<(Anchor, Extent)> {
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
