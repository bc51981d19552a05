//! PDF (ISO 32000-2) as it is written. Lays out no text, and decides nothing about documents.
//!
//! - [`object`]: the file, with fonts and pictures in it. [`content`]: what pages are drawn with. `draw`: drawings (SVG) in a file.
//! - [`document`]: a document on paper, tagged for those who cannot see it.
//!
//! Never: a file that is read (`hayro`); HTML and CSS (`convertd_markup`, `html5gum`); a page whose memory is kept once it is written.

// Fields and variants whose names say all. Only packages of this workspace see them.
#![allow(missing_docs)]

pub mod content;
pub mod document;
#[cfg(feature = "svg")]
pub mod draw;
pub mod object;

// The words that everything here uses.
pub(crate) use convertd_core::{coding, error, fonts, format, job};
pub(crate) use convertd_image as image;
