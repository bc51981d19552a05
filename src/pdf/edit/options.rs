//! The optional fields of conversions from PDF to PDF. Decides nothing about pages.

use crate::job::{OptionKind, OptionSpec, PASSWORD};
#[cfg(feature = "ocr")]
use convertd_scan::options::{DESKEW, LANGUAGE, OCR_LAYER, UPRIGHT};

pub(super) static PAGES: OptionSpec = OptionSpec {
    name: "pages",
    kind: OptionKind::Text(2000),
    default: None,
    help: "pages to keep, in this order, such as 3,1-2,5-; a page may be repeated",
};

pub(super) static ROTATE: OptionSpec = OptionSpec {
    name: "rotate",
    kind: OptionKind::OneOf(&["0", "90", "180", "270"]),
    default: Some("0"),
    help: "degrees to turn pages clockwise",
};

pub(super) static SPLIT: OptionSpec = OptionSpec {
    name: "split",
    kind: OptionKind::Integer(1..=u32::MAX),
    default: None,
    help: "split the pdf into files of this many pages each, in a zip",
};

pub(super) static TITLE: OptionSpec = OptionSpec {
    name: "title",
    kind: OptionKind::Text(1000),
    default: None,
    help: "title of the pdf",
};

pub(super) static ENCRYPT: OptionSpec = OptionSpec {
    name: "encrypt",
    kind: OptionKind::Text(127),
    default: None,
    help: "password that the result requires to be opened (AES-256)",
};

pub(super) static PERMISSIONS: OptionSpec = OptionSpec {
    name: "permissions",
    kind: OptionKind::Text(100),
    default: None,
    help: "actions that readers of the pdf may take: none, all, or a list of print, edit, copy, comment, fill, assemble, separated by commas",
};

pub(super) static OWNER: OptionSpec = OptionSpec {
    name: "owner_password",
    kind: OptionKind::Text(127),
    default: None,
    help: "owner password of the result; it lifts all restrictions that permissions sets",
};

pub(super) static ROTATE_PAGES: OptionSpec = OptionSpec {
    name: "rotate_pages",
    kind: OptionKind::Text(2000),
    default: None,
    help: "pages that the option rotate turns, such as 1,3-5; by default all; an angle after a colon applies only to these pages, such as 1:90,3-5:180",
};

pub(super) static INFO: OptionSpec = OptionSpec {
    name: "info",
    kind: OptionKind::Text(4000),
    default: None,
    help: "metadata of the pdf as a JSON object; its keys are Title, Author, Subject, Keywords, Creator, Producer, CreateDate, ModDate, Trapped",
};

/// Limit on a list of bookmarks or of files, in characters. Lists of large documents have thousands of entries.
const MAX_LIST: usize = 4 << 20;

pub(super) static BOOKMARKS: OptionSpec = OptionSpec {
    name: "bookmarks",
    kind: OptionKind::Text(MAX_LIST),
    default: None,
    help: "bookmarks in place of those of the pdf, as a JSON list: [{\"title\": \"A\", \"page\": 1, \"children\": []}]; pages are those of the result",
};

pub(super) static FLATTEN: OptionSpec = OptionSpec {
    name: "flatten",
    kind: OptionKind::Flag,
    default: Some("false"),
    help: "make form fields and comments a fixed part of the page, so that nobody can edit them",
};

pub(super) static NUMBERS: OptionSpec = OptionSpec {
    name: "numbers",
    kind: OptionKind::Flag,
    default: Some("false"),
    help: "print a page number in the middle of the foot of each page; the first page is 1",
};

pub(super) static STAMP: OptionSpec = OptionSpec {
    name: "stamp",
    kind: OptionKind::Text(100),
    default: None,
    help: "text to print across each page, on top of its content",
};

pub(super) static STAMP_PAGES: OptionSpec = OptionSpec {
    name: "stamp_pages",
    kind: OptionKind::Text(2000),
    default: None,
    help: "pages that get the stamp, such as 1,3-5; by default all",
};

pub(super) static WATERMARK: OptionSpec = OptionSpec {
    name: "watermark",
    kind: OptionKind::Text(100),
    default: None,
    help: "text to print on each page, behind its content",
};

pub(super) static WATERMARK_PAGES: OptionSpec = OptionSpec {
    name: "watermark_pages",
    kind: OptionKind::Text(2000),
    default: None,
    help: "pages that get the watermark, such as 1,3-5; by default all",
};

/// The option that converts the PDF to PDF/A.
pub static ARCHIVAL: OptionSpec = OptionSpec {
    name: "pdf_a",
    kind: OptionKind::OneOf(&["false", "true", "2", "3"]),
    default: Some("false"),
    help: "write PDF/A, for archives: PDF/A-2b (true or 2) or PDF/A-3b (3); a file that breaks its rules is not marked as PDF/A, and a note gives the reason",
};

/// All options of conversions from PDF to PDF.
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
    &BOOKMARKS,
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

/// Options for a PDF that this program has just made. The options for OCR and flattening and the password of the input
/// are left out, because they have no effect on such a file.
pub static NEW_FILE_OPTIONS: [&OptionSpec; 16] = [
    &PAGES,
    &ROTATE,
    &ROTATE_PAGES,
    &SPLIT,
    &TITLE,
    &INFO,
    &BOOKMARKS,
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

const COUNT: usize = if cfg!(feature = "ocr") { 22 } else { 18 };

/// The option that merges the files of an archive.
pub static MERGE: OptionSpec = OptionSpec {
    name: "merge",
    kind: OptionKind::Flag,
    default: Some("false"),
    help: "merge all files of the zip into one pdf, in the natural order of their names",
};

/// The option that attaches files of an archive.
pub static ATTACH: OptionSpec = OptionSpec {
    name: "attach",
    kind: OptionKind::Text(MAX_LIST),
    default: None,
    help: "with merge: files of the zip to attach to the pdf instead, as a JSON object: {\"data.xml\": {\"name\": \"invoice.xml\", \"relationship\": \"Data\", \"type\": \"text/xml\"}}",
};

/// The option that leaves out files that cannot become pages.
pub static SKIP_BAD: OptionSpec = OptionSpec {
    name: "skip_bad",
    kind: OptionKind::Flag,
    default: Some("false"),
    help: "with merge: leave out files that cannot become pages, with a note for each, instead of rejecting the whole zip",
};
