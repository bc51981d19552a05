//! A file conversion service in one small static binary: upload a file, name a format, download the result once.
//!
//! ```text
//! socket ─► http ─► api ─► store (the upload, on disk) ─► engine (a converter) ─► store (the result) ─► api ─► http
//! ```
//!
//! In reading order:
//! - [`error`], [`id`], [`format`](mod@format): the types that everything else uses.
//! - [`job`]: a conversion as its converter sees it. [`image`], [`audio`], [`document`], [`pdf`], [`spreadsheet`] and
//!   [`presentation`] are the converters, [`registry`] their list; `mail` makes pages of messages. `office` is what office files of every kind hold,
//!   `album` puts pictures on pages of a PDF, and `archive` converts each file of a ZIP archive by all the others.
//! - [`engine`]: runs converters within limits. Knows files, but no sockets.
//! - [`store`]: conversions from upload to deletion, on disk or in an engine that instances share. Knows neither sockets nor converters.
//! - [`http`]: a blocking HTTP/1.1 server. Knows nothing of conversions.
//! - [`api`]: the REST interface, with a file for each endpoint. Brings engine, store and HTTP together.
//! - [`metrics`]: counting what all of these do.
//! - [`config`], [`keys`], [`network`], [`base_path`]: the operator's options. [`machine`]: what the host provides. [`logging`]: the log.
//!   [`service`]: starts all parts and stops them.
//! - [`cli`]: the command line. `manual`: the chapters that it prints and [`api`] serves.

#[cfg(feature = "document")]
mod album;
pub mod api;
#[cfg(feature = "document")]
mod archive;
#[cfg(feature = "audio")]
pub mod audio;
pub mod base_path;
pub mod cli;
mod coding;
pub mod config;
mod containers;
#[cfg(feature = "document")]
pub mod document;
pub mod engine;
pub mod error;
#[cfg(any(feature = "document", feature = "svg"))]
pub mod fonts;
pub mod format;
pub mod http;
pub mod id;
pub mod image;
pub mod job;
pub mod keys;
pub mod logging;
pub mod machine;
#[cfg(feature = "mail")]
mod mail;
mod manual;
pub mod metrics;
pub mod network;
#[cfg(any(feature = "document", feature = "spreadsheet"))]
mod office;
#[cfg(feature = "document")]
pub mod pdf;
#[cfg(feature = "presentation")]
pub mod presentation;
pub mod registry;
pub mod service;
#[cfg(feature = "spreadsheet")]
pub mod spreadsheet;
pub mod store;
