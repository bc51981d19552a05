//! Reads a Hangul document part by part: first the list of parts, then the properties that the sections refer to, then
//! the sections. Decides nothing about single paragraphs.

mod body;
mod context;
mod controls;
mod equation;
mod header;
mod lengths;
mod notes;
mod numbering;
mod objects;
mod outline;
mod pages;
mod shapes;
mod table;
mod text;

use super::{HEADER, NAMESPACES};
use crate::{
    containers::xml::Reader,
    error::{Error, Kind, Result},
    job::{Input, Job, Notes},
};
use body::Body;
use context::Context;
use convertd_office::wordprocessing::Story;
use convertd_tree::Document;
use header::Header;

/// Reads a document.
///
/// Errors: [`Kind::BadInput`] if the file is not a Hangul document, is damaged, or is encrypted.
pub(super) fn read(job: &Job<'_>, input: &mut dyn Input, notes: &mut Notes) -> Result<Document> {
    let mut story = Story::new(job);
    let mut context = Context::open(job, input)?;
    if context.is_encrypted(&mut story)? {
        return Err(Error::new(
            Kind::BadInput,
            "the file is encrypted: remove its password in Hangul, and send it again",
        )
        .because(crate::error::Reason::Encrypted));
    }
    context.read_package(&mut story)?;
    let sections = context.sections();
    let Some(header) = context.part(&mut story, HEADER)? else {
        return Err(job.unreadable(format!("the part {HEADER} is missing")));
    };
    context.header = Header::read(job, &mut story, &header)?;
    drop(header);
    story.set_default_text(&context.header.style("0"));
    for name in sections {
        let Some(text) = context.part(&mut story, &name)? else {
            continue;
        };
        let mut xml = Reader::new(job, &text, NAMESPACES);
        xml.root()?;
        Body::new(&mut context, &mut story, xml).section()?;
    }
    if !context.pages.is_begun() {
        return Err(job.unreadable("it has no text: the part Contents/section0.xml is missing"));
    }
    context.pages.end_document(&mut story)?;
    story.finish(notes)
}
