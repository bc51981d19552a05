//! The optional fields of conversions from PDF to PDF. Decides nothing about pages.

use crate::job::{OptionKind, OptionSpec, PASSWORD};
#[cfg(feature = "ocr")]
use crate::scan::options::{DESKEW, LANGUAGE, OCR_LAYER, UPRIGHT};

pub(super) static PAGES: OptionSpec = OptionSpec {
    name: "pages",
    kind: OptionKind::Text(2000),
    default: None,
    help: "the pages that are kept, in this order, as 3,1-2,5-; a page may stand there twice",
};

pub(super) static ROTATE: OptionSpec = OptionSpec {
    name: "rotate",
    kind: OptionKind::OneOf(&["0", "90", "180", "270"]),
    default: Some("0"),
    help: "degrees by which pages are turned clockwise",
};

pub(super) static SPLIT: OptionSpec = OptionSpec {
    name: "split",
    kind: OptionKind::Integer(1..=u32::MAX),
    default: None,
    help: "a zip of pdfs of so many pages each",
};

pub(super) static TITLE: OptionSpec = OptionSpec {
    name: "title",
    kind: OptionKind::Text(1000),
    default: None,
    help: "the title that the pdf gets",
};

pub(super) static ENCRYPT: OptionSpec = OptionSpec {
    name: "encrypt",
    kind: OptionKind::Text(127),
    default: None,
    help: "locks the pdf with this password (AES-256)",
};

pub(super) static PERMISSIONS: OptionSpec = OptionSpec {
    name: "permissions",
    kind: OptionKind::Text(100),
    default: None,
    help: "what readers of the pdf are allowed: none, all, or some of print, edit, copy, comment, fill, assemble",
};

pub(super) static OWNER: OptionSpec = OptionSpec {
    name: "owner_password",
    kind: OptionKind::Text(127),
    default: None,
    help: "locks the pdf; this owner password gives all rights",
};

pub(super) static ROTATE_PAGES: OptionSpec = OptionSpec {
    name: "rotate_pages",
    kind: OptionKind::Text(2000),
    default: None,
    help: "the pages that rotate turns, as 1,3-5; without it all",
};

pub(super) static INFO: OptionSpec = OptionSpec {
    name: "info",
    kind: OptionKind::Text(4000),
    default: None,
    help: "a JSON object of what the pdf says about itself: Title, Author, Subject, Keywords, Creator, Producer, CreateDate, ModDate, Trapped",
};

pub(super) static FLATTEN: OptionSpec = OptionSpec {
    name: "flatten",
    kind: OptionKind::Flag,
    default: Some("false"),
    help: "form fields and comments become part of their page",
};

pub(super) static NUMBERS: OptionSpec = OptionSpec {
    name: "numbers",
    kind: OptionKind::Flag,
    default: Some("false"),
    help: "page numbers at the foot of each page",
};

pub(super) static STAMP: OptionSpec = OptionSpec {
    name: "stamp",
    kind: OptionKind::Text(100),
    default: None,
    help: "text across each page",
};

pub(super) static STAMP_PAGES: OptionSpec = OptionSpec {
    name: "stamp_pages",
    kind: OptionKind::Text(2000),
    default: None,
    help: "the pages that get the stamp, as 1,3-5; without it all",
};

pub(super) static WATERMARK: OptionSpec = OptionSpec {
    name: "watermark",
    kind: OptionKind::Text(100),
    default: None,
    help: "text below what stands on each page",
};

pub(super) static WATERMARK_PAGES: OptionSpec = OptionSpec {
    name: "watermark_pages",
    kind: OptionKind::Text(2000),
    default: None,
    help: "the pages that get the watermark, as 1,3-5; without it all",
};

/// Converts the PDF to PDF/A.
pub static ARCHIVAL: OptionSpec = OptionSpec {
    name: "pdf_a",
    kind: OptionKind::OneOf(&["false", "true", "2", "3"]),
    default: Some("false"),
    help: "PDF/A for archives: PDF/A-2b (true or 2) or PDF/A-3b (3); a file that breaks its rules is written without that claim, and a note names the reason",
};

/// Accepted options.
pub(super) static ALL: [&OptionSpec; COUNT] = [
    #[cfg(feature = "ocr")]
    &OCR_LAYER,
    #[cfg(feature = "ocr")]
    &LANGUAGE,
    #[cfg(feature = "ocr")]
    &DESKEW,
    #[cfg(feature = "ocr")]
    &UPRIGHT,
    &PAGES,
    &ROTATE,
    &ROTATE_PAGES,
    &SPLIT,
    &TITLE,
    &INFO,
    &PASSWORD,
    &ENCRYPT,
    &OWNER,
    &PERMISSIONS,
    &FLATTEN,
    &NUMBERS,
    &STAMP,
    &STAMP_PAGES,
    &WATERMARK,
    &WATERMARK_PAGES,
    &ARCHIVAL,
];

/// Options of a PDF that this program has just made. Options for OCR, passwords and flattening are left out, because they have
/// no effect on it.
pub static OF_NEW: [&OptionSpec; 15] = [
    &PAGES,
    &ROTATE,
    &ROTATE_PAGES,
    &SPLIT,
    &TITLE,
    &INFO,
    &ENCRYPT,
    &OWNER,
    &PERMISSIONS,
    &NUMBERS,
    &STAMP,
    &STAMP_PAGES,
    &WATERMARK,
    &WATERMARK_PAGES,
    &ARCHIVAL,
];

const COUNT: usize = if cfg!(feature = "ocr") { 21 } else { 17 };

/// Merges the files of an archive.
pub static MERGE: OptionSpec = OptionSpec {
    name: "merge",
    kind: OptionKind::Flag,
    default: Some("false"),
    help: "all files of a zip become pages of one pdf, in the natural order of their names",
};

/// Leaves out of a merge the files that cannot become pages.
pub static SKIP_BAD: OptionSpec = OptionSpec {
    name: "skip_bad",
    kind: OptionKind::Flag,
    default: Some("false"),
    help: "beside merge: leave out files that cannot become pages, each with a note, instead of refusing all",
};
