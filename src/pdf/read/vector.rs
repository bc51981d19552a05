//! Pages as SVG (1.1): lines stay lines, letters become outlines, and pictures are embedded as PNG. Draws no pixels
//! itself.
//!
//! `hayro-svg` writes a whole page in one call, which cannot be stopped. So the cost of the page is estimated first, as
//! for pages that are drawn as pixels. The estimate limits the time and the length of the SVG. The length must be
//! limited because a picture that the page shows several times is embedded several times.

use super::{
    cost::limit,
    file,
    geometry::{Canvas, unit},
    page_drawing::{BASE, note_annotations, too_much},
};
use crate::{
    error::{Error, Kind, Result},
    job::{Job, Notes, Output},
};
use hayro::{hayro_interpret::InterpreterSettings, hayro_syntax::page::Page};
use hayro_svg::{RenderCache, SvgRenderSettings};

/// Limit on the estimated length of a page, in bytes. No program opens longer SVG files.
const MAX: u64 = 256 << 20;

/// Writes a page. `number` is the number of the page, for errors.
///
/// Errors: [`Kind::BadInput`] if the cost or the length of the page exceeds the limit; memory is not granted, the job
/// was cancelled, or the output cannot be written.
pub(super) fn write(
    job: &Job<'_>,
    page: &Page<'_>,
    number: usize,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    note_annotations(page, notes);
    let (width, height) = page.render_dimensions();
    let canvas = Canvas::fill(page, width.ceil() as u32, height.ceil() as u32);
    let cost = limit(page, &canvas, job.input_len).ok_or_else(|| too_much(number))?;
    if cost.svg() > MAX {
        let text = format!(
            "page {number} would become an svg of more than {} MiB; convert it to png",
            MAX >> 20
        );
        return Err(Error::new(Kind::BadInput, text));
    }
    job.reserve(file::memory(job) + BASE + cost.svg_memory())?;
    let svg = hayro_svg::convert(
        page,
        &RenderCache::new(),
        &InterpreterSettings::default(),
        &SvgRenderSettings::default(),
    );
    job.check()?;
    if cost.has_letters() {
        notes.add("The letters of an svg are outlines: they look the same everywhere, but cannot be searched or edited.");
    }
    // `hayro-svg` states the size in its root element in pixels, of which programs assume 96 per inch. So this element
    // is replaced by one that states the size in points. Programs assume 96 pixels per inch.
    let content = svg.find('>').map_or("", |end| &svg[end + 1..]);
    let unit = unit(page) as f32;
    let root = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 {width} {height}" width="{}pt" height="{}pt">"#,
        width * unit,
        height * unit
    );
    [root.as_str(), content]
        .into_iter()
        .try_for_each(|part| output.write_all(part.as_bytes()))
        .map_err(Error::unwritten)
}
