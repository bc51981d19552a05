//! Writes the files beside the chapters: the package document, the navigation document and the title page (EPUB 3.3).
//! Also writes the beginning and the end of chapter files, but not their content.

use super::Places;
use crate::containers::xml::Writer;
use convertd_markup::html;
use convertd_tree::{Metadata, contents::Entry, date};
use std::fmt::Write as _;

/// The content of the file that states the location of the package document. Every book has this file (OCF 3.3,
/// 4.2.6.3.1).
pub(crate) const CONTAINER: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
<container version=\"1.0\" xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\">\n\
<rootfiles>\n\
<rootfile full-path=\"EPUB/package.opf\" media-type=\"application/oebps-package+xml\"/>\n\
</rootfiles>\n\
</container>\n";

/// The style sheet of every book. It is minimal on purpose, since reading systems choose fonts and sizes themselves.
pub(super) const STYLE: &str = "\
pre { white-space: pre-wrap; }
blockquote { margin: 1em 2em; }
table { border-collapse: collapse; }
th, td { border: 1px solid; padding: 0.2em 0.5em; vertical-align: top; }
img { max-width: 100%; }
figure { margin: 1em 0; }
aside { border: 1px solid; padding: 0 1em; }
nav ol { list-style-type: none; }
.title, .subtitle, .author, .date { text-align: center; }
";

/// The manifest of a book, to which files are added as they are written.
pub(super) struct Book<'a> {
    metadata: &'a Metadata,
    /// The file that the navigation document links to if the book has no headings.
    pub(super) fallback: String,
    /// The name, media type and properties of each file.
    files: Vec<(String, String, &'static str)>,
    chapters: usize,
    /// Checksums over all chapters, with different initial values. Together they give the book's identifier, so books
    /// with the same text have the same identifier.
    checksums: [u32; 4],
}

impl<'a> Book<'a> {
    pub(super) fn new(metadata: &'a Metadata) -> Self {
        Self {
            metadata,
            fallback: String::new(),
            files: Vec::new(),
            chapters: 0,
            checksums: [1, 2, 3, 4],
        }
    }

    /// Adds a chapter. All chapters have to be added before the first picture, because the first files of the manifest
    /// form the spine.
    pub(super) fn chapter(&mut self, name: &str, text: &str, properties: &'static str) {
        for checksum in &mut self.checksums {
            let mut hasher = crc32fast::Hasher::new_with_initial(*checksum);
            hasher.update(&checksum.to_le_bytes());
            hasher.update(text.as_bytes());
            *checksum = hasher.finalize();
        }
        self.files.push((
            name.to_owned(),
            "application/xhtml+xml".to_owned(),
            properties,
        ));
        self.chapters += 1;
    }

    pub(super) fn picture(&mut self, name: &str, media_type: &str) {
        self.files
            .push((name.to_owned(), media_type.to_owned(), ""));
    }

    /// Returns the package document. If `shown` is true, the navigation document is part of the spine.
    pub(super) fn package(&self, shown: bool) -> String {
        let mut xml = Writer::new();
        xml.start("package")
            .attribute("xmlns", "http://www.idpf.org/2007/opf")
            .attribute("version", "3.0")
            .attribute("unique-identifier", "id");
        xml.start("metadata")
            .attribute("xmlns:dc", "http://purl.org/dc/elements/1.1/");
        xml.start("dc:identifier")
            .attribute("id", "id")
            .text(&self.identifier())
            .end();
        xml.leaf("dc:title", title(self.metadata));
        xml.leaf("dc:language", language(self.metadata.language.as_deref()));
        for author in &self.metadata.authors {
            xml.leaf("dc:creator", author);
        }
        if let Some(date) = self.metadata.date.as_deref().filter(|text| is_date(text)) {
            xml.leaf("dc:date", date);
        }
        if let Some(description) = &self.metadata.description {
            xml.leaf("dc:description", description);
        }
        for subject in self.metadata.subject.iter().chain(&self.metadata.keywords) {
            xml.leaf("dc:subject", subject);
        }
        xml.start("meta")
            .attribute("property", "dcterms:modified")
            .text(&modified(self.metadata))
            .end();
        xml.end();
        xml.start("manifest");
        let own = [
            ("nav.xhtml", "application/xhtml+xml", "nav"),
            ("style.css", "text/css", ""),
        ];
        let files = self
            .files
            .iter()
            .map(|(name, kind, what)| (name.as_str(), kind.as_str(), *what));
        for (number, (name, media_type, properties)) in own.into_iter().chain(files).enumerate() {
            xml.start("item")
                .attribute("id", format!("f{number}"))
                .attribute("href", name)
                .attribute("media-type", media_type);
            if !properties.is_empty() {
                xml.attribute("properties", properties);
            }
            xml.end();
        }
        xml.end();
        xml.start("spine");
        if shown {
            xml.start("itemref").attribute("idref", "f0").end();
        }
        for number in 0..self.chapters {
            let number = number + own.len();
            xml.start("itemref")
                .attribute("idref", format!("f{number}"))
                .end();
        }
        xml.finish()
    }

