//! Pictures on pages of their own, in one PDF: one or many, each as it is where a PDF can hold it so. Decodes nothing itself;
//! that is the part of [`image`](crate::image), which hands over samples row by row, so that an album takes the memory of
//! its largest picture's rows, however many there are.
//!
//! A drawing (svg) is not taken: it would become pixels.

mod book;
mod density;
mod paper;

pub(crate) use book::Book;

use crate::{
    document,
    error::Result,
    format::Format,
    image::plate,
    job::{Converter, Input, Job, Notes, OptionSpec, Output, Pair},
};

/// All pictures into PDF.
pub(crate) static CONVERTER: Converter = Converter {
    name: "album",
    formats: Vec::new,
    pairs,
    recognise: |_, _, _| None,
    convert,
};

/// What can be asked of the pages, and of the pictures on them.
static OPTIONS: [&OptionSpec; 7] = {
    let [width, height, fit, strip, page] = plate::OPTIONS;
    [
        width,
        height,
        fit,
        strip,
        page,
        &document::PAGE_SIZE,
        &document::MARGIN,
    ]
};

/// Whether this is the format that several pictures make one file of.
pub(crate) fn makes(format: &Format) -> bool {
    format == document::pdf()
}

/// Whether files of this format can be pages.
pub(crate) fn takes(format: &Format) -> bool {
    plate::sources().any(|source| source == format)
}

fn pairs() -> Vec<Pair> {
    plate::sources()
        .map(|from| Pair {
            from,
            to: document::pdf(),
            quality: document::PDF_QUALITY,
            options: &OPTIONS,
        })
        .collect()
}

fn convert(job: &Job<'_>, input: &mut dyn Input, output: &mut dyn Output) -> Result<Notes> {
    let mut notes = Notes::default();
    let mut book = Book::new(output);
    book.add(job, input, &mut notes)?;
    book.finish()?;
    Ok(notes)
}
