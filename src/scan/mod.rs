//! Text in pictures: the uses of a page's text after `convertd-ocr` has recognised it.
//!
//! ```text
//! pixels ──► models ──► Text ──► layer (pdf), letters (documents), hocr, alto
//! ```
//! [`options`], [`models`] and the [`report`] are shared by all readers of pages. The reader of PDF
//! selects the pages of a PDF.

mod alto;
pub mod analysis;
pub(crate) mod glyphless;
mod hocr;
pub(crate) mod layer;
pub(crate) mod models;
pub mod options;
pub(crate) mod own;
pub(crate) mod paged;
pub(crate) mod report;
pub(crate) mod written;

pub use options::ATTACHMENT_OPTIONS;
pub(crate) use options::reads_pictures;
