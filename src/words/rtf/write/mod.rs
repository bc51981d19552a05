//! Writes Rich Text Format in pure ASCII, with all other characters as `\u`. Equal documents give equal bytes.

mod body;
mod context;
mod dialect;
mod frames;
mod header;
mod inlines;
mod look;
mod notes;
mod table;

#[cfg(test)]
mod tests;

use crate::{
    error::{Error, Result},
    job::{Job, Notes, Output},
};
use context::Rtf;
use convertd_office::wordprocessing::{
    losses,
    write::{Dialect, blocks, title},
};
use convertd_tree::{Document, contents, options};

/// Writes a document. The body is generated first, because the header lists its fonts, colours and lists.
pub(super) fn write(
    job: &Job<'_>,
    document: &Document,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let mut rtf = Rtf::new(job, document);
    title(&mut rtf);
    if job.options().flag(options::TOC.name) {
        rtf.contents(&contents::of(document), 1);
    }
    for (number, section) in document.sections().iter().enumerate() {
        rtf.begin_section(section.page.as_deref(), number == 0)?;
        blocks(&mut rtf, &section.blocks)?;
    }
    rtf.end_page();
    rtf.end_paragraph();
    let head = header::write(&rtf);
    for piece in [head.as_str(), &rtf.out, "}\n"] {
        let written = output.write_all(piece.as_bytes());
        written.map_err(Error::unwritten)?;
    }
    if notes::changes_notes(document) {
        rtf.context.losses.add(&losses::NOTE_NUMBERS);
    }
    rtf.context.losses.add_notes(notes);
    Ok(())
}
