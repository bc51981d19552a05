//! Conversion of HTML to PDF by CSS layout: printed pages, or one page that shows a browser window. Only calls the
//! steps in their order.
//!
//! The tree of a page has two readers: one makes a document, for its metadata and as a fallback if the styles are too
//! intricate, and the other makes boxes. The tree has a memory lease of its own, because its size cannot be estimated
//! from the length of the text: formatting that never ends is copied into each paragraph.

use super::{
    print::pages,
    running::Running,
    styled::{Source, styled},
    surface::Surface,
};
use crate::{
    error::Result,
    job::{Job, Notes, Output},
};
use convertd_layout::sections::{self, Known};
use convertd_markup::{dom, html};
use convertd_tree::{
    Builder,
    losses::{Loss, Losses},
};

static RUNNING: Loss = Loss {
    one: "The header and the footer of the pages were left out.",
    many: "The header and the footer of the pages were left out.",
};
static INTRICATE: Loss = Loss {
    one: "The styles of the page are too complex for a layout: they were ignored, as with styles=ignore.",
    many: "The styles of the page are too complex for a layout: they were ignored, as with styles=ignore.",
};

/// Writes an HTML document as a PDF with pages.
///
/// Errors: the job was cancelled, or memory is not granted.
pub fn write(
    job: &Job<'_>,
    page: &Source,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    set(job, page, &Surface::paper(job), output, notes)
}

/// Writes an HTML document as a PDF of one page: a browser window as high as its content.
///
/// Errors: the same as those of [`write`](fn@write).
pub fn window(
    job: &Job<'_>,
    page: &Source,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    set(job, page, &Surface::window(job), output, notes)
}

/// Writes a document onto a surface: builds its tree and its boxes, lays them out, and falls back to the layout of text
/// documents if a limit was exceeded or nothing is displayed.
fn set(
    job: &Job<'_>,
    page: &Source,
    surface: &Surface,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let text = page.text.as_str();
    let mut build = Builder::new(job);
    // Lease for the memory of the tree, which is held until the end.
    let room = job.empty_lease();
    let dom = dom::build_within(job, text, page.syntax, &room)?;
    html::read_tree(job, &mut build, &dom, &mut html::Page::new(text))?;
    let mut styled = styled(page, dom, &mut build, surface)?;
    // Headers and footers need pages, so a window has none.
    let mut running = match page.templates.as_ref().filter(|_| surface.paged) {
        Some(templates) => {
            let own = styled.title();
            let title = job.options().word(convertd_tree::options::TITLE.name);
            let title = title.unwrap_or(&own);
            Some(Running::of(job, templates, title, &mut build, surface)?)
        }
        None => None,
    };
    // `finish` below returns the memory that the builder leased for its reader, but boxes and fragments are used until
    // the end.
    let _laid_out = job.lease(styled.boxes.memory())?;
    // The notes of the reader are used only if its document is used.
    let mut by_meaning = Notes::default();
    let mut document = build.finish(&mut by_meaning)?;
    if let Some(title) = job.options().word(convertd_tree::options::TITLE.name) {
        document.metadata.title = Some(title.to_owned());
    }
    convertd_tree::contents::ensure_title(job, &mut document);
    let known = Known {
        pages: 1,
        ..Known::default()
    };
    let mut failed = styled.refused || styled.root.is_none();
    convertd_pdfwrite::document::pages(
        job,
        &document,
        output,
        // The first attempt lays out pages by styles. If it fails, the document tree is laid out by the meaning of its
        // elements.
        &mut |layout, medium| {
            if !failed {
                match pages(job, &mut styled, surface, running.as_mut(), layout, medium)? {
                    Some(labels) => return Ok(labels),
                    None => failed = true,
                }
            }
            sections::set(layout, medium, &known)
        },
        notes,
    )?;
    // The notes are those of the attempt that succeeded.
    if failed {
        by_meaning.move_into(notes);
        let mut losses = Losses::default();
        losses.add(&INTRICATE);
        losses.add_many(&RUNNING, usize::from(running.is_some()));
        losses.add_notes(notes);
    } else {
        if let Some(running) = running {
            let lost = usize::from(running.refused);
            styled.losses.add_many(&RUNNING, lost);
            running.styled.losses.add_notes(notes);
        }
        styled.losses.add_notes(notes);
    }
    Ok(())
}
