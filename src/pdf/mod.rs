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
mod file;
mod geometry;
mod options;
mod pictures;
mod text;

use crate::{
    document,
    error::Result,
    format::{Category, Format},
    image::drawing,
    job::{Converter, Input, Job, Notes, Output, Pair},
};

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

/// Finds the header within the first kilobyte, where readers have always looked for it.
fn recognise(head: &[u8], _: &mut dyn Input, _: Option<&str>) -> Option<&'static Format> {
    memchr::memmem::find(head, b"%PDF-").map(|_| file::format())
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
