//! Writes a whole drawing: as the content of a page, or as a form for use on a page.

use super::{
    fonts::Set,
    painter::Painter,
    sheet::{Resources, Sheet},
};
use crate::{
    error::{Error, Result},
    image::vector::Drawing,
    job::{Job, Notes},
    object::File,
};
use pdf_writer::Ref;
use resvg::usvg::{Rect, Transform};

/// Writes the content stream of a page with a drawing, and all objects that it refers to except fonts. `page` moves the
/// unit square, the area of pictures in PDF (ISO 32000-1, 8.9.5), to the position of the drawing.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if a limit is exceeded.
pub fn content(
    job: &Job<'_>,
    drawing: &Drawing,
    file: &mut File<'_>,
    page: Transform,
    set: Set<'_>,
    notes: &mut Notes,
) -> Result<(Ref, Resources)> {
    let content = file.next();
    let sheet = sheet(job, drawing, file, page, set, notes)?;
    let resources = sheet.write(file, content);
    Ok((content, resources))
}

/// Writes a drawing as a form that fills the unit square, like an image object, and all objects that it refers to
/// except fonts. `shown` is its width and height in points, which determine the precision of numbers.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if a limit is exceeded.
pub fn form(
    job: &Job<'_>,
    drawing: &Drawing,
    file: &mut File<'_>,
    shown: (f32, f32),
    set: Set<'_>,
    notes: &mut Notes,
) -> Result<Ref> {
    let (width, height) = shown;
    let within = Rect::from_xywh(0.0, 0.0, width, height)
        .ok_or_else(|| Error::internal("a drawing without a size", job.from.name))?;
    let scale = Transform::from_scale(width, height);
    let sheet = sheet(job, drawing, file, scale, set, notes)?;
    let form = file.next();
    let unit = Transform::from_scale(1.0 / width, 1.0 / height);
    sheet.write_placed(file, form, within, unit);
    Ok(form)
}

/// Draws a whole drawing into a new content stream.
fn sheet(
    job: &Job<'_>,
    drawing: &Drawing,
    file: &mut File<'_>,
    from_unit: Transform,
    set: Set<'_>,
    notes: &mut Notes,
) -> Result<Sheet> {
    let size = drawing.tree.size();
    // In the unit square, y increases upwards; in a drawing, downwards and in its own units.
    let page = from_unit
        .pre_concat(Transform::from_row(1.0, 0.0, 0.0, -1.0, 0.0, 1.0))
        .pre_scale(1.0 / size.width(), 1.0 / size.height());
    let mut painter = Painter::new(job, drawing, file, page, set)?;
    let mut sheet = Sheet::new(page);
    sheet.save();
    sheet.transform(page);
    if let Some(all) = size.to_rect(0.0, 0.0) {
        sheet.clip(all);
    }
    painter.all(&mut sheet)?;
    sheet.restore();
    painter.add_notes(notes);
    Ok(sheet)
}
