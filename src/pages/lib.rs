//! Converters of documents and PDF, and converters that combine several others.
//!
//! - [`document`], [`pdf`]: the converters of documents and of PDF. [`scan`]: recognised text on pages. [`pictures`]:
//!   the converter from pictures of text. [`subtitles`]: subtitle files. [`typeface`]: font files.
//! - [`album`]: combines pictures into a PDF. [`archive`]: converts each file of an archive with the other converters.
//!
//! Never: sheets, slides or mail, which are built on this package.

#[cfg(feature = "document")]
pub mod album;
#[cfg(feature = "document")]
pub mod archive;
#[cfg(feature = "document")]
pub mod document;
#[cfg(feature = "document")]
#[path = "../pdf/mod.rs"]
pub mod pdf;
#[cfg(feature = "ocr")]
pub mod pictures;
#[cfg(feature = "ocr")]
#[path = "../scan/mod.rs"]
pub mod scan;
#[cfg(feature = "document")]
pub mod subtitles;
#[cfg(feature = "document")]
pub mod typeface;

// Names that all modules here use.
#[cfg(feature = "document")]
pub(crate) use convertd_core::{coding, containers, error, fonts, format, job, litter};
#[cfg(feature = "pdf")]
pub(crate) use convertd_core::{numbered, random};
#[cfg(feature = "document")]
pub(crate) use convertd_image as image;
