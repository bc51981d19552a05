//! A file conversion service in one small static binary: upload a file, name a format, download the result once.
//!
//! ```text
//! socket ─► http ─► api ─► store (the upload, on disk) ─► engine (a converter) ─► store (the result) ─► api ─► http
//! ```
//!
//! In reading order:
//! - [`error`], [`id`], [`format`](mod@format): the types that everything else uses.
//! - [`job`]: a conversion as its converter sees it. The converters are packages beside this one: [`image`], [`audio`],
//!   [`document`], [`pdf`], [`spreadsheet`], [`presentation`], mail, albums and archives. [`registry`] is their list.
//! - [`engine`]: runs converters within limits. Uses files, but no sockets.
//! - [`store`]: conversions from upload to deletion, on disk or in a Redis that instances share. Uses neither sockets
//!   nor converters.
//! - [`http`]: a blocking HTTP/1.1 server. Does not depend on conversions.
//! - [`api`]: the REST interface, with a file for each endpoint. Brings engine, store and HTTP together.
//! - [`metrics`]: counters of all these parts.
//! - [`config`], [`keys`], [`network`], [`base_path`]: the operator's options. [`machine`]: the resources of the host.
//!   [`logging`]: the log. `nearest`: hints for mistyped words. [`service`]: starts all parts and stops them.
//! - [`cli`]: the command line. `manual`: the chapters that it prints and [`api`] serves. `web`, a folder without Rust:
//!   the page.
//!
//! Never: a converter of its own; a runtime for asynchronous code (`tokio`).

pub mod api;
pub mod base_path;
pub mod cli;
pub mod config;
pub mod engine;
pub mod http;
pub mod id;
pub mod keys;
pub mod logging;
pub mod machine;
mod manual;
pub mod metrics;
mod nearest;
pub mod network;
pub mod registry;
pub mod service;
pub mod store;

// Packages of converters, under short names.
#[cfg(feature = "audio")]
pub use convertd_audio as audio;
#[cfg(any(feature = "document", feature = "svg"))]
pub use convertd_core::fonts;
use convertd_core::{coding, containers, litter, numbered, random};
pub use convertd_core::{error, format, job};
pub use convertd_image as image;
#[cfg(feature = "mail")]
use convertd_mail as mail;
#[cfg(any(feature = "document", feature = "spreadsheet"))]
use convertd_office as office;
#[cfg(feature = "document")]
pub use convertd_pages::document;
#[cfg(feature = "pdf")]
pub use convertd_pages::pdf;
#[cfg(feature = "ocr")]
pub use convertd_pages::pictures;
#[cfg(feature = "document")]
use convertd_pages::{album, archive, subtitles, typeface};
#[cfg(feature = "ocr")]
pub use convertd_scan as scan;
#[cfg(feature = "spreadsheet")]
pub use convertd_sheets as spreadsheet;
#[cfg(feature = "presentation")]
pub use convertd_slides as presentation;
