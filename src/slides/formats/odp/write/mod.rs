//! Writes presentations as packages: a plain master, and the pages. Writes neither times nor random identifiers, so
//! that the same document always gives the same bytes.

mod automatic;
mod from_deck;
mod pages;
mod styles;
mod text;

use crate::{
    containers::{
        xml::Writer,
        zip::{self, Packing},
    },
    error::Result,
    job::{Job, Notes, Output},
    write::Page,
};
use convertd_office::wordprocessing::write::open_metadata;
use convertd_tree::{Document, media};
pub(super) use from_deck::write as keep;
use pages::Pages;
use std::collections::BTreeSet;

/// Begins a part with its root element, which declares all namespaces of the content.
fn part(element: &'static str) -> Writer {
    let mut xml = Writer::new();
    xml.start(element);
    for (prefix, name) in [
        ("office", "office"),
        ("text", "text"),
        ("style", "style"),
        ("table", "table"),
        ("meta", "meta"),
        ("draw", "drawing"),
        ("presentation", "presentation"),
        ("fo", "xsl-fo-compatible"),
        ("svg", "svg-compatible"),
    ] {
        let name = format!("urn:oasis:names:tc:opendocument:xmlns:{name}:1.0");
        xml.attribute(&format!("xmlns:{prefix}"), name);
    }
    xml.attribute("xmlns:xlink", "http://www.w3.org/1999/xlink");
    xml.attribute("xmlns:dc", "http://purl.org/dc/elements/1.1/");
    xml.attribute("office:version", "1.3");
    xml
}

/// Writes slides as a presentation.
pub(super) fn write(
    job: &Job<'_>,
    document: &Document,
    all: &[Page],
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    let mut pages = Pages::new(document);
    for (nth, page) in all.iter().enumerate() {
        job.check()?;
        pages.page(nth, page);
    }
    let pictures = pages.pictures;
    let body = pages.xml.finish();
    let mut content = part("office:document-content");
    content.start("office:automatic-styles");
    content.raw(&pages.automatic.write());
    content.end();
    content.start("office:body").start("office:presentation");
    content.raw(&body);
    let content = content.finish();
    archive(job, document, content, styles::part(), &pictures, output)
}

/// Writes the package: both parts, the metadata, the pictures with these indices, and the manifest.
fn archive(
    job: &Job<'_>,
    document: &Document,
    content: String,
    styles: String,
    pictures: &BTreeSet<usize>,
    output: &mut dyn Output,
) -> Result<()> {
    let mut archive = zip::Writer::new(job, output);
    // The first entry is not compressed, so that the media type is at a fixed offset (OpenDocument 1.3, part 2, 3.3).
    archive.add("mimetype", super::MEDIA_TYPE.as_bytes(), Packing::Stored)?;
    let mut manifest = manifest();
    let parts = [
        ("content.xml", content),
        ("styles.xml", styles),
        (
            "meta.xml",
            open_metadata(part("office:document-meta"), &document.metadata),
        ),
    ];
    for (name, text) in &parts {
        archive.add(name, text.as_bytes(), Packing::Deflated)?;
        entry(&mut manifest, name, "text/xml");
    }
    for number in pictures {
        let resource = &document.resources()[*number];
        let name = picture(document, *number);
        let packing = Packing::of_picture(&resource.media_type);
        archive.add(&name, &resource.bytes, packing)?;
        entry(&mut manifest, &name, &resource.media_type);
    }
    let manifest = manifest.finish();
    archive.add(
        "META-INF/manifest.xml",
        manifest.as_bytes(),
        Packing::Deflated,
    )?;
    archive.finish()
}

/// Name of a picture's part.
fn picture(document: &Document, number: usize) -> String {
    let kind = &document.resources()[number].media_type;
    format!("Pictures/{}.{}", number + 1, media::extension(kind))
}

/// Begins the manifest with the entry of the package itself.
fn manifest() -> Writer {
    let mut xml = Writer::new();
    xml.start("manifest:manifest").attribute(
        "xmlns:manifest",
        "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0",
    );
    xml.attribute("manifest:version", "1.3");
    xml.start("manifest:file-entry")
        .attribute("manifest:full-path", "/")
        .attribute("manifest:version", "1.3")
        .attribute("manifest:media-type", super::MEDIA_TYPE)
        .end();
    xml
}

/// Adds an entry to the manifest.
fn entry(manifest: &mut Writer, name: &str, media_type: &str) {
    manifest
        .start("manifest:file-entry")
        .attribute("manifest:full-path", name)
        .attribute("manifest:media-type", media_type)
        .end();
}

/// Formats a length in English Metric Units as centimetres.
fn length(emu: i64) -> String {
    format!("{:.3}cm", emu as f64 / 360_000.0)
}
