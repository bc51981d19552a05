//! Pages of HTML as a browser lays them out: boxes by their styles. Reads no HTML and no style sheet.
//!
//! ```text
//! dom + css ──► generate ──► tree (boxes) ──► engine ──► fragment ──► pages ──► paint ──► layout's items
//! ```
//! - [`tree`] is what stands in what, [`generate`] makes it of elements and their styles, [`tables`] of those of tables; [`first`]
//!   sets first letters and first lines apart.
//! - Each way to lay out is a file: [`block`], [`inline`] and [`line`](mod@line), [`floats`], [`table`] with [`widths`], [`columns`], [`items`] (flex and
//!   grid), [`positioned`], [`replaced`]. All are methods of the [`engine`], which keeps what is known of each box.
//! - [`running`] is what stands on every page: templates of headers and footers.
//! - What comes out is one strip of [fragments](fragment), as long as it is, in px. [`pages`] breaks it, [`paint`] draws it,
//!   what is turned in space by [`spatial`].
//!
//! Lengths are in px until they are painted.
//!
//! Never: HTML that is parsed or a style sheet that is read (`html5gum`); a PDF beside the one writer (`pdf_writer`).

// Fields and variants whose names say all. Only packages of this workspace see them.
#![allow(missing_docs)]

mod backdrop;
mod block;
mod border_image;
mod collapse;
mod column_sizes;
mod columns;
mod controls;
mod counters;
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
mod tables;
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

// The words that everything here uses.
pub(crate) use convertd_media::{error, format, job};

/// The optional fields of pages of HTML on paper.
static OPTIONS: &[&OptionSpec] = &[
    &common::TITLE,
    &common::TOC,
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

/// The optional fields of a pair of formats, if it goes by boxes.
pub fn options(from: &str, to: &Format) -> Option<&'static [&'static OptionSpec]> {
    match from {
        "html" | "epub" if *to == *pdf::format() => Some(OPTIONS),
        _ => None,
    }
}

/// Whether a job goes by boxes. A table of contents is set by meaning.
pub fn takes(job: &Job<'_>) -> bool {
    options(job.from.name, job.to).is_some()
        && job.options().word(paper::STYLES.name) != Some("ignore")
        && !job.options().flag(common::TOC.name)
}
