//! HTML and CSS: the language of pages, and that of their looks.
//!
//! - [`html`]: from text to the tree of the document, and back; elements as CSS sees them ([`html::dom`]).
//! - [`css`]: style sheets, selectors, the cascade, values and colours; the styles of drawings.
//!
//! Never: boxes or pages, which styles describe and others lay out (`taffy`, `harfrust`, `pdf_writer`); anything that fetches or runs a
//! script.

// Fields and variants whose names say all. Only packages of this workspace see them.
#![allow(missing_docs)]

pub mod css;
pub mod html;

// The words that everything here uses.
pub(crate) use convertd_core::{coding, containers, error, job};
#[cfg(feature = "svg")]
pub(crate) use convertd_image as image;
