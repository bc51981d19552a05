//! Reads PDF (ISO 32000-2): its pages become pictures, its text documents. Runs no scripts, fills in no forms, opens no
//! attachments.
//!
//! The format's row belongs to the documents, which write it. What is read here reaches other categories through their public
//! interfaces: a page is a [drawing](crate::image::drawing) to the pictures, and text becomes a
//! [tree](crate::document::tree) for the documents. `hayro` parses, repairs, decrypts and draws the file, which it holds
//! in memory as a whole.

mod archive;
mod cost;
mod documents;
mod fields;
mod file;
mod forms;
mod geometry;
mod options;
mod pictures;
mod text;
mod unlocked;

use crate::{
    document,
    error::Result,
    format::{Category, Format},
    image::drawing,
    job::{Converter, Input, Job, Notes, Output, Pair, read_head},
};

/// Bytes at the beginning of a file within which its header must be.
const HEADER_WITHIN: usize = 1024;

/// The converter for PDF input.
pub static CONVERTER: Converter = Converter {
    name: "pdf",
    // The only format belongs to the documents.
    formats: Vec::new,
    pairs,
    recognise,
    convert,
};

/// A page can become any picture, and the text any document except another PDF.
fn pairs() -> Vec<Pair> {
    let from = file::format();
    let pictures = drawing::targets().map(|(to, quality, has_scale)| Pair {
        from,
        to,
        quality,
        options: options::of_pictures(has_scale),
    });
    let documents = document::targets().filter(|(to, ..)| *to != from);
    let documents = documents.map(|(to, quality, options)| Pair {
        from,
        to,
        quality,
        // Plain text needs no tree.
        options: if to.name == "txt" { &[] } else { options },
    });
    pictures.chain(documents).collect()
}

/// Finds the header within the first kilobyte, where readers have always looked for it. A file that is called a PDF may lack
/// it, if it begins with an object.
fn recognise(_: &[u8], input: &mut dyn Input, extension: Option<&str>) -> Option<&'static Format> {
    let head = read_head(input, HEADER_WITHIN).ok()?;
    let has = |part: &[u8]| memchr::memmem::find(&head, part).is_some();
    let is_called_so = extension.is_some_and(|name| file::format().is_called(name));
    (has(b"%PDF-") || is_called_so && has(b" 0 obj")).then(file::format)
}

fn convert(job: &Job<'_>, input: &mut dyn Input, output: &mut dyn Output) -> Result<Notes> {
    let mut notes = Notes::default();
    let file = file::open(job, input, &mut notes)?;
    match job.to.category {
        Category::Document => documents::convert(job, &file, output, &mut notes)?,
        _ => pictures::convert(job, &file, output, &mut notes)?,
    }
    Ok(notes)
}
