//! Writes pages of words in a format with positions. The format is chosen once, and each page is written as soon as it
//! is read.

use super::{
    alto,
    analysis::{self, Analysis},
    hocr,
};
use crate::{
    error::Result,
    format::Format,
    job::{Job, Output},
};
use convertd_ocr::page::{Rect, Text};

/// Facts about a page in addition to its words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageInfo {
    /// Number, from 1.
    pub(crate) number: usize,
    /// Width in pixels.
    pub(crate) width: usize,
    /// Height in pixels.
    pub(crate) height: usize,
    /// Pixels per inch, horizontally and vertically.
    pub(crate) dpi: Option<(f64, f64)>,
}

/// Effect of quality.
pub(crate) const QUALITY: &str = "no effect";

/// The formats that clients can choose.
pub(crate) static FORMATS: [&Format; 2] = [&hocr::FORMAT, &alto::FORMAT];

/// Returns whether a format holds pages of words. This includes the internal format of analyses.
pub(crate) fn is_of_words(format: &Format) -> bool {
    FORMATS.contains(&format) || *format == analysis::FORMAT
}

/// A file while it is written.
pub(crate) struct Written<'o, 'j> {
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
    pub(crate) fn begin(job: &Job<'j>, output: &'o mut dyn Output) -> Result<Self> {
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
    pub(crate) fn page(&mut self, page: &PageInfo, text: &Text) -> Result<()> {
        match &mut self.shape {
            Shape::Hocr => hocr::page(self.output, page, text),
            Shape::Alto => alto::page(self.output, page, text),
            Shape::Analysis(analysis) => analysis.page(self.output, page, text),
        }
    }

    /// Ends the file.
    ///
    /// Errors: the output could not be written.
    pub(crate) fn end(self) -> Result<()> {
        match self.shape {
            Shape::Hocr => hocr::end(self.output),
            Shape::Alto => alto::end(self.output),
            Shape::Analysis(analysis) => analysis.end(self.output),
        }
    }
}

/// Smallest rectangle around several others.
pub(super) fn bounds_of(all: impl Iterator<Item = Rect>) -> Rect {
    all.reduce(|a, b| a.with(&b)).unwrap_or_default()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use convertd_ocr::page::{Baseline, Line, Word};

    pub(in crate::scan) fn info() -> PageInfo {
        PageInfo {
            number: 2,
            width: 200,
            height: 100,
            dpi: Some((300.0, 300.0)),
        }
    }

    fn word(text: &str, [left, top, right, bottom]: [f32; 4], confidence: f32) -> Word {
        Word {
            text: text.into(),
            bounds: Rect {
                left,
                top,
                right,
                bottom,
            },
            confidence,
        }
    }

    /// Two lines of a block, one of them right to left.
    pub(in crate::scan) fn sample() -> Text {
        let words = vec![
            word("One", [10.0, 20.0, 40.0, 38.0], 90.0),
            word("<two>", [50.0, 20.0, 90.0, 40.0], 81.0),
        ];
        let first = Line {
            words,
            bounds: Rect {
                left: 10.0,
                top: 20.0,
                right: 90.0,
                bottom: 40.0,
            },
            baseline: Baseline {
                from: (10.0, 38.0),
                to: (90.0, 38.0),
            },
            ascent: 18.0,
            block: 0,
            right_to_left: false,
        };
        let bounds = [10.0, 30.0, 60.0, 42.0];
        let second = Line {
            words: vec![word("אב", bounds, 80.0)],
            bounds: Rect {
                left: 10.0,
                top: 30.0,
                right: 60.0,
                bottom: 42.0,
            },
            right_to_left: true,
            ..first.clone()
        };
        Text {
            lines: vec![first, second],
            ..Text::default()
        }
    }
}
