//! DoclingDocument: the JSON in which docling, a Python library that converts documents, exchanges them. No list of
//! formats shows this target: only the routes for docling's clients use it. Does not read such JSON. Texts, tables and
//! pictures of a PDF, and of pictures whose text was recognised, have their positions on the pages.
//!
//! The schema is that of `docling-core` 2.104. Its lists (`texts`, `tables`, `pictures`, `groups`) contain all items in
//! the order of the document. Each item refers to its parent and its children by paths in the JSON, such as
//! `#/texts/3`.

mod items;
mod languages;
mod tables;
mod write;

use crate::format::{Category, Format};
use convertd_tree::row::{Row, Target};

/// The name of the option that leaves out the bytes of pictures.
pub const WITHOUT_PICTURES: &str = "without_pictures";

/// Media types of pictures that Pillow reads. Docling's clients open pictures with Pillow.
static PICTURES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "docling",
        aliases: &[],
        category: Category::Document,
        description: "DoclingDocument",
        media_type: "application/json",
        magic: &[],
    },
    recognise: None,
    turns_pictures: true,
    read: None,
    write: Some(Target {
        write: write::write,
        quality: "",
        options: &[],
        resamples: false,
        frames: false,
        pictures: Some(&PICTURES),
        keeps_html: false,
        titled: false,
    }),
};
