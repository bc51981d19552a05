//! Drawings of a sheet (MS-XLS 2.5.193; MS-ODRAW): pictures, charts and shapes with their anchors. Decodes no
//! pictures.
//!
//! All shapes of a sheet form one OfficeArt record, which is split over several records of the workbook. A shape that
//! is an object also has an object record in the sheet. Only their common order connects shapes and objects.

use super::{
    super::{
        records::Records as Stream,
        sheet::{COMMENT, LIST},
    },
    charts,
    globals::Globals,
    markup::Markup,
    objects::{CHART, Objects},
};
use crate::{
    containers::{
        fields::Fields,
        xml::{Node, Reader},
    },
    error::Result,
    formats::xlsx::shown::series::filled,
    job::Notes,
    ooxml::NAMESPACES,
    shown::book::{Anchor, Extent, Grid, MAX_LIST, Palette, Placed},
};
use convertd_office::{
    art::{Properties, Record, blip, property},
    drawing::{Chart, Theme, draw_anchored, draw_chart},
    wordprocessing::charts::DRAWING,
};
use convertd_tree::{Builder, ResourceId};
use std::collections::HashMap;

// Types of OfficeArt records (MS-ODRAW 2.2).
/// Store of the pictures (`OfficeArtBStoreContainer`).
pub(super) const STORE: u16 = 0xf001;
/// A group of shapes (`OfficeArtSpgrContainer`).
pub(super) const GROUP: u16 = 0xf003;
/// A shape (`OfficeArtSpContainer`).
pub(super) const SHAPE: u16 = 0xf004;
/// Anchor of a shape to cells (`OfficeArtClientAnchor`).
pub(super) const ANCHOR: u16 = 0xf010;
/// Marker of an object record (`OfficeArtClientData`).
const OBJECT: u16 = 0xf011;

/// Upper bound of the memory for decompressing a picture, as a multiple of its size.
const MAX_GROWTH: u64 = 16;

/// Maximum nesting of groups.
const MAX_DEPTH: usize = 32;

/// Context that drawings are created in.
pub(super) struct DrawingContext<'t, 'b, 'j> {
    /// Names, fonts and pictures of the workbook.
    pub(super) globals: &'t Globals,
    /// Colours to which shapes refer by index.
    pub(super) palette: &'t Palette,
    /// Memory that the reader of the sheets holds, in bytes. The memory of a drawing is added to it while the drawing
    /// is created.
    pub(super) memory: u64,
    /// Builder of the document that contains the drawings.
    pub(super) build: &'b mut Builder<'j>,
    pub(super) notes: &'b mut Notes,
}

/// Reads the drawings of a sheet, by its index among the sheets that are read.
pub(super) fn read(
    stream: &mut Stream<'_>,
    objects: &Objects,
    (grids, at): (&[Grid], usize),
    context: &mut DrawingContext<'_, '_, '_>,
) -> Result<Vec<Placed>> {
    let mut placed = Vec::new();
    if let (Some((begin, place)), Some(grid)) = (&objects.chart, grids.get(at)) {
        let size = grid.extent(&place.0, &place.1);
        let picture = chart(stream, *begin, size, grids, context)?;
        add_notes(usize::from(picture.is_none()), grid, context.notes);
        placed.extend(picture.map(|picture| Placed {
            from: place.0,
            extent: place.1,
            picture,
            alternative: grid.sheet.name().into(),
        }));
        return Ok(placed);
    }
    let (Some(grid), Some(sheet)) = (grids.get(at), Record::first(Fields(&objects.art))) else {
        return Ok(placed);
    };
    // Pictures of the whole workbook, which shapes refer to by number from 1.
    let store = Record::first(Fields(&context.globals.art)).and_then(|all| all.child(STORE));
    let store: Vec<Record<'_>> = store
        .map(|store| store.records().take(MAX_LIST).collect())
        .unwrap_or_default();
    // Several shapes may show the same picture, which is stored once.
    let mut known: HashMap<u32, Option<ResourceId>> = HashMap::new();
    let mut next = objects.all.iter();
    let mut left_out = 0;
    // The first shape stands for the sheet itself.
    let all = sheet.child(GROUP).unwrap_or_default().records().skip(1);
    for record in all.take(MAX_LIST) {
        let shape = match record.kind {
            GROUP => record.child(SHAPE).unwrap_or_default(),
            SHAPE => record,
            _ => continue,
        };
        let mut own = Vec::new();
        // A group takes the objects of all shapes in it, to keep both lists in step.
        for _ in 0..count(record, MAX_DEPTH) {
            own.extend(next.next());
        }
        let object = own.first().copied();
        let kind = object.map_or(0, |object| object.kind);
        if matches!(kind, COMMENT | LIST) {
            continue;
        }
        let Some((from, extent)) = place(shape, grid) else {
            continue;
        };
        let properties = Properties::of(shape);
        let size = grid.extent(&from, &extent);
        let number = properties
            .value(property::PICTURE)
            .filter(|number| *number > 0 && record.kind == SHAPE);
        let made = match (number, kind) {
            (_, CHART) => match object.and_then(|object| object.chart) {
                Some(begin) => chart(stream, begin, size, grids, context)?,
                None => None,
            },
            (Some(number), _) => match known.get(&number) {
                Some(known) => *known,
                None => {
                    let made = picture(&store, number, stream.job.input_len, context)?;
                    known.insert(number, made);
                    made
                }
            },
            (None, _) => {
                let markup = Markup::new(context.palette, &context.globals.fonts, &own);
                match markup.write(record, size) {
                    Some(xml) => draw_translated(stream, &xml, size, context)?,
                    None => None,
                }
            }
        };
        left_out += usize::from(made.is_none());
        if let Some(picture) = made {
            let words = properties.text(property::DESCRIPTION).unwrap_or_default();
            placed.push(Placed {
                from,
                extent,
                picture,
                alternative: words.trim().chars().take(1024).collect(),
            });
        }
    }
    add_notes(left_out, grid, context.notes);
    Ok(placed)
}

