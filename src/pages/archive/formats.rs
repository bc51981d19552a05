//! The formats of archives and of comics, which are archives of pictures. Reads none of them.

use super::container::Shape;
use crate::{
    containers::zip,
    format::{Category, Format},
    job::Input,
};

/// A format of archives.
pub(super) struct Row {
    pub(super) format: Format,
    pub(super) shape: Shape,
    /// Whether files of this format are comics, whose pictures are the pages of a book.
    pub(super) is_comic: bool,
}

/// All formats, in the order in which `/formats` lists them. A comic in a container without a row for comics counts as
/// the first format of that container.
pub(super) static ROWS: &[Row] = &[
    Row {
        format: Format {
            name: "zip",
            aliases: &[],
            category: Category::Archive,
            description: "ZIP archive: each file in it is converted; pictures become one pdf",
            media_type: crate::format::ARCHIVE_MEDIA_TYPE,
            // ZIP has no signature here, because many other formats are ZIP archives themselves and must be recognised
            // first.
            magic: &[],
        },
        shape: Shape::Zip,
        is_comic: false,
    },
    Row {
        format: Format {
            name: "tar",
            aliases: &[],
            category: Category::Archive,
            description: "tar archive: each file in it is converted, as in a zip",
            media_type: "application/x-tar",
            magic: &[],
        },
        shape: Shape::Tar,
        is_comic: false,
    },
    Row {
        format: Format {
            name: "7z",
            aliases: &[],
            category: Category::Archive,
            description: "7z archive: each file in it is converted, as in a zip",
            media_type: "application/x-7z-compressed",
            magic: &[],
        },
        shape: Shape::SevenZip,
        is_comic: false,
    },
    Row {
        format: Format {
            name: "gz",
            aliases: &["tgz"],
            category: Category::Archive,
            description: "gzip file: the file in it is converted, or each file of a tar in it",
            media_type: "application/gzip",
            magic: &[],
        },
        shape: Shape::Gzip,
        is_comic: false,
    },
    Row {
        format: Format {
            name: "bz2",
            aliases: &["tbz2", "tbz"],
            category: Category::Archive,
            description: "bzip2 file: the file in it is converted, or each file of a tar in it",
            media_type: "application/x-bzip2",
            magic: &[],
        },
        shape: Shape::Bzip2,
        is_comic: false,
    },
    Row {
        format: Format {
            name: "xz",
            aliases: &["txz"],
            category: Category::Archive,
            description: "xz file: the file in it is converted, or each file of a tar in it",
            media_type: "application/x-xz",
            magic: &[],
        },
        shape: Shape::Xz,
        is_comic: false,
    },
    Row {
        format: Format {
            name: "zst",
            aliases: &["tzst"],
            category: Category::Archive,
            description: "Zstandard file: the file in it is converted, or each file of a tar in it",
            media_type: "application/zstd",
            magic: &[],
        },
        shape: Shape::Zstd,
        is_comic: false,
    },
    Row {
        format: Format {
            name: "cbz",
            aliases: &[],
            category: Category::Document,
            description: "Comic book: a ZIP archive of pictures, one per page",
            media_type: "application/vnd.comicbook+zip",
            magic: &[],
        },
        shape: Shape::Zip,
        is_comic: true,
    },
    Row {
        format: Format {
            name: "cbt",
            aliases: &[],
            category: Category::Document,
            description: "Comic book: a tar archive of pictures, one per page",
            media_type: "application/x-cbt",
            magic: &[],
        },
        shape: Shape::Tar,
        is_comic: true,
    },
    Row {
        format: Format {
            name: "cb7",
            aliases: &[],
            category: Category::Document,
            description: "Comic book: a 7z archive of pictures, one per page",
            media_type: "application/x-cb7",
            magic: &[],
        },
        shape: Shape::SevenZip,
        is_comic: true,
    },
];

/// Name of the metadata of a comic: a file that only comics have.
pub(super) const COMIC_INFO: &str = "ComicInfo.xml";

/// Documents that a comic can become as a whole. The first is an electronic book.
pub const BOOKS: [&str; 3] = ["epub", "pdf", "cbz"];

/// Extensions of comics. A comic whose extension does not match its container is read by its content.
const COMICS: [&str; 4] = ["cbz", "cbr", "cbt", "cb7"];

/// Entries that occur only in archives that are documents: Office Open XML, OpenDocument and EPUB.
const DOCUMENT_ENTRIES: [&str; 4] = [
    "mimetype",
    "[Content_Types].xml",
    "META-INF/manifest.xml",
    "META-INF/container.xml",
];

/// The row of a format. `None` if files of the format are not archives.
pub(super) fn row(format: &Format) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.format == *format)
}

/// All formats of archives and comics.
pub fn formats() -> impl Iterator<Item = &'static Format> {
    ROWS.iter().map(|row| &row.format)
}

/// Returns whether files of this format are comics.
pub fn is_comic(format: &Format) -> bool {
    row(format).is_some_and(|row| row.is_comic)
}

/// Returns the format of an archive of files. `None` if the file is no archive, or if it is a document that happens to
/// be a ZIP archive.
pub fn recognise(
    head: &[u8],
    input: &mut dyn Input,
    extension: Option<&str>,
) -> Option<&'static Format> {
    let shape = Shape::of(head)?;
    let is_documents = |name: &str| DOCUMENT_ENTRIES.contains(&name);
    if shape == Shape::Zip && zip::holds(head, input, &[&is_documents]) {
        return None;
    }
    let is_called = extension.is_some_and(|name| COMICS.contains(&name));
    let is_comic =
        is_called || shape == Shape::Zip && zip::holds(head, input, &[&|name| name == COMIC_INFO]);
    let mut rows = ROWS.iter().filter(|row| row.shape == shape);
    let found = rows
        .clone()
        .find(|row| row.is_comic == is_comic)
        .or_else(|| rows.next());
    found.map(|row| &row.format)
}
