//! Sheets: every pair of formats, comparisons with openpyxl, damaged files, and the memory for many rows. A test
//! that needs a program says so, and passes if it is missing.

#![allow(clippy::unwrap_used)]
#![cfg(feature = "spreadsheet")]

mod bad;
#[cfg(feature = "document")]
mod biff;
#[cfg(feature = "document")]
mod binary;
#[cfg(feature = "document")]
mod bounds;
mod data;
#[cfg(feature = "document")]
mod formulas;
mod harness;
#[allow(dead_code)]
#[path = "../support/iwa.rs"]
mod iwa;
#[cfg(feature = "document")]
mod looks;
mod memory;
mod numbers;
mod pairs;
mod peers;
#[cfg(feature = "document")]
mod places;
#[cfg(feature = "document")]
mod printed;
#[cfg(feature = "document")]
mod readers;
#[cfg(feature = "document")]
mod report;
#[cfg(feature = "document")]
mod web;
#[cfg(feature = "document")]
mod whole;
#[allow(dead_code)]
#[path = "../documents/zips.rs"]
mod zips;
