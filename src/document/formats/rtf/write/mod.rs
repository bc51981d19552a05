//! Writes Rich Text Format in pure ASCII, with all other characters as `\u`. The same document always gives the same bytes.

mod body;
mod context;
mod header;
mod inlines;
mod look;
mod table;

#[cfg(test)]
mod tests;

use crate::{
    document::{contents, options, tree::Document},
    error::{Error, Result},
    job::{Job, Notes, Output},
};
use context::Context;

pub(super) fn write(
    job: &Job<'_>,
    document: &Document,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let mut context = Context::new(job, document);
    context.title();
    if job.options().flag(options::TOC.name) {
        context.contents(&contents::of(document), 1);
    }
    for (number, section) in document.sections().iter().enumerate() {
        context.begin_section(section.page.as_deref(), number == 0)?;
        context.blocks(&section.blocks)?;
    }
    context.end_paragraph();
    let head = header::write(&context);
    for piece in [head.as_str(), &context.out, "}\n"] {
        let written = output.write_all(piece.as_bytes());
        written.map_err(Error::unwritten)?;
    }
    context.losses.tell(notes);
    Ok(())
}
