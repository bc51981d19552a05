//! PDF output (ISO 32000-2). The layout is computed by `convertd_layout`.
//!
//! - [`object`]: the file with its objects, fonts and pictures. [`content`]: operators of pages. `draw`: drawings
//!   (SVG).
//! - [`document`]: documents on pages, tagged for screen readers.
//!
//! Never: reading PDF (`hayro`), HTML and CSS (`convertd_markup`, `html5gum`), and pages that stay in memory
//! after they are written.

// Fields and variants with plain names have no documentation. Only packages of this workspace see them.
#![allow(missing_docs)]

pub mod content;
pub mod document;
#[cfg(feature = "svg")]
pub mod draw;
pub mod object;

// Types that all files of this package use.
pub(crate) use convertd_core::{coding, error, fonts, format, job};
pub(crate) use convertd_image as image;
