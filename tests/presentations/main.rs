//! Presentations: what is read of each format, and what becomes of files that are damaged or made to do harm. Each test that needs
//! a program says so and passes where it is missing.

#![allow(clippy::unwrap_used)]
#![cfg(feature = "presentation")]

mod bad;
mod harness;
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
