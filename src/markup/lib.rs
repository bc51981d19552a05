//! HTML and CSS: the structure of pages, and their styles.
//!
//! - `syntax`: tokens, tags and escapes.
//! - [`dom`]: the tree of elements as a browser builds it.
//! - [`css`]: style sheets, selectors, the cascade, values and colours; the styles of drawings.
//! - [`html`]: from text to the model of a document, and back.
//!
//! Never: boxes or pages, which styles describe and others lay out (`taffy`, `harfrust`, `pdf_writer`); anything that
//! fetches or runs a script.

// Fields and variants with plain names have no documentation. Only packages of this workspace see them.
#![allow(missing_docs)]

pub mod css;
pub mod dom;
pub mod html;
mod syntax;

// Names that all modules use.
pub(crate) use convertd_core::{coding, containers, error, job};
#[cfg(feature = "svg")]
pub(crate) use convertd_image as image;
