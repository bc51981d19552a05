//! Reads an HTML page into a tree. Decodes the file. [`html`] interprets the elements.

use crate::{
    error::Result,
    job::{Input, Job, Notes},
};
use convertd_boxes::{STYLES, Templates};
use convertd_markup::{css::looks::Looks, dom, html};
use convertd_tree::{Builder, Document, encoding, input::read_all};

/// Reads a page, with its style sheets unless the options ignore them.
pub(super) fn read(job: &Job<'_>, input: &mut dyn Input, notes: &mut Notes) -> Result<Document> {
    // Memory for the bytes and the decoded text, in which a character of one byte may take three, as in Thai.
    let (bytes, lease) = read_all(job, input, 4)?;
    let text = encoding::decode_html(bytes);
    if Templates::are_in(&text) {
        notes.add("The header and the footer of pages were left out: they need the styles of the page (styles=apply) and no table of contents (toc=false).");
    }
    let mut build = Builder::new(job);
    let (text, syntax) = html::xhtml_page(text);
    let mut origin = html::Page::new(&text);
    if job.options().word(STYLES.name) == Some("ignore") {
        html::read(job, &mut build, &text, syntax, &mut origin)?;
    } else {
        let room = job.empty_lease();
        let mut dom = dom::build_within(job, &text, syntax, &room)?;
        lease.set_exactly(text.len() as u64 + Looks::memory(&text, &dom))?;
        let looks = Looks::of(&text, &mut dom);
        html::read_styled(job, &mut build, &dom, &mut origin, &looks)?;
    }
    build.finish(notes)
}
