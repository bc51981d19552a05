//! Reads a Word document in the order that the story needs: definitions, the main text with its notes, and the headers
//! of each section. Decides nothing about paragraphs.

use super::{
    body::Body,
    file::{Doc, Files},
};
use crate::{
    containers::property_set::Summary,
    error::Result,
    job::{Input, Job, Notes},
};
use convertd_office::wordprocessing::{self as office, Story};
use convertd_tree::Document;

/// Memory of the reader beside the tree, as a multiple of the file: its streams, its text in UTF-16, and temporary
/// copies of pictures.
const TIMES: u64 = 4;

/// Reads a document.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if the file is damaged, encrypted, or of Word 2 or before.
pub(super) fn read(job: &Job<'_>, input: &mut dyn Input, notes: &mut Notes) -> Result<Document> {
    let mut story = Story::new(job);
    // A fixed 16 MiB on top, for small files.
    story.hold(job.input_len.saturating_mul(TIMES) + (16 << 20))?;
    let files = Files::read(job, input)?;
    let doc = Doc::read(job, &files)?;
    doc.define(&mut story);
    if let Some(summary) = &files.summary {
        office::add_summary(&mut story.build.metadata, &Summary::read(summary));
    }
    Body::new(&doc, &mut story).document()?;
    story.finish(notes)
}
