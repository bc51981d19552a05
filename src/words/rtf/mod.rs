//! Rich Text Format (Microsoft's specification, version 1.9.1). Never fetches linked content, and never runs embedded
//! objects.

mod notes;
mod read;
mod write;

use crate::format::{Category, Format};
use convertd_tree::{
    options,
    row::{Row, Target},
};

/// Picture formats that RTF can embed: bitmaps, and metafiles of Windows.
static PICTURES: [&str; 4] = ["image/png", "image/jpeg", "image/emf", "image/wmf"];

/// Row of the registry.
pub static ROW: Row = Row {
    format: Format {
        name: "rtf",
        aliases: &[],
        category: Category::Document,
        description: "Rich Text Format",
        media_type: "application/rtf",
        magic: &[&[(0, b"{\\rtf")]],
    },
    recognise: None,
    turns_pictures: false,
    read: Some(read::read),
    write: Some(Target {
        write: write::write,
        quality: "embedded pictures: reduced to 110 dpi (low) or 200 dpi (medium), or kept as they are (high)",
        options: &[&options::TITLE, &options::TOC, &options::HIGHLIGHT],
        resamples: true,
        frames: true,
        pictures: Some(&PICTURES),
        keeps_html: false,
        titled: false,
    }),
};
