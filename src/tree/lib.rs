//! The document between its formats: what every reader builds, and every writer walks.
//!
//! - [`Document`] and its parts: sections, blocks, inlines, tables, styles, notes, pictures. [`row`]: the description of a format that
//!   reads or writes one.
//! - [`math`]: formulas. [`numbering`], [`numerals`]: numbers of lists. [`contents`]: tables of contents. [`date`]: dates of metadata.
//!   [`colours`]: their names, and conversions between spaces.
//! - [`media`]: pictures by their first bytes. `drawings`: those that are SVG. [`scripts`]: what would run a program.
//! - [`input`], [`encoding`]: a whole file, and a page's text. [`options`]: optional fields that documents share.
//! - [`losses`]: what a conversion could not keep.
//!
//! Never: a file format, fonts or pages (`pdf_writer`, `html5gum`, `harfrust`); anything that fetches; a tree whose
//! memory is not reserved from its job.

pub mod colours;
pub mod contents;
pub mod date;
mod document;
#[cfg(feature = "svg")]
pub mod drawings;
pub mod encoding;
pub mod input;
mod length;
pub mod losses;
pub mod math;
pub mod media;
pub mod numerals;
pub mod options;
pub mod row;
pub mod scripts;

pub use document::*;
pub use length::{Length, Width};

// The words that everything here uses.
pub(crate) use convertd_core::{coding, containers, error, format, job};
#[cfg(feature = "svg")]
pub(crate) use convertd_image as image;
