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
#[path = "pages/album/mod.rs"]
pub mod album;
pub mod api;
#[cfg(feature = "document")]
#[path = "pages/archive/mod.rs"]
pub mod archive;
#[cfg(feature = "audio")]
#[path = "media/audio/mod.rs"]
pub mod audio;
pub mod base_path;
pub mod cli;
#[path = "media/coding/mod.rs"]
pub mod coding;
pub mod config;
#[path = "media/containers/mod.rs"]
pub mod containers;
#[cfg(feature = "document")]
#[path = "pages/document/mod.rs"]
pub mod document;
pub mod engine;
#[path = "media/error.rs"]
pub mod error;
#[cfg(any(feature = "document", feature = "svg"))]
#[path = "media/fonts/mod.rs"]
pub mod fonts;
#[path = "media/format.rs"]
pub mod format;
pub mod http;
pub mod id;
#[path = "media/image/mod.rs"]
pub mod image;
#[path = "media/job/mod.rs"]
pub mod job;
pub mod keys;
pub mod logging;
pub mod machine;
#[cfg(feature = "mail")]
#[path = "pages/mail/mod.rs"]
pub mod mail;
mod manual;
pub mod metrics;
pub mod network;
#[cfg(any(feature = "document", feature = "spreadsheet"))]
#[path = "pages/office/mod.rs"]
pub mod office;
#[cfg(feature = "document")]
#[path = "pages/pdf/mod.rs"]
pub mod pdf;
#[cfg(feature = "presentation")]
#[path = "pages/presentation/mod.rs"]
pub mod presentation;
pub mod registry;
pub mod service;
#[cfg(feature = "spreadsheet")]
#[path = "pages/spreadsheet/mod.rs"]
pub mod spreadsheet;
pub mod store;
