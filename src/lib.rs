//! A file conversion service in one small static binary.
pub mod api;
pub mod convert;
pub mod error;
pub mod format;
pub mod http;
pub mod id;
pub mod store;
