//! Presentations: the content that is read from each format, and files that are damaged or made to do harm. A test
//! prints that a program is missing, and then passes.

#![allow(clippy::unwrap_used)]
#![cfg(feature = "presentation")]

mod bad;
mod harness;
#[allow(dead_code)]
#[path = "../support/iwa.rs"]
mod iwa;
#[cfg(feature = "pdf")]
mod kept;
mod key;
mod odp;
#[cfg(feature = "pdf")]
mod pages;
mod ppt;
mod pptx;
mod slides;
#[path = "../support/tools.rs"]
mod tools;
mod written;
#[allow(dead_code)]
#[path = "../documents/zips.rs"]
mod zips;
