//! Reads PDF (ISO 32000-2): its pages become pictures, its text documents. Runs no scripts, fills in no forms, opens no
//! attachments.
//!
//! The format's row belongs to the documents, which write it. What is read here reaches other categories through their public
//! interfaces: a page is a [drawing](crate::image::drawing) to the pictures, and text becomes a
//! [tree](convertd_tree) for the documents. `hayro` parses, repairs, decrypts and draws the file, which it holds
//! in memory as a whole.

mod archive;
mod attachments;
mod compose;
pub(super) mod cost;
pub(crate) mod documents;
mod fields;
pub mod file;
mod forms;
pub(super) mod geometry;
mod nested;
pub mod options;
mod outline;
pub(super) mod page_drawing;
pub mod pictures;
mod programs;
mod structure;
pub mod tables;
pub(super) mod text;
pub(crate) mod trailer;
mod unlocked;
#[cfg(feature = "ocr")]
pub(super) mod words;

pub(crate) use text::strings;
