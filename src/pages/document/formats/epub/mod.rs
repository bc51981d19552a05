//! Electronic books: reads EPUB 2 and 3, writes EPUB 3. Never removes encryption (DRM), and never fetches remote resources.

mod package;
mod page;
mod paths;
mod read;
mod write;

pub(crate) use page::page;
pub(crate) use write::{CONTAINER, language};

use crate::{
    containers::zip,
    format::{Category, Format},
};
use convertd_tree::{
    options,
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
    // Some programs write the entries in another order, so the extension is accepted, too.
    recognise: Some(|head, input, extension| {
        extension.is_some_and(|name| ROW.format.is_called(name))
            && zip::holds(head, input, &[&|name| name == "META-INF/container.xml"])
    }),
    turns_pictures: true,
    read: Some(read::read),
    write: Some(Target {
        write: write::write,
        quality: "embedded pictures: reduced to 110 dpi (low) or 200 dpi (medium), or kept as they are (high)",
        options: &[&options::TITLE, &options::TOC],
        resamples: true,
        frames: false,
        pictures: Some(&PICTURES),
        keeps_html: false,
        titled: true,
    }),
};
