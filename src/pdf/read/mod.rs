//! Reading of PDF (ISO 32000-2): pages as pictures, and text as documents. Runs no scripts, fills
//! in no forms, and opens no embedded files.
//!
//! The row of the format is in the list of the document formats, because documents are written as PDF, too. Results are
//! passed on through the public interfaces of other packages: a page is a [drawing](crate::image::drawing) for the
//! pictures, and text becomes a [tree](convertd_tree) for the documents. `hayro` parses, repairs, decrypts and draws
//! files; it holds a file in memory as a whole.

mod archive;
mod attachments;
mod compose;
pub(super) mod content;
pub(super) mod cost;
pub mod documents;
mod fields;
pub mod file;
mod forms;
pub(super) mod geometry;
mod missing;
mod nested;
pub mod options;
mod outline;
pub(super) mod page_drawing;
mod page_reader;
pub mod pictures;
mod programs;
#[cfg(feature = "ocr")]
pub(super) mod scanner;
mod structure;
pub mod tables;
pub(super) mod text;
pub(crate) mod trailer;
mod unlocked;
#[cfg(feature = "svg")]
mod vector;
#[cfg(feature = "ocr")]
pub mod words;

pub(crate) use text::strings;
