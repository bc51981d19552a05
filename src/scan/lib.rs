//! Text in pictures: the uses of a page's text after `convertd-ocr` has recognised it.
//!
//! ```text
//! pixels ──► models ──► Text ──► layer (PDF), written (hOCR, ALTO, analyses), and the letters of documents
//! ```
//! - [`options`], [`models`] and the [`report`] are shared by all readers of pages. [`own`]: the text that a picture
//!   file already holds.
//! - [`layer`]: invisible text on a page of a PDF, in the font of [`glyphless`]. [`paged`]: the layers of a PDF that is
//!   made from pictures.
//! - [`written`]: pages of words with positions, as [hOCR](hocr), [ALTO](alto) or an [`analysis`]. [`page_info`]: facts
//!   about such a page.
//!
//! Never: recognises letters, or reads a PDF (`hayro`): the caller chooses the pages, and gives their pixels; knows a
//! document (`convertd_tree`).

// Names of fields and variants describe them sufficiently. Only packages of this workspace use them.
#![allow(missing_docs)]

mod alto;
pub mod analysis;
pub mod glyphless;
mod hocr;
pub mod layer;
pub mod models;
pub mod options;
pub mod own;
pub mod page_info;
pub mod paged;
pub mod report;
pub mod written;

pub use options::{ATTACHMENT_OPTIONS, reads_pictures};

// Names that all modules here use.
pub(crate) use convertd_core::{coding, error, fonts, format, job};
pub(crate) use convertd_image as image;
