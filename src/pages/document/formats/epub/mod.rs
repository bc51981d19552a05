//! Electronic books: reads EPUB 2 and 3, writes EPUB 3. Never removes encryption (DRM), and never fetches remote
//! resources.

mod package;
mod write;

pub(crate) use write::{CONTAINER, language};

use super::book;
use crate::{
    containers::zip::{self, Archive},
    error::Result,
    format::{Category, Format},
    job::{Input, Job, Notes},
};
use convertd_boxes::Source;
use convertd_tree::{
    Document, options,
    row::{Row, Target},
};

/// The core media types of pictures, which need no fallback (EPUB 3.3, 3.2).
static PICTURES: [&str; 5] = [
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/svg+xml",
    "image/webp",
];

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "epub",
        aliases: &[],
        category: Category::Document,
        description: "Electronic book",
        media_type: "application/epub+zip",
        // The first entry is uncompressed, and contains the media type (OCF 3.3, 4.3), which is therefore at a fixed
        // offset.
        magic: &[&[(0, b"PK\x03\x04"), (30, b"mimetypeapplication/epub+zip")]],
    },
    // Some programs write the entries in another order. So an archive is also accepted if its name has the extension of
    // a book, and if it contains the file that names the package document.
    recognise: Some(|head, input, extension| {
        extension.is_some_and(|name| ROW.format.is_called(name))
            && zip::holds(head, input, &[&|name| name == "META-INF/container.xml"])
    }),
    turns_pictures: true,
    read: Some(read),
    write: Some(Target {
        write: write::write,
        quality: "embedded pictures: reduced to 110 dpi (low) or 200 dpi (medium), or kept as they are (high)",
        options: &[&options::TITLE, &options::TOC, &options::HIGHLIGHT],
        resamples: true,
        frames: false,
        pictures: Some(&PICTURES),
        keeps_html: false,
        titled: true,
    }),
};

fn read(job: &Job<'_>, input: &mut dyn Input, notes: &mut Notes) -> Result<Document> {
    let mut archive = Archive::open(job, input)?;
    let book = package::read(job, &mut archive)?;
    book::read(job, book, &mut archive, notes)
}

/// Makes one page of a book, for the layout engine of HTML.
///
/// Errors: [`BadInput`](crate::error::Kind::BadInput) if the file is not a book, is encrypted, or is too large for one
/// page.
pub(crate) fn page(job: &Job<'_>, input: &mut dyn Input, notes: &mut Notes) -> Result<Source> {
    let mut archive = Archive::open(job, input)?;
    let book = package::read(job, &mut archive)?;
    book::page(job, &book, &mut archive, notes)
}
