//! Reads books of Mobipocket and the Kindle: MOBI 6 and before (`mobi`, `prc`, `azw`), KF8 (`azw3`), files that contain
//! a book in both formats, and texts of PalmDOC. Never removes encryption (DRM), and writes no such book.
//!
//! ```text
//! database ──► header ──► text (lz77, huffman) ──► markup              (MOBI 6)
//!                                              └─► kf8 ──► addresses   (KF8)
//! ```
//! The format was never published. This reader follows its description in the wiki of MobileRead ("MOBI", "PDB",
//! "KF8"), because no maintained Rust library reads KF8 or Huffman codes. A book is converted to chapters in HTML and
//! other files, which are then read like those of an EPUB.

mod addresses;
mod contents;
mod database;
mod header;
mod huffman;
mod index;
mod kf8;
mod lz77;
mod markup;
mod metadata;
mod places;
mod plain;
mod resources;
mod store;
mod text;

use super::book;
use crate::{
    error::Result,
    format::{Category, Format},
    job::{Input, Job, Notes},
};
use convertd_boxes::Source;
use convertd_tree::{Document, row::Row};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "mobi",
        aliases: &["azw", "azw3", "prc", "pdb"],
        category: Category::Document,
        description: "Electronic book of the Kindle and Mobipocket, also KF8",
        media_type: "application/x-mobipocket-ebook",
        // Type and creator of the database.
        magic: &[&[(60, b"BOOKMOBI")], &[(60, b"TEXtREAd")]],
    },
    recognise: None,
    turns_pictures: true,
    read: Some(read),
    write: None,
};

fn read(job: &Job<'_>, input: &mut dyn Input, notes: &mut Notes) -> Result<Document> {
    let (book, mut store) = store::open(job, input, notes)?;
    book::read(job, book, &mut store, notes)
}

/// Converts a book to one page, for the layout engine of HTML.
///
/// Errors: [`BadInput`](crate::error::Kind::BadInput) if the file is not such a book, is encrypted, or is too large for
/// one page.
pub(crate) fn page(job: &Job<'_>, input: &mut dyn Input, notes: &mut Notes) -> Result<Source> {
    let (book, mut store) = store::open(job, input, notes)?;
    book::page(job, &book, &mut store, notes)
}
