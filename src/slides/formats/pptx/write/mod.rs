//! Writes presentations part by part: a master with four plain layouts, then the slides. The output contains no time
//! and no random identifier, so that the same document always results in the same bytes.

mod from_deck;
mod package;
mod slide;
mod text;

use crate::{
    containers::zip::{self, Packing},
    error::Result,
    job::{Job, Notes, Output},
    write::{Layout, Page, SIZE},
};
use convertd_office::wordprocessing::write::{Relationships, core_properties};
use convertd_tree::Document;
pub(super) use from_deck::write as keep;
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

/// Returns the number of a layout among the layouts in [`FIXED`], counted from 1.
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
    let with_notes: Vec<bool> = pages.iter().map(|page| !page.notes.is_empty()).collect();
    let mut archive = zip::Writer::new(job, output);
    let mut media = Media::new(document);
    begin(&mut archive, document, &with_notes, FIXED_LAYOUTS, SIZE)?;
    for (name, text) in FIXED {
        part(
            &mut archive,
            name,
            text,
            &package::fixed(name, FIXED_LAYOUTS),
        )?;
    }
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
    media.losses.add_notes(notes);
    Ok(())
}

/// Number of layouts in [`FIXED`].
const FIXED_LAYOUTS: usize = 4;

/// Adds the parts before the master and the slides: content types, metadata, the list of slides, the table styles, and,
/// if a slide has notes, the parts for notes.
fn begin(
    archive: &mut zip::Writer<'_>,
    document: &Document,
    with_notes: &[bool],
    layouts: usize,
    size: (i64, i64),
) -> Result<()> {
    let has_notes = with_notes.contains(&true);
    let types = package::content_types(with_notes, layouts, document);
    add(archive, "[Content_Types].xml", &types)?;
    let mut package = Relationships::default();
    package.add("officeDocument", "ppt/presentation.xml", false);
    package.add("core-properties", "docProps/core.xml", false);
    add(archive, "_rels/.rels", &package.write().unwrap_or_default())?;
    let properties = core_properties(&document.metadata);
    add(archive, "docProps/core.xml", &properties)?;
    let (text, relationships) = package::presentation(with_notes.len(), size, has_notes);
    part(archive, "presentation.xml", &text, &relationships)?;
    for (name, text) in &NOTES[..if has_notes { 2 } else { 0 }] {
        part(archive, name, text, &package::fixed(name, layouts))?;
    }
    add(archive, "ppt/tableStyles.xml", &package::table_styles())
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
