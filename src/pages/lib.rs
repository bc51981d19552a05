//! Converters of documents and PDF, and converters that combine several others.
//!
//! - [`document`], [`pdf`]: the converters. [`scan`]: recognised text on pages. [`pictures`]: the converter for pictures of text.
//!   [`subtitles`]: words and the times in which they are shown. [`typeface`]: fonts as files.
//! - [`album`]: pictures on pages of a PDF. [`archive`]: each file of an archive by all the others.
//!
//! Never: sheets, slides or mail, which are built on this package.

#[cfg(feature = "document")]
pub mod album;
#[cfg(feature = "document")]
pub mod archive;
#[cfg(feature = "document")]
pub mod document;
#[cfg(feature = "document")]
pub mod pdf;
#[cfg(feature = "ocr")]
pub mod pictures;
#[cfg(feature = "ocr")]
pub mod scan;
#[cfg(feature = "document")]
pub mod subtitles;
#[cfg(feature = "document")]
pub mod typeface;

// The words that everything here uses.
#[cfg(feature = "pdf")]
pub(crate) use convertd_core::random;
#[cfg(feature = "document")]
pub(crate) use convertd_core::{coding, containers, error, fonts, format, job, litter};
#[cfg(feature = "document")]
pub(crate) use convertd_image as image;
