//! A comic as an electronic book with a fixed layout (EPUB 3.3, section 8.2): each picture is a page of its own size.
//! Converts no picture.
//!
//! Pages are written as they arrive, so a book needs memory for only one picture. The package document, which lists the
//! pages, comes last.

use super::{Info, Page};
use crate::{
    containers::{
        xml,
        zip::{Packing, Writer},
    },
    document::{EPUB_CONTAINER, epub_language},
    error::Result,
    job::{Job, Output},
};
use convertd_tree::media;

/// Width and height of a page, in pixels, if the size of its picture is unknown.
const UNKNOWN: (u32, u32) = (1200, 1800);

/// Title of a book if neither the comic's metadata nor the job has a title.
const UNTITLED: &str = "Untitled";

/// A book that is being written.
pub(super) struct Book<'a> {
    archive: Writer<'a>,
    info: Info,
    title: String,
    /// Extension and media type of each page's picture.
    pages: Vec<(&'static str, &'static str)>,
    /// Checksum of all pictures.
    checksum: crc32fast::Hasher,
}

impl<'a> Book<'a> {
    pub(super) fn new(job: &'a Job<'a>, info: Info, output: &'a mut dyn Output) -> Result<Self> {
        let mut archive = Writer::new(job, output);
        archive.add("mimetype", b"application/epub+zip", Packing::Stored)?;
        let container = EPUB_CONTAINER.as_bytes();
        archive.add("META-INF/container.xml", container, Packing::Deflated)?;
        let own = job.task.file_title.as_deref().map(Into::into);
        let title = info.title().or(own);
        Ok(Self {
            archive,
            info,
            title: title.unwrap_or_else(|| UNTITLED.into()),
            pages: Vec::new(),
            checksum: crc32fast::Hasher::new(),
        })
    }

    /// Metadata of the comic.
    pub(super) fn info(&self) -> &Info {
        &self.info
    }

    /// Writes a page and its picture.
    pub(super) fn add(&mut self, page: &Page) -> Result<()> {
        let number = self.pages.len() + 1;
        let (extension, media_type) = (page.format.name, page.format.media_type);
        let size = media::size(&page.bytes).map(|size| (size.width, size.height));
        let (width, height) = size.unwrap_or(UNKNOWN);
        let picture = format!("p{number:04}.{extension}");
        let mut text = xml::Writer::new();
        text.start("html")
            .attribute("xmlns", "http://www.w3.org/1999/xhtml");
        text.start("head");
        text.leaf("title", &format!("Page {number}"));
        text.start("meta")
            .attribute("name", "viewport")
            .attribute("content", format!("width={width}, height={height}"))
            .end();
        text.leaf("style", "html,body{margin:0}img{width:100%;height:100%}");
        text.end();
        text.start("body");
        text.start("img")
            .attribute("src", &picture)
            .attribute("alt", format!("Page {number}"))
            .end();
        let text = text.finish();
        let name = format!("EPUB/p{number:04}.xhtml");
        self.archive
            .add(&name, text.as_bytes(), Packing::Deflated)?;
        let name = format!("EPUB/{picture}");
        self.archive.add(&name, &page.bytes, Packing::Stored)?;
        self.checksum.update(&page.bytes);
        self.pages.push((extension, media_type));
        Ok(())
    }

    /// Writes the navigation document, which links to the first page, and the package document, which lists all pages.
    pub(super) fn finish(mut self) -> Result<()> {
        let navigation = self.navigation();
        let package = self.package();
        let archive = &mut self.archive;
        archive.add("EPUB/nav.xhtml", navigation.as_bytes(), Packing::Deflated)?;
        archive.add("EPUB/package.opf", package.as_bytes(), Packing::Deflated)?;
        self.archive.finish()
    }

    fn navigation(&self) -> String {
        let mut nav = xml::Writer::new();
        nav.start("html")
            .attribute("xmlns", "http://www.w3.org/1999/xhtml")
            .attribute("xmlns:epub", "http://www.idpf.org/2007/ops");
        nav.start("head");
        nav.leaf("title", &self.title);
        nav.end();
        nav.start("body");
        nav.start("nav").attribute("epub:type", "toc");
        nav.start("ol");
        nav.start("li");
        nav.start("a")
            .attribute("href", "p0001.xhtml")
            .text(&self.title)
            .end();
        nav.finish()
    }

    /// Returns the package document (EPUB 3.3, 5.4) of a fixed-layout book. Its identifier is a checksum of the
    /// pictures, so the same pictures give the same identifier.
    fn package(&self) -> String {
        let mut xml = xml::Writer::new();
        xml.start("package")
            .attribute("xmlns", "http://www.idpf.org/2007/opf")
            .attribute("version", "3.0")
            .attribute("unique-identifier", "id");
        xml.start("metadata")
            .attribute("xmlns:dc", "http://purl.org/dc/elements/1.1/");
        let checksum = self.checksum.clone().finalize();
        xml.start("dc:identifier")
            .attribute("id", "id")
            .text(&format!("urn:convertd:comic:{checksum:08x}"))
            .end();
        xml.leaf("dc:title", &self.title);
        xml.leaf("dc:language", epub_language(self.info.language.as_deref()));
        for author in &self.info.authors {
            xml.leaf("dc:creator", author);
        }
        if let Some(summary) = &self.info.summary {
            xml.leaf("dc:description", summary);
        }
        let metas = [
            ("dcterms:modified", "2000-01-01T00:00:00Z"),
            ("rendition:layout", "pre-paginated"),
            ("rendition:spread", "auto"),
        ];
        for (property, value) in metas {
            xml.start("meta")
                .attribute("property", property)
                .text(value)
                .end();
        }
        xml.end();
        xml.start("manifest");
        let mut item = |id: String, href: String, media_type: &str, properties: &str| {
            xml.start("item")
                .attribute("id", id)
                .attribute("href", href)
                .attribute("media-type", media_type);
            if !properties.is_empty() {
                xml.attribute("properties", properties);
            }
            xml.end();
        };
        let page = "application/xhtml+xml";
        item("nav".into(), "nav.xhtml".into(), page, "nav");
        for (number, (extension, media_type)) in (1..).zip(&self.pages) {
            let cover = if number == 1 { "cover-image" } else { "" };
            let (xhtml, picture) = (
                format!("p{number:04}.xhtml"),
                format!("p{number:04}.{extension}"),
            );
            item(format!("x{number}"), xhtml, page, "");
            item(format!("i{number}"), picture, media_type, cover);
        }
        xml.end();
        xml.start("spine");
        if self.info.from_right {
            xml.attribute("page-progression-direction", "rtl");
        }
        for number in 1..=self.pages.len() {
            xml.start("itemref")
                .attribute("idref", format!("x{number}"))
                .end();
        }
        xml.finish()
    }
}
