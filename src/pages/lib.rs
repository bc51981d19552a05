//! Converters of documents and PDF, and converters that combine several others.
//!
//! - [`document`]: the converter of documents, with the formats that have no package of their own. [`pdf`]: the
//!   converter from PDF, and from pages of HTML to pictures (`window`). [`pictures`]: the converter from pictures of
//!   text. [`subtitles`]: subtitle files. [`typeface`]: font files.
//! - [`album`]: combines pictures into a PDF. [`archive`]: converts each file of an archive with the other converters.
//!
//! Never: sheets, slides or mail, which are built on this package.

#[cfg(feature = "document")]
pub mod album;
#[cfg(feature = "document")]
pub mod archive;
#[cfg(feature = "document")]
pub mod document;
#[cfg(feature = "pdf")]
pub mod pdf;
#[cfg(feature = "ocr")]
pub mod pictures;
#[cfg(feature = "document")]
pub mod subtitles;
#[cfg(feature = "document")]
pub mod typeface;
#[cfg(feature = "pdf")]
mod window;

// Names that all modules here use.
#[cfg(feature = "document")]
pub(crate) use convertd_core::{coding, containers, error, fonts, format, job, litter};
#[cfg(feature = "document")]
pub(crate) use convertd_image as image;
