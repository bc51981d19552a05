//! Conversions from one category to another, and of several files at once. Other programs examine the results.

#![allow(clippy::unwrap_used)]
#![cfg(feature = "document")]

mod album;
mod archive;
#[cfg(feature = "pdf")]
mod by_pdf;
mod containers;
#[cfg(feature = "svg")]
mod drawings;
mod examined;
#[cfg(feature = "svg")]
mod figures;
mod harness;
mod locked;
#[cfg(feature = "mail")]
mod mail;
mod paper;
mod typefaces;
#[cfg(feature = "pdf")]
mod upright;
