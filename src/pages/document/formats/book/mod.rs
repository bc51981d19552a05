//! A book, whatever package it comes in: chapters of HTML in reading order, and the files that they refer to. Opens no
//! package.

mod page;
mod paths;
mod read;

pub(super) use page::page;
pub(super) use paths::resolve;
pub(super) use read::read;

use crate::{
    containers::{xml, zip::Archive},
    error::{Error, Kind, Reason, Result},
    job::{Job, Lease},
};
use convertd_tree::{Metadata, losses::Loss};
use std::collections::HashMap;

static MISSING: Loss = Loss {
    one: "A file that the book refers to is missing.",
    many: "{} files that the book refers to are missing.",
};

static CHAPTERS: Loss = Loss {
    one: "A chapter that is not HTML was left out.",
    many: "{} chapters that are not HTML were left out.",
};

/// Description of a book by its package.
#[derive(Debug, Default)]
pub(super) struct Book {
    pub(super) metadata: Metadata,
    /// Names of the files that are chapters, in reading order.
    pub(super) chapters: Vec<String>,
    /// Media types of the files, by their names.
    pub(super) media_types: HashMap<String, String>,
}

impl Book {
    /// Returns whether a chapter has a format that can be read.
    fn is_readable(&self, entry: &str) -> bool {
        let media_type = self.media_types.get(entry).map_or("", String::as_str);
        media_type.is_empty()
            // XHTML, DTBook (the format of talking books), and OEBPS 1.2.
            || ["html", "dtbook", "oeb1-document"]
                .iter()
                .any(|kind| media_type.contains(kind))
    }
}

/// The files of a book.
pub(super) trait Files {
    /// Size of a file in bytes. `None` if the file is not in the book.
    fn size(&self, name: &str) -> Option<u64>;

    /// Content of a file, for which the caller leases [`size`](Self::size) bytes.
    ///
    /// Errors: [`Kind::BadInput`] if the file is missing or damaged.
    fn read(&mut self, name: &str) -> Result<Vec<u8>>;
}

impl Files for Archive<'_> {
    fn size(&self, name: &str) -> Option<u64> {
        self.entry(name).map(|entry| entry.size)
    }

    fn read(&mut self, name: &str) -> Result<Vec<u8>> {
        Archive::read(self, name)
    }
}

/// Reads the text of a file in XML or HTML. The lease covers the text and the tree of its elements.
pub(super) fn text<'a>(
    job: &Job<'a>,
    files: &mut dyn Files,
    name: &str,
) -> Result<(String, Lease<'a>)> {
    let size = files.size(name).unwrap_or(0);
    let lease = job.lease(size.saturating_mul(4) + (1 << 20))?;
    let bytes = files.read(name)?;
    Ok((xml::decode(&bytes).into_owned(), lease))
}

/// The error for a book under digital rights management.
pub(super) fn protected() -> Error {
    Error::new(
        Kind::BadInput,
        "the book is protected against copying (DRM), and its chapters are encrypted: send a copy without protection",
    )
    .because(Reason::Encrypted)
}

/// Name of the anchor for an identifier in a chapter, or for the beginning of the chapter.
fn place(chapter: usize, name: Option<&str>) -> String {
    match name {
        Some(name) if !name.is_empty() => format!("ch{chapter}-{name}"),
        _ => format!("ch{chapter}"),
    }
}
