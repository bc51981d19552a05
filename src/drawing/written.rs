//! A whole drawing, as the content of a page. Draws nothing itself.

use super::{
    painter::Painter,
    sheet::{Resources, Sheet},
    texts::Fonts,
};
use crate::{
    containers::pdf::File,
    error::Result,
    image::vector::Drawing,
    job::{Job, Notes},
};
use pdf_writer::Ref;
use resvg::usvg::Transform;

/// What all drawings of a file share.
pub(crate) struct Set<'s> {
    /// Their fonts, which are written when all drawings are.
    pub(crate) fonts: &'s mut Fonts,
    /// Whether viewers may be asked to smooth pixels that they enlarge, which archives do not allow (ISO 19005-2, 6.2.8).
    pub(crate) smooth: bool,
}

/// Writes the content stream of a page with a drawing on it, and all objects that it refers to but the fonts. `page` moves the
/// unit square, as PDF has it for pictures (ISO 32000-1, 8.9.5), to the place of the drawing.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if a limit is exceeded.
pub(crate) fn content(
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

fn sheet(
    job: &Job<'_>,
    drawing: &Drawing,
    file: &mut File<'_>,
    place: Transform,
    set: Set<'_>,
    notes: &mut Notes,
) -> Result<Sheet> {
    let size = drawing.tree.size();
    // The unit square extends upwards; a drawing extends downwards in its own units.
    let page = place
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
    painter.tell(notes);
    Ok(sheet)
}
