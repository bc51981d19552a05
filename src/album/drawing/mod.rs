//! A drawing on a page of a PDF: resvg's tree of it, written as operators of a content stream.
//!
//! ```text
//! groups ──► paths, texts, images ──► paint ──► gradients
//!   │                                   │          │
//!   └──► clips (clip paths, masks)      ▼          ▼
//!                                     sheet (a content stream)
//! ```
//! What SVG and PDF have in common goes over as it is: paths, strokes, transforms, opacity, blend modes, gradients, tiling
//! patterns, glyphs. What PDF has otherwise becomes something that looks the same: clip paths of overlapping shapes are soft
//! masks, opacity of stops is a second gradient in a soft mask, a gradient that repeats is one with many stops. Filters have no
//! counterpart: a group with one is drawn by resvg, and its words lie invisibly above it, so that they are found.
//!
//! Written for the tree of resvg 0.49. `svg2pdf` 0.13 takes that of 0.45 and `krilla-svg` 0.8 that of 0.47; each would bring a
//! second copy of resvg, a tenth of the whole program.

mod clips;
mod gradients;
mod groups;
mod images;
mod paint;
mod painter;
mod paths;
mod sheet;
mod texts;

use super::{easel, paper::Paper};
use crate::{
    containers::pdf::File,
    error::Result,
    image::vector::Drawing,
    job::{Input, Job, Notes},
};
use image::metadata::Orientation;
use painter::Painter;
use pdf_writer::Ref;
use resvg::usvg::Transform;
use sheet::{Resources, Sheet};

/// The content of a page.
pub(super) struct Drawn {
    pub(super) paper: Paper,
    pub(super) content: Ref,
    pub(super) resources: Resources,
    pub(super) title: Option<String>,
}

/// Writes the content stream of a page for the drawing in `input`, with all the objects that it refers to.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if the input is not a drawing, or exceeds a limit.
pub(super) fn draw(
    job: &Job<'_>,
    input: &mut dyn Input,
    file: &mut File<'_>,
    notes: &mut Notes,
) -> Result<Drawn> {
    let drawing = Drawing::read(job, input)?;
    for note in drawing.notes() {
        notes.add(note);
    }
    let (width, height) = (drawing.tree.size().width(), drawing.tree.size().height());
    let paper = Paper::of((width.into(), height.into()), None, job.options());
    // PDF draws an image upwards into the unit square; a drawing extends downwards in its own units.
    let [a, b, c, d, e, f] = paper.matrix(Orientation::NoTransforms);
    let page = Transform::from_row(a, b, c, d, e, f)
        .pre_concat(Transform::from_row(1.0, 0.0, 0.0, -1.0, 0.0, 1.0))
        .pre_scale(1.0 / width, 1.0 / height);
    let content = file.next();
    let mut painter = Painter::new(job, &drawing, file, page)?;
    let mut sheet = Sheet::new(page);
    sheet.save();
    sheet.transform(page);
    if let Some(all) = drawing.tree.size().to_rect(0.0, 0.0) {
        sheet.clip(all);
    }
    painter.all(&mut sheet)?;
    sheet.restore();
    painter.finish(notes)?;
    let resources = sheet.write(file, content);
    Ok(Drawn {
        paper,
        content,
        resources,
        title: drawing.title,
    })
}
