//! Conversion of pages to pictures: one page, or several in one file or in an archive. The package of pictures writes
//! the picture formats.

#[cfg(feature = "svg")]
use super::vector;
use super::{
    archive, options,
    page_drawing::{PageDrawing, report_progress},
};
use crate::{
    error::{Error, Kind, Reason, Result},
    image::drawing,
    job::{Job, Notes, Output},
};
use hayro::hayro_syntax::{Pdf, page::Page};
use std::ops::Range;

/// Converts the requested page or pages.
pub fn convert(job: &Job<'_>, pdf: &Pdf, output: &mut dyn Output, notes: &mut Notes) -> Result<()> {
    let Some(wanted) = options::several_pages(job.options()) else {
        return write_requested(job, pdf, output, notes);
    };
    // A range may end beyond the last page, but must not begin there.
    let (first, last) = (*wanted.start() as usize, *wanted.end() as usize);
    let count = pdf.pages().len();
    if first > count.max(1) {
        return Err(missing_page_error(first, count));
    }
    let range = first - 1..last.min(count);
    if drawing::has_pages(job.to) {
        return pages(job, pdf, range, output, notes);
    }
    archive::write(job, pdf, range, output, notes)
}

/// Writes several pages, counted from 0, to one file of a format with pages.
fn pages(
    job: &Job<'_>,
    pdf: &Pdf,
    range: Range<usize>,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let mut file = drawing::Pages::default();
    let all = range.len();
    for (done, nth) in range.enumerate() {
        job.check()?;
        report_progress(job, done, all);
        let drawing = PageDrawing::new(job, &pdf.pages()[nth], nth + 1)?;
        let mut remarks = Notes::default();
        drawing.add_notes(&mut remarks);
        file.add(job, Box::new(drawing), output, &mut remarks)?;
        remarks.move_into(notes);
    }
    Ok(())
}

/// Writes the requested page.
fn write_requested(
    job: &Job<'_>,
    pdf: &Pdf,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let pages = pdf.pages();
    let wanted = options::page(job.options());
    // Without a number, the first page is drawn, and a note states the number of pages.
    let number = wanted.unwrap_or(1) as usize;
    let Some(page) = pages.get(number - 1) else {
        return Err(missing_page_error(number, pages.len()));
    };
    if wanted.is_none() && pages.len() > 1 {
        notes.add(format!(
            "Page 1 of {} was converted; the field page chooses another, or all.",
            pages.len()
        ));
    }
    draw(job, page, number, output, notes)
}

/// The error for a page beyond the last one.
fn missing_page_error(number: usize, count: usize) -> Error {
    let there_are = match count {
        1 => "only one".into(),
        count => format!("{count} pages"),
    };
    let text = format!("page is {number}; the file has {there_are}");
    Error::new(Kind::BadInput, text).because(Reason::PageMissing)
}

/// Writes a page to a file of its own. `number` is the number of the page for errors.
pub(super) fn draw(
    job: &Job<'_>,
    page: &Page<'_>,
    number: usize,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    #[cfg(feature = "svg")]
    if job.to == drawing::vector() {
        return vector::write(job, page, number, output, notes);
    }
    let drawing = PageDrawing::new(job, page, number)?;
    drawing.add_notes(notes);
    drawing::write(job, Box::new(drawing), output, notes)
}
