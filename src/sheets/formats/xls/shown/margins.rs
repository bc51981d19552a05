//! Pictures in headers and footers (MS-XLS 2.4.138). Their drawing is separate from that of the sheet, and their
//! files are in a store of their own in the workbook globals. Each shape has a size, and a name that states its
//! place, but no anchor. Decodes no pictures.

use super::{
    drawing::{ANCHOR, DrawingContext, GROUP, SHAPE, STORE, picture},
    margin_art::Art,
};
use crate::{error::Result, shown::book::MarginPicture};
use convertd_office::art::{Properties, Record, property};

/// Number of places: three sections each of header and footer, for all pages, the first page, and even pages.
const MAX: usize = 18;

/// Pixels per point. Sizes are stored in pixels of 1/96 inch.
const PIXELS: f32 = 96.0 / 72.0;

/// Reads the pictures in the headers and footers of a sheet.
pub(super) fn read(
    art: &Art,
    input: u64,
    context: &mut DrawingContext<'_, '_, '_>,
) -> Result<Vec<MarginPicture>> {
    let record = |bytes| Record::first(crate::containers::fields::Fields(bytes));
    let store = record(&context.globals.margins.store).and_then(|all| all.child(STORE));
    let (Some(store), Some(drawing)) = (store, record(&art.shapes)) else {
        return Ok(Vec::new());
    };
    let store: Vec<Record<'_>> = store.records().take(MAX * 256).collect();
    let shapes = drawing.child(GROUP).unwrap_or_default().records();
    let shapes = shapes.filter(|record| record.kind == SHAPE);
    let mut placed = Vec::new();
    for shape in shapes.take(MAX + 1) {
        let properties = Properties::of(shape);
        let (Some(place), Some(size), Some(number)) = (
            properties.text(property::NAME),
            size(shape),
            properties.value(property::PICTURE),
        ) else {
            continue;
        };
        if let Some(picture) = picture(&store, number, input, context)? {
            placed.push(MarginPicture {
                place: place.chars().take(16).collect(),
                picture,
                size,
            });
        }
    }
    Ok(placed)
}

/// Width and height of a shape, in points (2.5.196).
fn size(shape: Record<'_>) -> Option<(f32, f32)> {
    let anchor = shape.child(ANCHOR)?.data;
    let length = |at| {
        let points = anchor.i32(at) as f32 / PIXELS;
        (0.5..=3600.0).contains(&points).then_some(points)
    };
    Some((length(0)?, length(4)?))
}
