//! Writes presentations part by part: a master with four plain layouts, then the slides. The output contains no time
//! and no random identifier, so that the same document always results in the same bytes.

mod package;
mod slide;
mod text;

use crate::{
    containers::zip::{self, Packing},
    error::Result,
    job::{Job, Notes, Output},
    write::{Layout, Page},
};
use convertd_office::wordprocessing::write::{Relationships, core_properties};
use convertd_tree::Document;
use package::Media;
pub(super) use package::PICTURES;

/// Parts of all presentations: names and texts.
const FIXED: [(&str, &str); 6] = [
    ("theme/theme1.xml", include_str!("template/theme.xml")),
    (
        "slideMasters/slideMaster1.xml",
        include_str!("template/master.xml"),
    ),
    (
        "slideLayouts/slideLayout1.xml",
        include_str!("template/layout_title.xml"),
    ),
    (
        "slideLayouts/slideLayout2.xml",
        include_str!("template/layout_section.xml"),
    ),
    (
        "slideLayouts/slideLayout3.xml",
        include_str!("template/layout_content.xml"),
    ),
    (
        "slideLayouts/slideLayout4.xml",
        include_str!("template/layout_title_only.xml"),
    ),
];

/// Parts of presentations with notes.
const NOTES: [(&str, &str); 2] = [
    ("theme/theme2.xml", include_str!("template/theme.xml")),
    (
        "notesMasters/notesMaster1.xml",
        include_str!("template/notes_master.xml"),
    ),
];

/// Returns the number of a layout among these parts, counted from 1.
fn number(layout: Layout) -> usize {
    match layout {
        Layout::Title => 1,
        Layout::Section => 2,
        Layout::Content => 3,
        Layout::TitleOnly => 4,
    }
}

/// Writes a presentation.
pub(super) fn write(
    job: &Job<'_>,
    document: &Document,
    pages: &[Page],
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let has_notes = pages.iter().any(|page| !page.notes.is_empty());
    let mut archive = zip::Writer::new(job, output);
    let mut media = Media::new(document);
    let types = package::content_types(pages, document, has_notes);
    add(&mut archive, "[Content_Types].xml", &types)?;
    let mut package = Relationships::default();
    package.add("officeDocument", "ppt/presentation.xml", false);
    package.add("core-properties", "docProps/core.xml", false);
    add(
        &mut archive,
        "_rels/.rels",
        &package.write().unwrap_or_default(),
    )?;
    add(
        &mut archive,
        "docProps/core.xml",
        &core_properties(&document.metadata),
    )?;
    let (text, relationships) = package::presentation(pages, has_notes);
    part(&mut archive, "presentation.xml", &text, &relationships)?;
    // The parts for notes are omitted if no slide has notes.
    for (name, text) in FIXED.iter().chain(&NOTES[..if has_notes { 2 } else { 0 }]) {
        part(&mut archive, name, text, &package::fixed(name))?;
    }
    add(
        &mut archive,
        "ppt/tableStyles.xml",
        &package::table_styles(),
    )?;
    for (nth, page) in pages.iter().enumerate() {
        job.check()?;
        let mut slide = slide::Slide::new(nth, &mut media);
        let text = slide.write(page);
        let relationships = slide.relationships;
        part(
            &mut archive,
            &format!("slides/slide{}.xml", nth + 1),
            &text,
            &relationships,
        )?;
        if !page.notes.is_empty() {
            let (text, relationships) = slide::notes(nth, page, &mut media);
            let name = format!("notesSlides/notesSlide{}.xml", nth + 1);
            part(&mut archive, &name, &text, &relationships)?;
        }
    }
    media.write(&mut archive)?;
    archive.finish()?;
    media.losses.tell(notes);
    Ok(())
}

/// Adds a text to the archive.
fn add(archive: &mut zip::Writer<'_>, name: &str, text: &str) -> Result<()> {
    archive.add(name, text.as_bytes(), Packing::Deflated)
}

/// Adds a part to the folder `ppt`, with its relationships if it has any.
fn part(
    archive: &mut zip::Writer<'_>,
    name: &str,
    text: &str,
    relationships: &Relationships,
) -> Result<()> {
    add(archive, &format!("ppt/{name}"), text)?;
    let Some(relationships) = relationships.write() else {
        return Ok(());
    };
    let name = match name.rsplit_once('/') {
        Some((folder, file)) => format!("ppt/{folder}/_rels/{file}.rels"),
        None => format!("ppt/_rels/{name}.rels"),
    };
    add(archive, &name, &relationships)
}
