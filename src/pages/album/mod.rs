//! Combines pictures into one PDF, with each picture on a page of its own, and in its original encoding where PDF
//! supports it. Decodes nothing itself: [`image`](crate::image) passes on samples row by row, so that an album needs
//! memory for a few rows of its largest picture, no matter how many pictures it has.
//!
//! A [drawing](convertd_pdfwrite::draw) (SVG) is not drawn to pixels; it becomes paths, gradients and text.

mod book;
mod paper;

pub(crate) use book::Book;

#[cfg(feature = "svg")]
use crate::image::vector;
use crate::{
    error::Result,
    format::Format,
    image::plate,
    job::{Converter, Input, Job, Notes, OptionSpec, Output, Pair},
};
#[cfg(feature = "ocr")]
use convertd_scan::options::{LANGUAGE, OCR_LAYER};

/// The converter from pictures to PDF.
pub static CONVERTER: Converter = Converter {
    name: "album",
    formats: Vec::new,
    pairs,
    recognise: |_, _, _| None,
    convert,
};

/// The options for the pages and for the pictures on them.
static OPTIONS: [&OptionSpec; COUNT] = {
    let [width, height, fit, crop, rotate, strip, page, damaged] = plate::OPTIONS;
    [
        width,
        height,
        fit,
        crop,
        rotate,
        strip,
        page,
        damaged,
        &convertd_layout::paper::PAGE_SIZE,
        &convertd_layout::paper::ORIENTATION,
        &convertd_layout::paper::MARGIN,
        #[cfg(feature = "ocr")]
        &OCR_LAYER,
        #[cfg(feature = "ocr")]
        &LANGUAGE,
    ]
};

const COUNT: usize = if cfg!(feature = "ocr") { 13 } else { 11 };

/// The options for the page of a drawing.
#[cfg(feature = "svg")]
static DRAWING_OPTIONS: [&OptionSpec; 3] = [
    &convertd_layout::paper::PAGE_SIZE,
    &convertd_layout::paper::ORIENTATION,
    &convertd_layout::paper::MARGIN,
];

/// Returns whether this target format combines several pictures into one file.
pub(crate) fn makes(format: &Format) -> bool {
    format == convertd_pdfwrite::document::format()
}

/// Returns whether files of this format can become pages.
pub(crate) fn takes(format: &Format) -> bool {
    pairs().iter().any(|pair| pair.from == format)
}

fn pairs() -> Vec<Pair> {
    let pair = |from, options| Pair {
        from,
        to: convertd_pdfwrite::document::format(),
        quality: convertd_pdfwrite::document::QUALITY,
        options,
    };
    let pictures = plate::sources().map(|from| pair(from, &OPTIONS[..]));
    #[cfg(feature = "svg")]
    let pictures = pictures.chain([pair(vector::format(), &DRAWING_OPTIONS[..])]);
    pictures.collect()
}

fn convert(job: &Job<'_>, input: &mut dyn Input, output: &mut dyn Output) -> Result<Notes> {
    let mut notes = Notes::default();
    let mut book = Book::new(job, output);
    book.add(job, input, &mut notes)?;
    book.finish(&mut notes)?;
    Ok(notes)
}
