//! Parts that office files of every kind share.
//!
//! - [`drawing`]: shapes, charts and diagrams, as SVG. [`art`]: the same in binary files (Escher).
//! - [`wordprocessing`]: the rules that the formats of word processors share: styles, lists, fields, and the story of
//!   paragraphs.
//! - [`number_format`], [`time`]: numbers and dates as sheets and charts show them.
//! - [`locked`]: files under a password. [`flat`]: packages that are one XML file.
//!
//! Never: a sheet, a slide or a format of documents; layout of pages, HTML or PDF (`harfrust`, `html5gum`,
//! `pdf_writer`).

// Fields and variants whose names say all. Only packages of this workspace see them.
#![allow(missing_docs)]

#[cfg(feature = "document")]
pub mod art;
#[cfg(feature = "document")]
pub mod drawing;
#[cfg(feature = "document")]
pub mod flat;
pub mod locked;
pub mod number_format;
pub mod time;
#[cfg(feature = "document")]
pub mod wordprocessing;

// The words that everything here uses.
#[cfg(feature = "document")]
pub(crate) use convertd_core::{coding, fonts};
pub(crate) use convertd_core::{containers, error, job};
