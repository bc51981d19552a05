//! Reads a Word document part by part. Styles and numbering come before the main document part, which refers to them; notes
//! come after it, so that only the ones that it refers to are read. Decides nothing about single paragraphs.

mod body;
mod context;
mod drawing;
mod notes;
mod numbering;
mod properties;
mod runs;
mod section;
mod styles;
mod table;
mod table_shape;
mod table_styles;

use super::{NAMESPACES, recognise};
use crate::{
    containers::{opc::Package, xml::Reader},
    document::{
        office::Lists,
        tree::{Builder, Document},
    },
    error::Result,
    job::{Input, Job, Notes, read_head},
};
use context::{Context, Story};

use styles::Styles;

/// Reads a document.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if the file is not a Word document, is damaged, or is encrypted.
pub(super) fn read(job: &Job<'_>, input: &mut dyn Input, notes: &mut Notes) -> Result<Document> {
    let mut build = Builder::new(job);
    let head = read_head(input, 8).unwrap_or_default();
    if let Some(refusal) = recognise::refusal(&head, input) {
        return Err(refusal);
    }
    let mut package = Package::open(job, input)?;
    let name = package.main_part("word/document.xml")?;
    let mut context = Context::new(job, package);
    let Some(text) = context.part(&mut build, &name)? else {
        return Err(job.unreadable("it has no text: the part word/document.xml is missing"));
    };
    let parts = context.package.relationships(&name)?;
    let mut part = |kind: &str| match parts.part(kind) {
        Some(name) => context.part(&mut build, name),
        None => Ok(None),
    };
    let theme = part("theme")?;
    let styles = part("styles")?;
    let numbering = part("numbering")?;
    let settings = part("settings")?;
    let footnotes = part("footnotes")?;
    let endnotes = part("endnotes")?;
    context.styles = Styles::read(job, styles.as_deref(), theme.as_deref())?;
    if let Some(numbering) = &numbering {
        context.lists = Lists::read(job, numbering)?;
    }
    build.spaces_overlap = true;
    if let Some(settings) = &settings {
        context.read_settings(&mut build, settings)?;
    }
    context.read_properties(&mut build)?;
    context.find_targets(&text);
    build.text = context.styles.default_text().clone();
    if build.metadata.language.is_none() {
        build.metadata.language = build.text.language.as_deref().map(Into::into);
    }
    context.relationships = parts.clone();

    let mut xml = Reader::new(job, &text, NAMESPACES);
    xml.root()?;
    while let Some(element) = xml.next_element(1)? {
        if element.space == "w" && element.name == "body" {
            let story = Story {
                main: true,
                ..Story::new()
            };
            context.story(&mut build, &mut xml, story)?;
        }
    }
    for (kind, text) in [("footnotes", &footnotes), ("endnotes", &endnotes)] {
        if let (Some(name), Some(text)) = (parts.part(kind), text) {
            context.read_notes(&mut build, name, text)?;
        }
    }
    build.finish(notes)
}
