//! Converts a document to slides: divides it at headings and rules, and lays out the content of each slide. Does not
//! depend on the output format.
//!
//! ```text
//! document::tree ──► cut (into slides) ──► fit (positions; overflow to more slides) ──► formats/<format>/write
//!                    └ lines (blocks to lines of text)
//! ```

mod cut;
mod fit;
mod lines;
mod page;
mod runs;

pub(crate) use cut::pages;
pub(crate) use page::{
    Grid, GridCell, GridPlace, Label, Layout, Line, LineKind, Link, Page, Placed, Run, Shown,
    SlideObject, Words,
};

/// Width and height of slides in English Metric Units, with an aspect ratio of 16:9.
pub(crate) const SIZE: (i64, i64) = (12_192_000, 6_858_000);
