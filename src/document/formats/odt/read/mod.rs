//! Reads an OpenDocument text part by part: styles first, since the text refers to them. Decides nothing about single
//! paragraphs.

mod body;
mod context;
mod frames;
mod inlines;
mod items;
mod layouts;
mod lists;
mod meta;
mod package;
mod page;
mod properties;
mod styles;
mod table;

#[cfg(test)]
pub(super) mod tests;

use super::NAMESPACES;
use crate::{
    containers::xml::{self, Reader},
    document::{
        input,
        tree::{Builder, Document},
    },
    error::Result,
    job::{Input, Job, Notes},
};
use context::{Context, Story};
use package::Package;
use styles::Scope;

/// Reads a document in a package.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if the file is not an OpenDocument text, is damaged, or is
/// encrypted.
pub(super) fn read(job: &Job<'_>, input: &mut dyn Input, notes: &mut Notes) -> Result<Document> {
    let mut build = Builder::new(job);
    let package = Package::open(job, input)?;
    let mut context = Context::new(job, Some(package));
    let Some(content) = context.part(&mut build, "content.xml")? else {
        return Err(job.unreadable("it has no text: the part content.xml is missing"));
    };
    let styles = context.part(&mut build, "styles.xml")?;
    let meta = context.part(&mut build, "meta.xml")?;
    if let Some(meta) = &meta {
        meta::read(job, meta, &mut build)?;
    }
    let styles = styles.unwrap_or_default();
    document(&mut build, &mut context, &styles, &content)?;
    build.finish(notes)
}

/// Reads a flat document.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if the file is not an OpenDocument text, or is damaged.
pub(super) fn read_flat(
    job: &Job<'_>,
    input: &mut dyn Input,
    notes: &mut Notes,
) -> Result<Document> {
    // This covers the file, its text, and a picture both in Base64 and decoded.
    const TIMES: u64 = 4;
    let bytes = input::read_all(job, input, TIMES)?;
    let text = xml::decode(&bytes).into_owned();
    drop(bytes);
    let mut build = Builder::new(job);
    let mut context = Context::new(job, None);
    context.hold(&mut build, TIMES * job.input_len)?;
    meta::read(job, &text, &mut build)?;
    document(&mut build, &mut context, "", &text)?;
    build.finish(notes)
}

/// Reads the text. `styles` is empty for a flat file, where `content` holds everything.
fn document(
    build: &mut Builder<'_>,
    context: &mut Context<'_>,
    styles: &str,
    content: &str,
) -> Result<()> {
    let job = context.job;
    if !styles.is_empty() {
        context.styles.read(job, styles, Scope::Pages)?;
    }
    context.styles.read(job, content, Scope::Text)?;
    context.styles.settle();
    build.text = context.styles.default_text();
    if build.metadata.language.is_none() {
        build.metadata.language = build.text.language.as_deref().map(Into::into);
    }
    context.find_targets(content);
    let (pages, scope) = if styles.is_empty() {
        (content, Scope::Text)
    } else {
        (styles, Scope::Pages)
    };
    context.read_pages(build, pages, scope)?;

    let mut xml = Reader::new(job, content, NAMESPACES);
    xml.root()?;
    while let Some(body) = xml.next_element(1)? {
        if !(body.space == "office" && body.name == "body") {
            continue;
        }
        let Some(text) = xml.next_element(2)? else {
            break;
        };
        if !(text.space == "office" && text.name == "text") {
            return Err(job.unreadable(format!(
                "it is not a text document: its body holds the element {} instead of text",
                text.name.chars().take(40).collect::<String>()
            )));
        }
        let story = Story {
            main: true,
            ..Story::new()
        };
        context.story(build, &mut xml, story)?;
        return context.end_document(build);
    }
    Err(job.unreadable("it has no text: the element office:text is missing"))
}
