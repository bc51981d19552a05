//! Conversion of pages to pictures: one page, all pages in one file, or an archive. The picture
//! category handles formats.

#[cfg(feature = "svg")]
use super::vector;
use super::{
    archive, options,
    page_drawing::{PageDrawing, tell},
};
use crate::{
    error::{Error, Kind, Result},
    image::drawing,
    job::{Job, Notes, Output},
};
use hayro::hayro_syntax::{Pdf, page::Page};

/// Converts the requested page, or all pages.
pub fn convert(job: &Job<'_>, pdf: &Pdf, output: &mut dyn Output, notes: &mut Notes) -> Result<()> {
    if !options::all_pages(job.options()) {
        return one(job, pdf, output, notes);
    }
    if drawing::has_pages(job.to) {
        return pages(job, pdf, output, notes);
    }
    archive::write(job, pdf, output, notes)
}

/// Writes all pages to one file of a format with pages.
fn pages(job: &Job<'_>, pdf: &Pdf, output: &mut dyn Output, notes: &mut Notes) -> Result<()> {
    let mut file = drawing::Pages::default();
    for (number, page) in (1..).zip(pdf.pages().iter()) {
        job.check()?;
        tell(job, pdf, number - 1);
        let drawing = PageDrawing::new(job, page, number)?;
        let mut remarks = Notes::default();
        drawing.tell(&mut remarks);
        file.add(job, Box::new(drawing), output, &mut remarks)?;
        remarks.tell_once(notes);
    }
    Ok(())
}

/// Writes the requested page.
fn one(job: &Job<'_>, pdf: &Pdf, output: &mut dyn Output, notes: &mut Notes) -> Result<()> {
    let pages = pdf.pages();
    let wanted = options::page(job.options());
    // Without a number, the first page is drawn, and a note names the others.
    let number = wanted.unwrap_or(1) as usize;
    let Some(page) = pages.get(number - 1) else {
        let there_are = match pages.len() {
            1 => "only one".into(),
            count => format!("{count} pages"),
        };
        let text = format!("page is {number}; the file has {there_are}");
        return Err(Error::new(Kind::BadInput, text));
    };
    if wanted.is_none() && pages.len() > 1 {
        notes.add(format!(
            "Page 1 of {} was converted; the field page chooses another, or all.",
            pages.len()
        ));
    }
    draw(job, page, number, output, notes)
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
    drawing.tell(notes);
    drawing::write(job, Box::new(drawing), output, notes)
}
