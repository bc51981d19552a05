//! Reads a Word document part by part. Styles and numbering come before the main document part, which refers to them;
//! notes come after the main part, so that only notes to which it refers are read. Decides nothing about single
//! paragraphs.

mod anchor;
mod body;
#[cfg(feature = "presentation")]
mod chart;
mod chunk;
mod context;
mod drawing;
mod framing;
mod lengths;
mod notes;
mod numbering;
mod properties;
mod runs;
mod section;
mod shapes;
mod styles;
mod table;
mod table_shape;
mod table_styles;
mod vml;

use super::NAMESPACES;
use crate::{
    containers::{opc::Package, xml::Reader},
    error::Result,
    job::{Input, Job, Notes},
};
use body::Body;
pub use chunk::Chunks;
use context::Context;
use convertd_office::wordprocessing::Story;
use convertd_tree::{Document, Length, LinkLook, Typesetter};
use styles::Styles;

/// Reads a document. `chunks` reads the documents that are embedded in it; without this function, they are left out.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if the file is not a Word document, is damaged, or is
/// encrypted.
pub fn read(
    job: &Job<'_>,
    input: &mut dyn Input,
    notes: &mut Notes,
    chunks: Option<Chunks>,
) -> Result<Document> {
    let mut story = Story::new(job);
    let mut package = Package::open(job, input)?;
    let name = package.main_part("word/document.xml")?;
    let mut context = Context::new(job, package);
    context.chunks = chunks;
    let Some(text) = context.part(&mut story, &name)? else {
        return Err(job.unreadable("it has no text: the part word/document.xml is missing"));
    };
    let parts = context.package.relationships(&name)?;
    let mut part = |kind: &str| match parts.part(kind) {
        Some(name) => context.part(&mut story, name),
        None => Ok(None),
    };
    let theme = part("theme")?;
    let styles = part("styles")?;
    let numbering = part("numbering")?;
    let settings = part("settings")?;
    let footnotes = part("footnotes")?;
    let endnotes = part("endnotes")?;
    // The parts are interpreted in an order in which each one only depends on those before it.
    context.styles = Styles::read(job, styles.as_deref(), theme.as_deref())?;
    story.fonts = context.styles.fonts.clone();
    if let Some(numbering) = &numbering {
        story.lists = numbering::lists(job, numbering)?;
    }
    story.build.spaces_overlap = true;
    story.build.typesetter = Typesetter::Word;
    // Links have formatting of their own only if a style for them is in use.
    story.build.links = LinkLook::Plain;
    if let Some(settings) = &settings {
        context.read_settings(&mut story, settings)?;
    }
    context.read_properties(&mut story)?;
    // Bookmarks that links and fields refer to have to be known before the text is read.
    for (before, end) in [("w:anchor=\"", '"'), ("HYPERLINK \\l ", '<'), ("REF ", '<')] {
        story.find_targets(text.as_bytes(), before, end);
    }
    story.set_default_text(&context.styles.paragraph(None));
    context.theme_part = parts.part("theme").map(Into::into);
    context.relationships = parts.clone();

    if let Some(width) = first_text_width(&text) {
        context.text_width = width;
    }
    let mut xml = Reader::new(job, &text, NAMESPACES);
    xml.root()?;
    let mut body = Body::new(&mut context, &mut story, xml);
    while let Some(element) = body.xml.next_element(1)? {
        if element.space == "w" && element.name == "body" {
            body.blocks()?;
        }
    }
    for (kind, text) in [("footnotes", &footnotes), ("endnotes", &endnotes)] {
        if let (Some(name), Some(text)) = (parts.part(kind), text) {
            context.read_notes(&mut story, name, text)?;
        }
    }
    for note in std::mem::take(&mut context.chunk_notes.0) {
        notes.add(note);
    }
    story.finish(notes)
}

/// Finds the width between the margins of the first section, whose properties follow after its text. The source is
/// searched as text, since only tabs relative to the margins need the width so early. `None` if the section states no
/// such width, or if elements have another prefix than `w`.
fn first_text_width(text: &str) -> Option<Length> {
    let section = &text[text.find("<w:sectPr")?..];
    let section = &section[..section.find("</w:sectPr>")?];
    let value = |element: &str, name: &str| {
        let (_, element) = section.split_once(element)?;
        let (_, value) = element.split_once('>')?.0.split_once(name)?;
        let number: i32 = value.split('"').next()?.parse().ok()?;
        Some(i64::from(number))
    };
    let width = value("<w:pgSz", "w:w=\"")?;
    let sides = value("<w:pgMar", "w:left=\"")? + value("<w:pgMar", "w:right=\"")?;
    Some(Length::twips(width - sides)).filter(|width| *width > Length::ZERO)
}
