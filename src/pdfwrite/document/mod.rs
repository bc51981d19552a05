//! PDF output: lays out documents on pages, and tags them for screen readers. Reads no PDF.
//!
//! ```text
//! tree ──► layout ──► paint ──► file
//! ```
//! The file is written with `pdf-writer` and `subsetter`, which make the program 0.2 MB larger. `krilla`, which does
//! the same on a higher level, was measured, too: it makes the program 1.5 MB larger, because it brings a second copy
//! of the font crates that shape text here, and it keeps all pages in memory.

mod canvas;
mod drawn;
mod finish;
pub mod metadata;
mod paint;
mod pictures;
mod tags;
#[cfg(test)]
mod tests;
#[cfg(feature = "svg")]
mod vectors;
mod write;

use crate::{
    format::{Category, Format},
    object as file,
};
use convertd_tree::{
    options,
    row::{Row, Target},
};

/// Meaning of the option `quality`, for documents and pictures alike.
pub const QUALITY: &str = "pictures in documents: reduced to 110 dpi (low) or 200 dpi (medium), or kept as they are (high). Pictures converted by themselves: a jpg is kept as it is, other lossy formats become jpg of quality 60, 82 and 92, all others stay lossless. In an svg, filters are drawn at 96, 192 and 288 dpi";

pub use metadata::ACCESSIBLE;

pub use write::pages;

/// The format, for other categories that write PDF.
pub fn format() -> &'static Format {
    &ROW.format
}

/// Row of the registry: PDF as a target of documents.
pub static ROW: Row = Row {
    format: Format {
        name: "pdf",
        // Drawings of Illustrator are PDF with private data.
        aliases: &["ai"],
        category: Category::Document,
        description: "Portable Document Format",
        media_type: "application/pdf",
        magic: &[&[(0, b"%PDF-")]],
    },
    recognise: None,
    turns_pictures: true,
    read: None,
    write: Some(Target {
        write: write::write,
        quality: QUALITY,
        options: &[
            &options::TITLE,
            &options::TOC,
            &options::HIGHLIGHT,
            &convertd_layout::paper::PAGE_SIZE,
            &convertd_layout::paper::ORIENTATION,
            &convertd_layout::paper::MARGIN,
            &metadata::ARCHIVE,
        ],
        resamples: false,
        frames: true,
        pictures: None,
        keeps_html: false,
        titled: true,
    }),
};
