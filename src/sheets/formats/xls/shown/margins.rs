//! Pictures in headers and footers (MS-XLS 2.4.138). They are a drawing beside that of the sheet, with a store of pictures of its own in
//! the globals. Each shape has a name that says where it stands, and a size, but no cell. Decodes no picture.

use super::{
    drawing::{ANCHOR, GROUP, SHAPE, STORE, Tools, picture},
    margin_art::Art,
};
use crate::{error::Result, shown::book::MarginPicture};
use convertd_office::art::{Properties, Record, property};

/// Three sections of header and footer, on all pages, the first one, and even ones.
const MOST: usize = 18;

/// A point has this many of the pixels in which sizes are stored.
const PIXELS: f32 = 96.0 / 72.0;

/// Reads the pictures in headers and footers of a sheet.
pub(super) fn read(
    art: &Art,
    input: u64,
    tools: &mut Tools<'_, '_, '_>,
) -> Result<Vec<MarginPicture>> {
    let record = |bytes| Record::first(crate::containers::fields::Fields(bytes));
    let store = record(&tools.globals.margins.store).and_then(|all| all.child(STORE));
    let (Some(store), Some(drawing)) = (store, record(&art.shapes)) else {
        return Ok(Vec::new());
    };
    let store: Vec<Record<'_>> = store.records().take(MOST * 256).collect();
    let shapes = drawing.child(GROUP).unwrap_or_default().records();
    let shapes = shapes.filter(|record| record.kind == SHAPE);
    let mut placed = Vec::new();
    for shape in shapes.take(MOST + 1) {
        let properties = Properties::of(shape);
        let (Some(place), Some(size), Some(number)) = (
            properties.text(property::NAME),
            size(shape),
            properties.value(property::PICTURE),
        ) else {
            continue;
        };
        if let Some(picture) = picture(&store, number, input, tools)? {
            placed.push(MarginPicture {
                place: place.chars().take(16).collect(),
                picture,
                size,
            });
        }
    }
    Ok(placed)
}

/// The width and height of a shape in points (2.5.196).
fn size(shape: Record<'_>) -> Option<(f32, f32)> {
    let anchor = shape.child(ANCHOR)?.data;
    let length = |at| {
        let points = anchor.i32(at) as f32 / PIXELS;
        (0.5..=3600.0).contains(&points).then_some(points)
    };
    Some((length(0)?, length(4)?))
}
