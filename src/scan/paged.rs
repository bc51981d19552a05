//! Text layers for pictures that become pages of a PDF: the text that the file contains, or the text that OCR
//! recognises. Writes no picture.

use super::{
    glyphless::Glyphless,
    layer,
    models::Models,
    options::{Mode, reads_pictures},
    own,
    report::Report,
};
use crate::{
    error::Result,
    image::grey,
    job::{Input, Job, Notes},
};
use convertd_ocr::page::Text;
use convertd_pdfwrite::object::File;
use pdf_writer::Ref;

/// The name of the font on each page.
pub const FONT: &str = "Read";

/// Text layers of a PDF, with the font that they share and the report about OCR.
#[derive(Default)]
pub struct Layers {
    font: Glyphless,
    /// Reference of the font, reserved by the first page with words.
    object: Option<Ref>,
    report: Report,
}

impl Layers {
    /// Reads a picture that was put onto a page. `page` selects it in the input, and `number` names its page in the
    /// notes. The other numbers are its left and lower edge on the page, its width and its height, in points. Returns
    /// the operators of the text layer, and the font that they need; `None` if the text has no words, or if the picture
    /// has no text of its own and the options disable OCR.
    ///
    /// Errors: there is not enough memory, or the job has to stop.
    pub fn read(
        &mut self,
        job: &Job<'_>,
        input: &mut dyn Input,
        (page, number): (Option<u32>, u32),
        [left, bottom, width, height]: [f64; 4],
        file: &mut File<'_>,
    ) -> Result<Option<(String, Ref)>> {
        let replaces = matches!(
            Mode::of(job.options(), Mode::Auto),
            Mode::Redo | Mode::Force
        );
        if !replaces && let Some(own) = own::read(job, input, page)? {
            let scale = [
                width / f64::from(own.size.0),
                height / f64::from(own.size.1),
            ];
            return Ok(self.layer(&own.text, scale, [left, bottom + height], file));
        }
        if !reads_pictures(job) {
            return Ok(None);
        }
        // Drops the notes about the picture: they were already made when it was put onto the page.
        let grey = grey::read(job, input, page, &mut Notes::default())?;
        let models = Models::of(job)?;
        let text = models.read(job, (grey.width, grey.height), &grey.samples)?;
        self.report.add(number as usize, &text);
        let across = grey.scale.0 * width / f64::from(grey.size.0);
        let down = grey.scale.1 * height / f64::from(grey.size.1);
        Ok(self.layer(&text, [across, down], [left, bottom + height], file))
    }

    /// The text layer of a page. `across` and `down` are the points per unit of the text's positions; `left` and `top`
    /// are the upper left corner of the picture. `None` if the text has no words.
    fn layer(
        &mut self,
        text: &Text,
        [across, down]: [f64; 2],
        [left, top]: [f64; 2],
        file: &mut File<'_>,
    ) -> Option<(String, Ref)> {
        let to_page = [across, 0.0, 0.0, -down, left, top];
        let content = layer::content(text, to_page, &mut self.font, FONT);
        if content.is_empty() {
            return None;
        }
        let object = *self.object.get_or_insert_with(|| file.next());
        Some((content, object))
    }

    /// Writes the font, if a page needs it.
    pub fn finish(&self, file: &mut File<'_>) {
        if let Some(object) = self.object {
            self.font.write(file, object);
        }
    }

    /// Adds a note with the numbers of the pages that were read.
    pub fn add_notes(&self, notes: &mut Notes) {
        self.report.add_notes(notes);
    }
}
