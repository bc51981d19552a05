//! Converters of documents, sheets, slides, mail and PDF: all that is made of text and pages.
//!
//! - [`document`], [`spreadsheet`], [`presentation`], [`pdf`]: the converters.
//! - [`mail`]: pages of messages. [`album`]: pictures on pages of a PDF. [`archive`]: each file of a ZIP archive by all the others.
//! - [`scan`]: text in pictures.

#[cfg(feature = "document")]
pub mod album;
#[cfg(feature = "document")]
pub mod archive;
#[cfg(feature = "document")]
pub mod document;
#[cfg(feature = "mail")]
pub mod mail;
#[cfg(feature = "document")]
pub mod pdf;
#[cfg(feature = "presentation")]
pub mod presentation;
#[cfg(feature = "ocr")]
pub mod scan;
#[cfg(feature = "spreadsheet")]
pub mod spreadsheet;

// The words that everything here uses.
#[cfg(feature = "document")]
pub(crate) use convertd_media::fonts;
#[cfg(feature = "pdf")]
pub(crate) use convertd_media::random;
#[cfg(any(feature = "document", feature = "spreadsheet"))]
pub(crate) use convertd_media::{coding, containers, error, format, image, job};
