//! From a page of HTML to a PDF as a browser prints it, or to a picture as it shows it. Knows the order of things.
//!
//! The page is read twice: by its meaning, for its metadata and as what is set if its styles are too intricate, and as a tree of
//! elements for the boxes.

#[cfg(feature = "pdf")]
use super::surface::{DPI, WIDTH};
use super::{
    print::pages,
    running::Running,
    styled::{Source, styled},
    surface::Surface,
};
use crate::{
    document::{
        self, Loss, Losses, html,
        layout::sections::{self, Known},
        tree::Builder,
    },
    error::Result,
    job::{Job, Notes, Output},
};
#[cfg(feature = "pdf")]
use crate::{
    format::Category,
    job::{Options, Task},
};

static RUNNING: Loss = Loss {
    one: "The header and the footer of the pages were left out.",
    many: "The header and the footer of the pages were left out.",
};
static INTRICATE: Loss = Loss {
    one: "The styles of the page are too intricate to be laid out: it is set by its meaning alone.",
    many: "The styles of the page are too intricate to be laid out: it is set by its meaning alone.",
};

/// Writes a page of HTML in the format that the job is for.
///
/// Errors: the job is over, memory is not granted, or a picture would be larger than pictures may be.
pub(crate) fn write(
    job: &Job<'_>,
    page: &Source,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    #[cfg(feature = "pdf")]
    if job.to.category == Category::Image {
        return picture(job, page, output, notes);
    }
    set(job, page, &Surface::paper(job), output, notes)
}

/// Draws a page of HTML: it is set on one page of a PDF, in memory, and that is drawn as every other.
#[cfg(feature = "pdf")]
fn picture(job: &Job<'_>, page: &Source, output: &mut dyn Output, notes: &mut Notes) -> Result<()> {
    let mut file = std::io::Cursor::new(Vec::new());
    set(job, page, &Surface::window(job), &mut file, notes)?;
    // The width is that of the window here, and was applied.
    let mut options = Options::default();
    options.insert(DPI.name, job.options().word(DPI.name).unwrap_or("96"));
    for spec in job_options(job)
        .iter()
        .filter(|spec| spec.name != WIDTH.name)
    {
        if let Some(value) = job.options().word(spec.name) {
            options.insert(spec.name, value);
        }
    }
    let task = Task {
        options,
        ..job.task.clone()
    };
    let job = Job {
        task: &task,
        input_len: file.get_ref().len() as u64,
        ..*job
    };
    let pdf = crate::pdf::read::file::open(&job, &mut file, notes)?;
    crate::pdf::read::pictures::convert(&job, &pdf, output, notes)
}

#[cfg(feature = "pdf")]
fn job_options(job: &Job<'_>) -> &'static [&'static crate::job::OptionSpec] {
    super::options(job.from.name, job.to).unwrap_or_default()
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
            let title = job.options().word(document::options::TITLE.name);
            let title = title.unwrap_or(&own);
            Some(Running::of(templates, title, &mut build, surface)?)
        }
        None => None,
    };
    let mut by_meaning = Notes::default();
    let mut document = build.finish(&mut by_meaning)?;
    if let Some(title) = job.options().word(document::options::TITLE.name) {
        document.metadata.title = Some(title.to_owned());
    }
    document::ensure_title(job, &mut document);
    let known = Known {
        pages: 1,
        ..Known::default()
    };
    let mut failed = styled.refused || styled.root.is_none();
    document::pdf_pages(
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
