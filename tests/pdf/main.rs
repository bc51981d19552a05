//! PDF files: compared with the results of poppler, and files that are made to do harm. A test prints that a program is
//! missing, and then passes.

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
mod vertical;
#[allow(dead_code)]
#[path = "../documents/zips.rs"]
mod zips;
