//! PDF files as they are read: beside poppler's view of the same files, and files that are made to do harm. Each test that
//! needs a program says so and passes where it is missing.

#![allow(clippy::unwrap_used)]
#![cfg(feature = "pdf")]

mod all_pages;
mod archival;
mod archives;
mod bad;
mod edit;
mod figures;
mod forms;
mod harness;
mod make;
mod passages;
mod pictures;
mod rules;
mod scans;
mod tables;
mod tags;
mod text;
#[cfg(feature = "svg")]
mod vectors;
#[allow(dead_code)]
#[path = "../documents/zips.rs"]
mod zips;
