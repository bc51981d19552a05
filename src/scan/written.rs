//! Writes the words of pages in a format that states their positions. The format is chosen once, and each page is
//! written as soon as it is read.

use super::{
    alto,
    analysis::{self, Analysis},
    hocr,
    page_info::PageInfo,
};
use crate::{
    error::Result,
    format::Format,
    job::{Job, Output},
};
use convertd_ocr::page::Text;

/// Effect of quality.
pub const QUALITY: &str = "no effect";

/// The formats that clients can choose.
pub static FORMATS: [&Format; 2] = [&hocr::FORMAT, &alto::FORMAT];

/// Returns whether a format holds the words of pages with their positions. This includes the internal format of
/// analyses.
pub fn is_of_words(format: &Format) -> bool {
    FORMATS.contains(&format) || *format == analysis::FORMAT
}

/// A file while it is written.
pub struct Written<'o, 'j> {
    shape: Shape<'j>,
    output: &'o mut dyn Output,
}

enum Shape<'j> {
    Hocr,
    Alto,
    Analysis(Box<Analysis<'j>>),
}

impl<'o, 'j> Written<'o, 'j> {
    /// Begins a file in the target format of the job.
    ///
    /// Errors: the output could not be written.
    pub fn begin(job: &Job<'j>, output: &'o mut dyn Output) -> Result<Self> {
        let title = job.task.file_title.as_deref().unwrap_or_default();
        let shape = match job.to {
            to if *to == analysis::FORMAT => {
                Shape::Analysis(Box::new(Analysis::begin(job, output)?))
            }
            to if *to == alto::FORMAT => {
                alto::begin(output, title)?;
                Shape::Alto
            }
            _ => {
                hocr::begin(output, title)?;
                Shape::Hocr
            }
        };
        Ok(Self { shape, output })
    }

    /// Adds a page.
    ///
    /// Errors: the output could not be written.
    pub fn page(&mut self, page: &PageInfo, text: &Text) -> Result<()> {
        match &mut self.shape {
            Shape::Hocr => hocr::page(self.output, page, text),
            Shape::Alto => alto::page(self.output, page, text),
            Shape::Analysis(analysis) => analysis.page(self.output, page, text),
        }
    }

    /// Ends the file.
    ///
    /// Errors: the output could not be written.
    pub fn end(self) -> Result<()> {
        match self.shape {
            Shape::Hocr => hocr::end(self.output),
            Shape::Alto => alto::end(self.output),
            Shape::Analysis(analysis) => analysis.end(self.output),
        }
    }
}
