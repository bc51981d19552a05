//! Reads a document: its text, which is one text for all sections, and the objects that are placed on its pages.

mod body;
mod objects;
mod pages;
mod table;

use crate::{
    containers::iwa::Objects,
    error::Result,
    job::{Input, Job, Notes},
};
use body::Body;
use convertd_office::{
    iwork::{Media, Styles},
    wordprocessing::Story,
};
use convertd_tree::Document;
use pages::Pages;

/// Kind of the root object, which is the document.
const DOCUMENT: u64 = 10_000;

/// Reads a document.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if the file is not a document of Pages, is damaged, or is
/// encrypted.
pub(super) fn read(job: &Job<'_>, input: &mut dyn Input, notes: &mut Notes) -> Result<Document> {
    let objects = Objects::read(job, input)?;
    let Some((_, document)) = objects.first(DOCUMENT) else {
        return Err(job.unreadable("its root object, which refers to all others, is missing"));
    };
    let media = Media::open(job, input, &objects)?;
    let mut body = Body {
        job,
        objects: &objects,
        media,
        styles: Styles::new(job, &objects),
        story: Story::new(job),
        lease: job.empty_lease(),
        pages: Pages::new(document),
        state: body::TextState::default(),
        depth: 0,
    };
    body.document(document)?;
    body.story.finish(notes)
}
