//! A file conversion service in one small static binary: upload a file, name a format, download the result once.
//!
//! ```text
//! socket ─► http ─► api ─► store (the upload, on disk) ─► convert (the engine) ─► store (the result) ─► api ─► http
//! ```
//!
//! In reading order:
//! - [`error`], [`id`], [`format`](mod@format): the words that everything else uses.
//! - [`convert`]: converters, and the engine that runs them within limits. Knows files, not sockets.
//! - [`store`]: conversions on disk, from upload to deletion. Knows neither sockets nor converters.
//! - [`http`]: a blocking HTTP/1.1 server. Knows nothing of conversions.
//! - [`api`]: the REST interface; brings the three together, one file an endpoint.
//! - [`config`], [`machine`], [`logging`], [`service`]: what to run, on what, and the running of it.
//! - [`cli`]: the command line.

pub mod api;
pub mod cli;
pub mod config;
pub mod convert;
pub mod error;
pub mod format;
pub mod http;
pub mod id;
pub mod logging;
pub mod machine;
pub mod service;
pub mod store;
