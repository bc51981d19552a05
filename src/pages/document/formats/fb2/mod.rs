//! FictionBook 2 (schema 2.1 and 2.2): a book in one XML file, with its pictures in Base64 after the text. The file may
//! be in a ZIP archive. Does not write the format.

mod inlines;
mod metadata;
mod read;
mod scan;

use crate::{
    coding::encoding,
    containers::{
        xml::{self, Namespaces},
        zip,
    },
    format::{Category, Format},
    job::Input,
};
use convertd_tree::row::Row;
use std::cell::Cell;

/// Programs bind the namespace of links to any prefix, or do not declare it, so no namespace is required.
const NAMESPACES: Namespaces = &[];

/// The root element, by which a file is recognised.
const ROOT: &[u8] = b"<FictionBook";

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "fb2",
        aliases: &["fbz"],
        category: Category::Document,
        description: "Electronic book in XML (FictionBook), also packed as .fb2.zip",
        media_type: "application/x-fictionbook+xml",
        magic: &[],
    },
    recognise: Some(|head, input, extension| {
        let is_named = extension.is_some_and(|name| ROW.format.is_called(name));
        // Text in UTF-16 is not searched, so the extension must tell the format.
        let is_wide = encoding::is_wide(head);
        let is_text = xml::begins(head) && (is_named || memchr::memmem::find(head, ROOT).is_some());
        is_text || is_wide && is_named || is_packed(head, input)
    }),
    turns_pictures: true,
    read: Some(read::read),
    write: None,
};

/// Returns whether a file is a ZIP archive that contains only a book.
fn is_packed(head: &[u8], input: &mut dyn Input) -> bool {
    let (files, books) = (Cell::new(0_u32), Cell::new(0_u32));
    let count = |name: &str| {
        files.set(files.get() + 1);
        books.set(books.get() + u32::from(is_book(name)));
        false
    };
    zip::holds(head, input, &[&count]);
    (files.get(), books.get()) == (1, 1)
}

fn is_book(name: &str) -> bool {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    !stem.is_empty() && extension.eq_ignore_ascii_case("fb2")
}
