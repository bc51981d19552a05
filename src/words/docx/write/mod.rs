//! Writes Word documents part by part. Writes neither the time nor random identifiers, so that equal documents give
//! equal bytes.

mod body;
mod context;
mod dialect;
mod frames;
mod inlines;
mod notes;
mod numbering;
mod package;
mod properties;
mod section;
mod styles;
mod table;

use crate::{
    containers::{
        xml::Writer,
        zip::{self, Packing},
    },
    error::Result,
    job::{Job, Notes, Output},
};
use context::Docx;
use convertd_office::wordprocessing::{
    losses,
    write::{Dialect, Relationships, blocks, core_properties, title},
};
use convertd_tree::{
    Block, Document, NoteCount, NoteSetups, PageSetup, Section, contents, options,
};
use section::MarginParts;

/// Namespace of WordprocessingML (transitional).
const W: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

/// Begins a part with this root element, which declares the namespaces of its content. Pictures declare those of
/// DrawingML themselves.
fn part(element: &'static str) -> Writer {
    let mut xml = Writer::new();
    xml.start(element).attribute("xmlns:w", W);
    for (name, space) in [
        (
            "xmlns:r",
            "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
        ),
        (
            "xmlns:m",
            "http://schemas.openxmlformats.org/officeDocument/2006/math",
        ),
        (
            "xmlns:wp",
            "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
        ),
        ("xmlns:v", "urn:schemas-microsoft-com:vml"),
        ("xmlns:o", "urn:schemas-microsoft-com:office:office"),
    ] {
        xml.attribute(name, space);
    }
    xml
}

/// Writes a document. The text of the main part is generated first. Styles, lists and relationships follow, since they
/// depend on the content of the main part.
pub(super) fn write(
    job: &Job<'_>,
    document: &Document,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let standard = PageSetup::default();
    let mut docx = Docx::new(job, document);
    if let Some(period) = docx.context.heading_numbers {
        docx.context.lists.number_headings(period);
    }
    let mut margins = MarginParts::default();
    // Word has one colour for all pages: that of the first section is used.
    let sections = document.sections();
    let background = |section: &Section| section.page.as_ref().and_then(|page| page.background);
    let colour = sections.first().and_then(background);
    if let Some(colour) = colour {
        docx.xml
            .start("w:background")
            .attribute("w:color", colour.hex())
            .end();
    }
    let others = sections
        .iter()
        .filter(|section| background(section) != colour);
    docx.context
        .losses
        .add_many(&losses::PAGE_COLOURS, others.count());
    docx.xml.start("w:body");
    title(&mut docx);
    if job.options().flag(options::TOC.name) {
        docx.contents(&contents::of(document));
    }
    write_sections(&mut docx, sections, &standard, &mut margins)?;
    let text = std::mem::take(&mut docx.xml).finish();
    let mut names: Vec<String> = Vec::new();
    let mut parts: Vec<(String, String, Option<Relationships>)> = Vec::new();
    let mut relationships = std::mem::take(&mut docx.relationships);
    for (kind, own, content) in docx.notes_parts()? {
        relationships.add(kind, &format!("{kind}.xml"), false);
        parts.push((format!("{kind}.xml"), content, Some(own)));
    }
    for (name, content, own) in std::mem::take(&mut margins.parts) {
        parts.push((name, content, Some(own)));
    }
    let language = document.metadata.language.as_deref();
    for (kind, content) in [
        (
            "styles",
            // Word turns hyphenation on for the whole document. If only some paragraphs are hyphenated, the document
            // defaults turn it off for all others.
            styles::write(
                &docx.context.styles,
                language,
                document.is_hyphenated() && !document.hyphenation.automatic,
            ),
        ),
        ("numbering", numbering::write(&docx.context.lists)),
        (
            "settings",
            package::settings(
                margins.even_and_odd,
                colour.is_some(),
                document.note_setups,
                Some(document.hyphenation).filter(|_| document.is_hyphenated()),
            ),
        ),
    ] {
        relationships.add(kind, &format!("{kind}.xml"), false);
        parts.push((format!("{kind}.xml"), content, None));
    }
    parts.insert(0, ("document.xml".to_owned(), text, Some(relationships)));
    names.extend(parts.iter().map(|(name, ..)| name.clone()));

    let mut package = Relationships::default();
    package.add("officeDocument", "word/document.xml", false);
    package.add("core-properties", "docProps/core.xml", false);
    let pictures = docx.media.values().map(|part| part.media_type);
    let types = package::content_types(&names, pictures);
    let mut archive = zip::Writer::new(job, output);
    let mut add = |name: &str, text: &str| archive.add(name, text.as_bytes(), Packing::Deflated);
    add("[Content_Types].xml", &types)?;
    add("_rels/.rels", &package.write().unwrap_or_default())?;
    add("docProps/core.xml", &core_properties(&document.metadata))?;
    for (name, content, own) in &parts {
        add(&format!("word/{name}"), content)?;
        if let Some(relationships) = own.as_ref().and_then(Relationships::write) {
            add(&format!("word/_rels/{name}.rels"), &relationships)?;
        }
    }
    docx.write_media(&mut archive)?;
    archive.finish()?;
    let restarts = |setups: NoteSetups| setups.footnotes.restart == NoteCount::Chapter;
    if restarts(document.common_note_setups().0) && !document.notes().is_empty() {
        docx.context.losses.add(&losses::NOTE_NUMBERS);
    }
    docx.context.losses.add_notes(notes);
    Ok(())
}

/// Writes the sections. The properties of the last section end the body. The properties of any other section belong to
/// its last paragraph; if it does not end with a paragraph, an empty paragraph is added (17.6.17, 17.6.18).
fn write_sections<'a>(
    docx: &mut Docx<'a>,
    sections: &'a [Section],
    standard: &'a PageSetup,
    margins: &mut MarginParts<'a>,
) -> Result<()> {
    for (number, section) in sections.iter().enumerate() {
        let page = section.page.as_deref().unwrap_or(standard);
        docx.context.text_width = page.width - page.left - page.right;
        let properties = docx.section(page, margins)?;
        if number + 1 == sections.len() {
            docx.blocks_with_end(&section.blocks)?;
            docx.xml.raw(&properties);
        } else if let Some((last, rest)) = section.blocks.split_last()
            && matches!(last, Block::Paragraph(_))
        {
            blocks(docx, rest)?;
            docx.section_pending = Some(properties);
            blocks(docx, std::slice::from_ref(last))?;
        } else {
            blocks(docx, &section.blocks)?;
            docx.end_page();
            docx.section_pending = Some(properties);
            docx.empty_paragraph();
        }
    }
    Ok(())
}
