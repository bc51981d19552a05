//! Parts that are shared by office files of all kinds.
//!
//! - [`drawing`]: shapes, charts and diagrams, as SVG. [`art`]: shapes in binary files (Escher).
//! - [`wordprocessing`]: the model that the formats of word processors share: styles, lists, fields, and the order of
//!   paragraphs.
//! - [`number_format`], [`time`]: numbers and dates in spreadsheets and charts.
//! - [`iwork`]: tables, texts and styles of Apple's Numbers, Pages and Keynote.
//! - [`locked`]: encrypted files. [`flat`]: packages in a single XML file.
//!
//! Never: a sheet, a slide or a format of documents; layout of pages, HTML or PDF (`harfrust`, `html5gum`,
//! `pdf_writer`).

// Names of fields and variants describe them sufficiently. Only packages of this workspace use them.
#![allow(missing_docs)]

#[cfg(feature = "document")]
pub mod art;
#[cfg(feature = "document")]
pub mod drawing;
#[cfg(feature = "document")]
pub mod flat;
pub mod iwork;
pub mod locked;
pub mod number_format;
pub mod time;
#[cfg(feature = "document")]
pub mod wordprocessing;

// Names that all modules use.
#[cfg(feature = "document")]
pub(crate) use convertd_core::{coding, fonts};
pub(crate) use convertd_core::{containers, error, job};
