//! Reads PDF (ISO 32000-2): its pages become pictures, its text documents. Runs no scripts, fills in no forms, opens no
//! attachments.
//!
//! The format itself stands among the documents, where it is written. What is read of it goes to other categories through
//! their faces: a page is a [drawing](crate::image::drawing) to the pictures, and text becomes a
//! [tree](crate::document::tree) for the documents. The file is parsed, repaired, decrypted and drawn by `hayro`, in memory
//! as a whole.

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

/// The converter for what is read of PDF files.
pub static CONVERTER: Converter = Converter {
    name: "pdf",
    // The only one belongs to the documents.
    formats: Vec::new,
    pairs,
    recognise,
    convert,
};

/// Every page can become any picture, and the text any document but the same again.
fn pairs() -> Vec<Pair> {
    let from = file::format();
    let pictures = drawing::targets().map(|(to, quality)| Pair {
        from,
        to,
        quality,
        options: options::PICTURES,
    });
    let documents = document::targets().filter(|(to, ..)| *to != from);
    let documents = documents.map(|(to, quality, options)| Pair {
        from,
        to,
        quality,
        // Plain text is written as it stands.
        options: if to.name == "txt" { &[] } else { options },
    });
    pictures.chain(documents).collect()
}

/// Finds the header behind other bytes, where readers have always looked for it.
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
