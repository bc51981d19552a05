//! Writes an OpenDocument text as a package. Writes neither the time nor random identifiers, so that equal documents
//! give equal bytes.

mod automatic;
mod body;
mod context;
mod dialect;
mod frames;
mod inlines;
mod lists;
mod page;
mod properties;
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
use context::Odt;
use convertd_office::wordprocessing::write::{Dialect, blocks, open_metadata, title};
use convertd_tree::{Document, contents, options};

/// Begins a part with this root element, which declares all namespaces of its content.
fn part(element: &'static str) -> Writer {
    let mut xml = Writer::new();
    xml.start(element);
    for prefix in ["office", "text", "style", "table", "meta"] {
        let name = format!("urn:oasis:names:tc:opendocument:xmlns:{prefix}:1.0");
        xml.attribute(&format!("xmlns:{prefix}"), name);
    }
    for (prefix, name) in [
        ("draw", "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"),
        (
            "fo",
            "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0",
        ),
        (
            "svg",
            "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0",
        ),
        ("xlink", "http://www.w3.org/1999/xlink"),
        ("dc", "http://purl.org/dc/elements/1.1/"),
    ] {
        xml.attribute(&format!("xmlns:{prefix}"), name);
    }
    xml.attribute("office:version", "1.3");
    xml
}

/// Writes a document. The body is generated first, because automatic styles and master pages follow from it.
pub(super) fn write(
    job: &Job<'_>,
    document: &Document,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let mut odt = Odt::new(job, document);
    let mut pages = page::Pages::default();
    title(&mut odt);
    if job.options().flag(options::TOC.name) {
        odt.contents(&contents::of(document));
    }
    let sections = document.sections();
    for (number, section) in sections.iter().enumerate() {
        odt.begin_section(&mut pages, &sections[number..], number == 0);
        blocks(&mut odt, &section.blocks)?;
        odt.end_columns();
    }
    odt.end_page();
    let body = std::mem::take(&mut odt.xml).finish();

    let mut content = part("office:document-content");
    content.start("office:automatic-styles");
    content.raw(&odt.automatic.write());
    content.raw(&lists::write(&odt.context.lists));
    content.end();
    content.start("office:body").start("office:text");
    content.raw(&body);
    let content = content.finish();
    // Headers and footers have separate automatic styles.
    let masters = odt.masters(&pages)?;
    let styles = odt.styles_part(&pages, &masters);

    let mut archive = zip::Writer::new(job, output);
    // The first entry is stored without compression, so that programs find the media type at a fixed offset (part 2,
    // 3.3).
    archive.add("mimetype", super::MEDIA_TYPE.as_bytes(), Packing::Stored)?;
    let mut add = |name: &str, text: &str| archive.add(name, text.as_bytes(), Packing::Deflated);
    add("content.xml", &content)?;
    add("styles.xml", &styles)?;
    add(
        "meta.xml",
        &open_metadata(part("office:document-meta"), &document.metadata),
    )?;
    for (number, formula) in odt.formulas.iter().enumerate() {
        add(&format!("{}/content.xml", context::object(number)), formula)?;
    }
    add("META-INF/manifest.xml", &odt.manifest())?;
    odt.write_pictures(&mut archive)?;
    archive.finish()?;
    page::count_lines(&mut odt.context.losses, document);
    if styles::changes_notes(document) {
        let loss = &convertd_office::wordprocessing::losses::NOTE_NUMBERS;
        odt.context.losses.add(loss);
    }
    odt.context.losses.add_notes(notes);
    Ok(())
}
