//! Writes a tree as one self-contained HTML page, with pictures embedded as data URLs. Writes no scripts.

use crate::{
    error::Result,
    job::{Job, Notes, Output},
};
use convertd_markup::html::{self, Surroundings, Writer};
use convertd_tree::{
    Document, Metadata, ResourceId,
    contents::{self, Entry},
    losses::{Loss, Losses},
    options,
};
use std::{cell::RefCell, fmt::Write as _};

/// A minimal style sheet that makes the page readable. It is a single element, which is easy to replace.
const STYLE: &str = "\
body { max-width: 42em; margin: 2em auto; padding: 0 1em; line-height: 1.5; font-family: serif; }
h1, h2, h3, h4, h5, h6, nav, .title, .subtitle { font-family: sans-serif; line-height: 1.2; }
pre { overflow-x: auto; padding: 0.5em; background: #f4f4f4; }
pre, code { font-family: monospace; }
blockquote { margin-left: 1em; padding-left: 1em; border-left: 0.2em solid #ccc; }
table { border-collapse: collapse; }
th, td { border: 1px solid #bbb; padding: 0.2em 0.5em; vertical-align: top; }
img, svg { max-width: 100%; height: auto; }
figure { margin: 1em 0; }
aside { border: 1px solid #bbb; padding: 0 1em; }
li > input[type=checkbox] { margin-left: -1.4em; }
.footnotes { font-size: 0.9em; }
";

/// Writes the document as one page with embedded pictures. Blocks are written as they come, so only the largest picture
/// needs memory.
pub(super) fn write(
    job: &Job<'_>,
    document: &Document,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let largest = document.resources().iter().map(|one| one.bytes.len()).max();
    let _lease = job.lease(2 * largest.unwrap_or(0) as u64 + (1 << 20))?;
    let around = Page::default();
    let mut page = Writer::new(job, document, &around, Some(output));
    page.colours_code = options::highlights(job);
    head(&document.metadata, &mut page.out);
    title_block(&document.metadata, &mut page.out);
    if job.options().flag(options::TOC.name) {
        page.out
            .push_str("<nav id=\"contents\" role=\"doc-toc\">\n");
        list(&contents::of(document), &mut page.out);
        page.out.push_str("</nav>\n");
    }
    page.blocks(document.blocks())?;
    page.notes()?;
    page.out.push_str("</body>\n</html>\n");
    page.flush()?;
    let mut losses = std::mem::take(&mut page.losses);
    drop(page);
    around.lost.into_inner().merge_into(&mut losses);
    losses.add_notes(notes);
    Ok(())
}

/// Writes the beginning of the page up to its body, with the metadata.
fn head(metadata: &Metadata, out: &mut String) {
    out.push_str("<!DOCTYPE html>\n<html");
    if let Some(language) = &metadata.language {
        out.push_str(" lang=\"");
        html::attribute(language, out);
        out.push('"');
    }
    out.push_str(">\n<head>\n<meta charset=\"utf-8\" />\n");
    out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n");
    out.push_str("<title>");
    html::text(metadata.title.as_deref().unwrap_or("Untitled"), out);
    out.push_str("</title>\n");
    let mut meta = |name: &str, value: &str| {
        write!(out, "<meta name=\"{name}\" content=\"").unwrap_or_default();
        html::attribute(value, out);
        out.push_str("\" />\n");
    };
    for author in &metadata.authors {
        meta("author", author);
    }
    if let Some(date) = &metadata.date {
        meta("dcterms.date", date);
    }
    if let Some(subject) = &metadata.subject {
        meta("dcterms.subject", subject);
    }
    if let Some(description) = &metadata.description {
        meta("description", description);
    }
    if !metadata.keywords.is_empty() {
        meta("keywords", &metadata.keywords.join(", "));
    }
    out.push_str("<style>\n");
    out.push_str(STYLE);
    out.push_str("</style>\n</head>\n<body>\n");
}

fn title_block(metadata: &Metadata, out: &mut String) {
    if !metadata.title_block {
        return;
    }
    out.push_str("<header id=\"title-block-header\">\n");
    if let Some(title) = &metadata.title {
        element("h1", "title", title, out);
    }
    let others = metadata.subtitle.iter().map(|text| ("subtitle", text));
    let others = others.chain(metadata.authors.iter().map(|text| ("author", text)));
    for (class, text) in others.chain(metadata.date.iter().map(|text| ("date", text))) {
        element("p", class, text, out);
    }
    out.push_str("</header>\n");
}

fn element(name: &str, class: &str, text: &str, out: &mut String) {
    write!(out, "<{name} class=\"{class}\">").unwrap_or_default();
    html::text(text, out);
    writeln!(out, "</{name}>").unwrap_or_default();
}

fn list(entries: &[Entry], out: &mut String) {
    if entries.is_empty() {
        return;
    }
    out.push_str("<ul>\n");
    for entry in entries {
        out.push_str("<li><a href=\"#");
        html::href(&entry.id, out);
        out.push_str("\">");
        html::text(&entry.text, out);
        out.push_str("</a>");
        if !entry.below.is_empty() {
            out.push('\n');
            list(&entry.below, out);
        }
        out.push_str("</li>\n");
    }
    out.push_str("</ul>\n");
}

/// Context of a page for the HTML writer: pictures are embedded.
#[derive(Default)]
struct Page {
    lost: RefCell<Losses>,
}

/// Media types of pictures that browsers show.
pub(super) static PICTURES: [&str; 7] = [
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "image/avif",
    "image/bmp",
    "image/svg+xml",
];

static FOREIGN: Loss = Loss {
    one: "A picture on the page has a format that browsers do not show.",
    many: "{} pictures on the page have formats that browsers do not show.",
};

impl Surroundings for Page {
    fn shows(&self, document: &Document, id: ResourceId) -> bool {
        if !PICTURES.contains(&&*document.resource(id).media_type) {
            self.lost.borrow_mut().add(&FOREIGN);
        }
        true
    }

    fn draws(&self) -> bool {
        true
    }

    fn picture(&self, document: &Document, id: ResourceId, out: &mut String) {
        html::data_url(document.resource(id), out);
    }
}
