//! Reads an OpenDocument text part by part. Styles come first, since the text refers to them. Decides nothing about
//! single paragraphs.

mod body;
mod context;
mod frames;
mod inlines;
mod items;
mod layouts;
mod lists;
mod notes;
mod page;
mod places;
mod properties;
#[cfg(feature = "presentation")]
mod shapes;
mod styles;
mod table;

#[cfg(test)]
pub(super) mod tests;

use super::NAMESPACES;
use crate::{
    containers::{
        odf::Package,
        xml::{self, Reader},
    },
    error::Result,
    job::{Input, Job, Notes},
};
use body::Body;
use context::{Context, find_targets};
use convertd_office::wordprocessing::{self as office, Story};
use convertd_tree::{Document, Hyphenation, Typesetter, input};
use styles::Scope;

/// Reads a document in a package.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if the file is not an OpenDocument text, is damaged, or is
/// encrypted.
pub(super) fn read(job: &Job<'_>, input: &mut dyn Input, notes: &mut Notes) -> Result<Document> {
    let mut story = Story::new(job);
    let package = Package::open(job, input)?;
    let mut context = Context::new(job, Some(package));
    let Some(content) = context.part(&mut story, "content.xml")? else {
        return Err(job.unreadable("it has no text: the part content.xml is missing"));
    };
    let styles = context.part(&mut story, "styles.xml")?;
    let meta = context.part(&mut story, "meta.xml")?;
    if let Some(meta) = &meta {
        office::read_open_metadata(job, meta, &mut story.build.metadata)?;
        context.styles.sides_are_physical = is_of_libreoffice(meta);
    }
    let styles = styles.unwrap_or_default();
    document(&mut story, &mut context, &styles, &content)?;
    story.finish(notes)
}

/// Reads a flat document.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if the file is not an OpenDocument text, or is damaged.
pub(super) fn read_flat(
    job: &Job<'_>,
    input: &mut dyn Input,
    notes: &mut Notes,
) -> Result<Document> {
    // Memory as a multiple of the file: its bytes, its text, and a picture both in Base64 and decoded.
    const TIMES: u64 = 4;
    let (bytes, _lease) = input::read_all(job, input, TIMES)?;
    let text = xml::decode(&bytes).into_owned();
    drop(bytes);
    let mut story = Story::new(job);
    let mut context = Context::new(job, None);
    office::read_open_metadata(job, &text, &mut story.build.metadata)?;
    context.styles.sides_are_physical = is_of_libreoffice(&text);
    document(&mut story, &mut context, "", &text)?;
    story.finish(notes)
}

/// Returns whether LibreOffice, or a program with the same origin, wrote the document, according to its metadata.
fn is_of_libreoffice(meta: &str) -> bool {
    let Some((_, generator)) = meta.split_once("<meta:generator>") else {
        return false;
    };
    let names = ["LibreOffice", "OpenOffice", "Collabora", "NeoOffice"];
    names.iter().any(|name| generator.starts_with(name))
}

/// Reads the text. For a flat file, `styles` is empty and `content` holds everything.
fn document<'a>(
    story: &mut Story<'a>,
    context: &mut Context<'a>,
    styles: &str,
    content: &str,
) -> Result<()> {
    let job = context.job;
    story.build.typesetter = Typesetter::Writer;
    if !styles.is_empty() {
        context.styles.read(job, styles, Scope::Pages)?;
    }
    context.styles.read(job, content, Scope::Text)?;
    let standard = context.styles.paragraph(Some("Standard")).style.clone();
    story.set_default_text(&standard);
    story.build.hyphenation = Hyphenation {
        automatic: standard.paragraph.hyphenated == Some(true),
        ..context.styles.hyphenation
    };
    story.build.note_setups = context.styles.note_setups;
    // Bookmarks that links refer to have to be known before the text is read.
    find_targets(story, &mut context.numbered, content);
    let (pages, scope) = if styles.is_empty() {
        (content, Scope::Text)
    } else {
        (styles, Scope::Pages)
    };
    context.read_pages(story, pages, scope)?;

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
        let mut body = Body::new(context, story, xml);
        body.text(None)?;
        return body.end_document();
    }
    Err(job.unreadable("it has no text: the element office:text is missing"))
}
