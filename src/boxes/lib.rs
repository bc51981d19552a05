//! Lays out pages of HTML as browsers do, with CSS boxes that are made from styled elements. Parses
//! neither HTML nor style sheets.
//!
//! ```text
//! dom + css ──► generate ──► tree (boxes) ──► engine ──► fragment ──► pages ──► paint ──► layout's items
//! ```
//! - [`tree`] is the box tree. [`generate`] makes it from elements and their styles; [`first`]
//!   handles `::first-letter` and `::first-line`.
//! - Each layout mode is a file: [`block`], [`inline`] and [`line`](mod@line), [`floats`],
//!   [`table`] with [`widths`], [`columns`], [`items`] (flex and grid), [`positioned`],
//!   [`replaced`]. All are methods of the [`engine`], which holds the caches.
//! - [`running`] is the content repeated on every page: templates of headers and footers.
//! - The result is one tall [`fragment`] tree in px. [`pages`] breaks it, [`paint`] draws
//!   it, and [`spatial`] draws boxes with 3D transforms.
//!
//! Lengths are in px (1/96 in) until they are painted.
//!
//! Never: parses HTML (`html5gum`) or style sheets, or writes PDF itself (`pdf_writer`).

// Only packages of this workspace see the public items, so items whose names explain them have no documentation.
#![allow(missing_docs)]

mod backdrop;
mod block;
mod border_image;
mod collapse;
mod collapsed_borders;
mod column_sizes;
mod columns;
mod controls;
mod decor;
mod engine;
mod extents;
mod fieldset;
mod filling;
mod first;
mod floats;
mod fonts;
mod fragment;
mod frames;
mod generate;
mod generated;
mod gradient;
mod height;
mod inline;
mod items;
mod kerning;
mod line;
mod margins;
mod measured;
mod outlines;
mod pages;
mod paint;
mod paper;
mod parts;
mod pictures;
mod positioned;
mod print;
mod ratios;
mod replaced;
mod root;
mod running;
mod runs;
mod shadows;
mod sizing;
mod spanners;
mod spatial;
mod styled;
mod surface;
mod table;
mod tags;
mod templates;
mod tree;
mod turned;
mod upright;
mod widths;
mod words;
mod write;

use crate::{
    format::Format,
    job::{Job, OptionSpec},
};
use convertd_layout::paper as sheet;
use convertd_pdfwrite::document::{self as pdf, metadata::ARCHIVE};
use convertd_tree::options as common;

pub use paper::{BACKGROUND, STYLES};
pub use styled::Source;
pub use surface::{DPI, WIDTH};
pub use templates::Templates;
pub use write::{window, write};

// Error, format and job types that all modules here use.
pub(crate) use convertd_core::{error, format, job};

/// Options of conversions from HTML to PDF by CSS layout.
static OPTIONS: &[&OptionSpec] = &[
    &common::TITLE,
    &common::TOC,
    &common::HIGHLIGHT,
    &sheet::PAGE_SIZE,
    &sheet::MARGIN,
    &ARCHIVE,
    &paper::STYLES,
    &paper::BACKGROUND,
    &sheet::ORIENTATION,
    &paper::SCALE,
    &paper::MEDIA,
    &paper::SINGLE,
];

/// Options of a conversion between these formats; `None` if the conversion does not use CSS layout.
pub fn options(from: &str, to: &Format) -> Option<&'static [&'static OptionSpec]> {
    match from {
        "html" | "epub" | "mobi" if *to == *pdf::format() => Some(OPTIONS),
        _ => None,
    }
}

/// Returns whether a format is an e-book format.
fn is_book(from: &str) -> bool {
    matches!(from, "epub" | "mobi")
}

/// Returns whether a job uses CSS layout. A job that ignores styles, or that wants a table of contents,
/// uses the layout of text documents instead.
pub fn takes(job: &Job<'_>) -> bool {
    options(job.from.name, job.to).is_some()
        && job.options().word(paper::STYLES.name) != Some("ignore")
        && !job.options().flag(common::TOC.name)
}
