//! Reads an HTML page into a tree. Decodes the file; the elements are interpreted in [`html`](crate::document::html).

use crate::{
    document::{
        encoding, html,
        input::read_all,
        tree::{Builder, Document},
    },
    error::Result,
    job::{Input, Job, Notes},
};

pub(super) fn read(job: &Job<'_>, input: &mut dyn Input, notes: &mut Notes) -> Result<Document> {
    // Memory for the bytes and the decoded text, in which a character of two bytes may take three.
    let bytes = read_all(job, input, 3)?;
    let text = encoding::decode_html(bytes);
    let mut build = Builder::new(job);
    build.own_memory(3 * job.input_len)?;
    html::read(
        &mut build,
        &text,
        html::Syntax::Html,
        &mut html::Page::new(&text),
    )?;
    build.finish(notes)
}
