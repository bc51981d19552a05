//! PDF (ISO 32000-2): reading and editing. `hayro` parses, repairs, decrypts and draws files.
//!
//! ```text
//!          ┌──► pictures, vector (drawings of pages)
//! file ──► read ──► text ──► structure or blocks ──► a tree of a document, rows of tables, words with positions
//!   └────► edit ──► store ──► assemble ──► write (pages as they are, in another PDF)
//! ```
//! - [`read`]: pages as pictures, their text as a [tree](convertd_tree), and their tables. With OCR, its scanner reads
//!   pages that are pictures.
//! - [`edit`]: selects, turns, joins, stamps and encrypts pages, which otherwise stay unchanged, and makes PDF/A.
//!
//! Documents and pictures become PDF in `convertd-pdfwrite`. The row of the format is there, too.
//!
//! Never: knows a format of documents (`convertd_words`, `convertd_markup`) or lays one out (`convertd_boxes`): the
//! caller writes the tree; runs a script of a file, or fetches anything.

// Only packages of this workspace see the public items, so items whose names explain them have no documentation.
#![allow(missing_docs)]

pub mod edit;
pub mod read;

// Names that all modules here use.
pub(crate) use convertd_core::{coding, containers, error, fonts, format, job, numbered, random};
pub(crate) use convertd_image as image;