/// Adds a note about objects that cannot be drawn.
fn add_notes(left_out: usize, grid: &Grid, notes: &mut Notes) {
    if left_out > 0 {
        let name = grid.sheet.name();
        notes.add(format!(
            "Charts, shapes and pictures on the sheet {name:?} that cannot be drawn were left out: {left_out}."
        ));
    }
}

/// Draws the chart at a position of the stream.
fn chart(
    stream: &mut Stream<'_>,
    begin: u64,
    (width, height): (f32, f32),
    grids: &[Grid],
    context: &mut DrawingContext<'_, '_, '_>,
) -> Result<Option<ResourceId>> {
    stream.seek(begin);
    let Some(xml) = charts::read(stream, context.globals, context.palette)? else {
        return Ok(None);
    };
    let xml = filled(&xml, grids);
    context
        .build
        .own_memory(context.memory + 8 * xml.len() as u64)?;
    let chart = Chart::read(&mut Reader::new(stream.job, &xml, NAMESPACES)).unwrap_or_default();
    let theme = Theme::default();
    let size = (width.into(), height.into());
    let resource = match draw_chart(&chart, &theme, &theme.palette, size) {
        Some(svg) => Some(context.build.resource(svg, "", Some(DRAWING))?),
        None => None,
    };
    context.build.own_memory(context.memory)?;
    Ok(resource)
}

/// Number of objects in a shape or group.
fn count(record: Record<'_>, depth: usize) -> usize {
    match record.kind {
        GROUP if depth > 0 => record.records().map(|one| count(one, depth - 1)).sum(),
        SHAPE => usize::from(record.child(OBJECT).is_some()),
        _ => 0,
    }
}

/// Picture with this number in the store, counted from 1.
pub(super) fn picture(
    store: &[Record<'_>],
    number: u32,
    input: u64,
    context: &mut DrawingContext<'_, '_, '_>,
) -> Result<Option<ResourceId>> {
    let at = (number as usize).checked_sub(1);
    let Some(stored) = at.and_then(|at| store.get(at)) else {
        return Ok(None);
    };
    let budget = (stored.data.len() as u64).min(input) * MAX_GROWTH;
    context.build.own_memory(context.memory + budget)?;
    let resource = match blip(*stored) {
        Some(bytes) => Some(context.build.resource(bytes, "", None)?),
        None => None,
    };
    context.build.own_memory(context.memory)?;
    Ok(resource)
}

/// Draws a shape or group that was translated to DrawingML.
fn draw_translated(
    stream: &Stream<'_>,
    xml: &str,
    size: (f32, f32),
    context: &mut DrawingContext<'_, '_, '_>,
) -> Result<Option<ResourceId>> {
    let mut reader = Reader::new(stream.job, xml, NAMESPACES);
    reader.root()?;
    let level = reader.level();
    let Some(element) = reader.next_element(level)? else {
        return Ok(None);
    };
    let node = Node::read(&mut reader, element)?;
    let theme = Theme::default();
    // A horizontal or vertical line has a height or width of 0, but is drawn with a pen, so each side has at least a
    // point.
    let size = (f64::from(size.0.max(1.0)), f64::from(size.1.max(1.0)));
    match draw_anchored(&node, &theme, &theme.palette, size) {
        Some(svg) => Ok(Some(context.build.resource(svg, "", Some(DRAWING))?)),
        None => Ok(None),
    }
}

/// Reads the anchor of a shape: two cells, each with an offset in 1,024ths of its width and 256ths of its height.
fn place(shape: Record<'_>, grid: &Grid) -> Option<(Anchor, Extent)> {
    let anchor = shape.child(ANCHOR)?.data;
    if anchor.len() < 18 {
        return None;
    }
    let point = |at: usize| {
        let (column, row) = (u32::from(anchor.u16(at)), u32::from(anchor.u16(at + 4)));
        let across = f32::from(anchor.u16(at + 2).min(1024)) / 1024.0;
        let down = f32::from(anchor.u16(at + 6).min(256)) / 256.0;
        let line = grid.row(row);
        let height = match line.is_some_and(|line| line.hidden) {
            true => 0.0,
            false => grid.height(line),
        };
        Anchor {
            row,
            column: column.min(255),
            x: across * grid.width(column),
            y: down * height,
        }
    };
    Some((point(2), Extent::To(point(10))))
}
