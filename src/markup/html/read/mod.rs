//! Reads HTML into a tree of a document.
//!
//! The page is first read into its tree of elements, where missing and misnested tags are repaired as the standard
//! describes it (HTML, 13.2.6). The handlers of this module take the elements of that tree in document order. Each piece
//! of text gets the marks of all elements around it, which are kept on a stack.

mod attributes;
mod blocks;
mod controls;
mod drawings;
mod elements;
mod inlines;
mod lists;
mod notes;
mod origin;
mod ruby;
mod stack;
mod state;
mod tables;

pub use blocks::language_of_class;
pub use origin::{Origin, Page, addresses};
pub use state::NoteNames;

use crate::{
    css::looks::Looks,
    dom::{Dom, Event, Events, build_within},
    error::Result,
    job::Job,
    syntax::tokens::Syntax,
};
use convertd_tree::Builder;
use state::PageReader;

/// Adds the content of HTML to a document.
pub fn read(
    job: &Job<'_>,
    build: &mut Builder<'_>,
    text: &str,
    syntax: Syntax,
    origin: &mut dyn Origin,
) -> Result<()> {
    read_with(job, build, text, syntax, origin, &mut NoteNames::default())
}

/// Like [`read`], for a part of a document whose notes may be in another part.
pub fn read_with(
    job: &Job<'_>,
    build: &mut Builder<'_>,
    text: &str,
    syntax: Syntax,
    origin: &mut dyn Origin,
    notes: &mut NoteNames,
) -> Result<()> {
    let lease = job.empty_lease();
    let dom = build_within(job, text, syntax, &lease)?;
    read_all(job, PageReader::new(build, origin, notes), &dom)
}

/// Like [`read`], for a page whose tree of elements exists.
pub fn read_tree(
    job: &Job<'_>,
    build: &mut Builder<'_>,
    dom: &Dom,
    origin: &mut dyn Origin,
) -> Result<()> {
    let mut notes = NoteNames::default();
    read_all(job, PageReader::new(build, origin, &mut notes), dom)
}

/// Like [`read_tree`], for a page as it is displayed: with the styles of its style sheets, and without the content of
/// closed elements.
pub fn read_styled(
    job: &Job<'_>,
    build: &mut Builder<'_>,
    dom: &Dom,
    origin: &mut dyn Origin,
    looks: &Looks,
) -> Result<()> {
    let mut notes = NoteNames::default();
    let reader = PageReader::new(build, origin, &mut notes);
    read_all(
        job,
        PageReader {
            as_shown: true,
            looks: Some(looks),
            ..reader
        },
        dom,
    )
}

fn read_all(job: &Job<'_>, mut reader: PageReader<'_, '_, '_>, dom: &Dom) -> Result<()> {
    /// Number of events between two checks of the job's deadline.
    const EVENTS_PER_CHECK: usize = 4096;
    let mut events = Events::new(dom);
    let mut count = 0_usize;
    while let Some(event) = events.next() {
        count += 1;
        if count.is_multiple_of(EVENTS_PER_CHECK) {
            job.check()?;
        }
        match event {
            Event::Start(start) => {
                reader.start(&start)?;
                if std::mem::take(&mut reader.skips) {
                    events.leave_out();
                }
            }
            Event::End(tag) => reader.end(tag)?,
            Event::Text(text) => reader.text(text)?,
            Event::Drawing(root, drawing) => reader.drawing(&root, drawing)?,
        }
    }
    reader.end_line()
}