    fn identifier(&self) -> String {
        let [a, b, c, d] = self.checksums;
        // A version 8 UUID (RFC 9562, 5.8), whose bits may be chosen freely.
        format!(
            "urn:uuid:{a:08x}-{:04x}-8{:03x}-{:04x}-{:04x}{d:08x}",
            b >> 16,
            b & 0xfff,
            0x8000 | c >> 16 & 0x3fff,
            c & 0xffff,
        )
    }

    /// Returns the navigation document (EPUB 3.3, 7).
    pub(super) fn navigation(&self, entries: &[Entry], places: &Places<'_>) -> String {
        let mut out = String::new();
        begin(self.metadata, &mut out);
        out.push_str("<nav epub:type=\"toc\" role=\"doc-toc\" id=\"toc\">\n<h1>");
        html::text(title(self.metadata), &mut out);
        out.push_str("</h1>\n");
        self.list(entries, places, &mut out);
        out.push_str("</nav>\n");
        end(&mut out);
        out
    }

    /// Writes a level of the navigation document as a list (EPUB 3.3, 7.3). An entry without a target, such as that of
    /// a book without headings, leads to the file `fallback`, because each entry needs a link.
    fn list(&self, entries: &[Entry], places: &Places<'_>, out: &mut String) {
        if entries.is_empty() {
            return;
        }
        out.push_str("<ol>\n");
        for entry in entries {
            out.push_str("<li><a href=\"");
            match places.get(&*entry.id) {
                Some(chapter) => {
                    out.push_str(chapter);
                    out.push('#');
                    html::href(&entry.id, out);
                }
                None => out.push_str(&self.fallback),
            }
            out.push_str("\">");
            // The specification does not allow an entry without text.
            let text = entry.text.trim();
            html::text(if text.is_empty() { "…" } else { text }, out);
            out.push_str("</a>");
            if !entry.below.is_empty() {
                out.push('\n');
                self.list(&entry.below, places, out);
            }
            out.push_str("</li>\n");
        }
        out.push_str("</ol>\n");
    }
}

fn title(metadata: &Metadata) -> &str {
    let title = metadata.title.as_deref().map(str::trim);
    title
        .filter(|title| !title.is_empty())
        .unwrap_or("Untitled")
}

/// A document's language, if it is a well-formed tag (RFC 5646, 2.1); `und`, "undetermined", otherwise.
pub(crate) fn language(tag: Option<&str>) -> &str {
    let tag = tag.unwrap_or("und");
    let mut parts = tag.split('-');
    let first = parts.next().unwrap_or_default();
    let fits = (2..=3).contains(&first.len())
        && first.bytes().all(|byte| byte.is_ascii_alphabetic())
        && parts.all(|part| {
            (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
        });
    if fits { tag } else { "und" }
}

/// Returns whether a text is a date in the form that `dc:date` recommends (W3CDTF): a year, optionally with month, day
/// and time.
fn is_date(text: &str) -> bool {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let year = digits && text.len() == 4;
    let month = text.len() == 7 && date::is_day(&format!("{text}-01"));
    year || month || date::is_day(text) || is_in_time_zone(text)
}

fn is_in_time_zone(text: &str) -> bool {
    date::is_moment(text) && text.ends_with('Z')
}

/// The required modification date. It is the document's own date or else a fixed one, and never the current time, so
/// that the same document always gives the same book.
fn modified(metadata: &Metadata) -> String {
    match metadata.date.as_deref() {
        Some(moment) if is_in_time_zone(moment) => moment.to_owned(),
        Some(day) if date::is_day(day) => format!("{day}T00:00:00Z"),
        _ => "2000-01-01T00:00:00Z".to_owned(),
    }
}

/// Writes the beginning of a chapter file.
pub(super) fn begin(metadata: &Metadata, out: &mut String) {
    let language = language(metadata.language.as_deref());
    write!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n\
         <html xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:epub=\"http://www.idpf.org/2007/ops\" \
         lang=\"{language}\" xml:lang=\"{language}\">\n<head>\n<title>"
    )
    .unwrap_or_default();
    html::text(title(metadata), out);
    out.push_str(
        "</title>\n<link rel=\"stylesheet\" type=\"text/css\" href=\"style.css\" />\n</head>\n<body>\n",
    );
}

/// Writes the end of a chapter file.
pub(super) fn end(out: &mut String) {
    if !out.ends_with('\n') {
        out.push('\n');
    }
    out.push_str("</body>\n</html>\n");
}

/// Returns the title page, with title, subtitle, authors and date.
pub(super) fn title_page(metadata: &Metadata) -> String {
    let mut out = String::new();
    begin(metadata, &mut out);
    out.push_str(
        "<section epub:type=\"titlepage\" id=\"title-block-header\">\n<h1 class=\"title\">",
    );
    html::text(title(metadata), &mut out);
    out.push_str("</h1>\n");
    let lines = metadata.subtitle.iter().map(|text| ("subtitle", text));
    let lines = lines.chain(metadata.authors.iter().map(|text| ("author", text)));
    for (class, text) in lines.chain(metadata.date.iter().map(|text| ("date", text))) {
        write!(out, "<p class=\"{class}\">").unwrap_or_default();
        html::text(text, &mut out);
        out.push_str("</p>\n");
    }
    out.push_str("</section>\n");
    end(&mut out);
    out
}
