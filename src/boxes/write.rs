//! From a page of HTML to a PDF as a browser prints it, or of one page as it shows it. Knows the order of things.
//!
//! The page is read twice: by its meaning, for its metadata and as what is set if its styles are too intricate, and as a tree of
//! elements for the boxes.

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
use convertd_markup::html;
use convertd_tree::{
    Builder,
    losses::{Loss, Losses},
};

static RUNNING: Loss = Loss {
    one: "The header and the footer of the pages were left out.",
    many: "The header and the footer of the pages were left out.",
};
static INTRICATE: Loss = Loss {
    one: "The styles of the page are too intricate to be laid out: it is set by its meaning alone.",
    many: "The styles of the page are too intricate to be laid out: it is set by its meaning alone.",
};

/// Writes a page of HTML as a PDF.
///
/// Errors: the job is over, or memory is not granted.
pub fn write(
    job: &Job<'_>,
    page: &Source,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    set(job, page, &Surface::paper(job), output, notes)
}

/// Writes a page of HTML as a PDF of one page: the window of a browser, as high as its content.
///
/// Errors: as of [`write`](fn@write).
pub fn window(
    job: &Job<'_>,
    page: &Source,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    set(job, page, &Surface::window(job), output, notes)
}

fn set(
    job: &Job<'_>,
    page: &Source,
    surface: &Surface,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let text = page.text.as_str();
    let mut build = Builder::new(job);
    build.own_memory(6 * text.len() as u64)?;
    let mut origin = html::Page::new(text);
    html::read(&mut build, text, page.syntax, &mut origin)?;
    let mut styled = styled(page, &mut build, surface)?;
    let mut running = match page.templates.as_ref().filter(|_| surface.paged) {
        Some(templates) => {
            let own = styled.title();
            let title = job.options().word(convertd_tree::options::TITLE.name);
            let title = title.unwrap_or(&own);
            Some(Running::of(templates, title, &mut build, surface)?)
        }
        None => None,
    };
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
    if failed {
        by_meaning.tell_once(notes);
        let mut losses = Losses::default();
        losses.add(&INTRICATE);
        losses.add_many(&RUNNING, usize::from(running.is_some()));
        losses.tell(notes);
    } else {
        if let Some(running) = running {
            let lost = usize::from(running.refused);
            styled.losses.add_many(&RUNNING, lost);
            running.styled.losses.tell(notes);
        }
        styled.losses.tell(notes);
    }
    Ok(())
}
