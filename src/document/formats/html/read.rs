//! Makes a tree of an HTML page.

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
    // The bytes and the characters that they make; half as many again where these take three bytes instead of two.
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
