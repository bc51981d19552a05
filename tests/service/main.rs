//! The service from outside: a real process, real sockets, and every rule of the interface. The tests call no function
//! of the program.

#![allow(clippy::unwrap_used)]

mod at_root;
mod auth;
#[cfg(feature = "ocr")]
mod azure;
mod bad_input;
mod bare;
mod bundle;
mod cli;
mod compat;
mod contract;
mod conveniences;
mod convert;
mod deploy;
mod documents;
mod download;
#[cfg(feature = "pdf")]
mod files;
#[path = "../support/growth.rs"]
mod growth;
#[cfg(any(feature = "document", feature = "spreadsheet"))]
#[allow(dead_code)]
#[path = "../support/hangul.rs"]
mod hangul;
mod harness;
mod hostile;
mod http;
#[cfg(any(feature = "document", feature = "spreadsheet"))]
#[allow(dead_code)]
#[path = "../support/iwa.rs"]
mod iwa;
mod lifecycle;
mod loaders;
mod mcp;
mod memory;
mod metrics;
mod openapi;
mod probe;
mod samples;
mod shared;
#[cfg(feature = "spreadsheet")]
mod sheets;
mod status;
mod terminal;
#[path = "../support/tools.rs"]
mod tools;
mod waiting;
mod wall;
mod watch;
#[cfg(any(feature = "document", feature = "spreadsheet"))]
#[allow(dead_code)]
#[path = "../documents/zips.rs"]
mod zips;
