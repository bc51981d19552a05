//! The tree of a document between its formats: every reader builds it, and every writer walks it.
//!
//! - [`Document`] and its parts: sections, blocks, inlines, tables, styles, notes, pictures. [`row`]: the description
//!   of a format that reads or writes documents.
//! - [`math`]: formulas. [`numbering`], [`numerals`]: numbers of lists. [`contents`]: tables of contents. [`date`]:
//!   dates of metadata. [`colours`]: names of colours, and conversions between colour spaces.
//! - [`media`]: recognises pictures by their first bytes. `drawings`: SVG pictures. [`scripts`]: recognises content
//!   that would run a program.
//! - [`code`]: divides program code into pieces by their meaning.
//! - [`input`]: a whole file. [`encoding`]: the encoding of a text. [`options`]: optional fields that documents share.
//! - [`losses`]: counts content that is lost in a conversion.
//!
//! Never: a file format, fonts or pages (`pdf_writer`, `html5gum`, `harfrust`); fetching anything; a tree whose memory
//! is not reserved from its job.

pub mod code;
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
pub use length::{Length, POINT, Width};

// Names that all modules use.
pub(crate) use convertd_core::{coding, containers, error, format, job};
#[cfg(feature = "svg")]
pub(crate) use convertd_image as image;
