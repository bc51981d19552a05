//! Makes slides of a document: a slide for each heading, with what follows it laid out below. Knows no format.
//!
//! ```text
//! document::tree ──► cut (what is on which slide) ──► fit (places, further slides) ──► formats/<format>/write
//!                    └ lines (blocks as lines of text)
//! ```

mod cut;
mod fit;
mod lines;
mod page;

pub(crate) use cut::pages;
pub(crate) use page::{
    Grid, GridCell, GridPlace, Label, Layout, Line, LineKind, Link, Page, Part, Placed, Run, Shown,
    Words,
};

/// The width and height of a slide in English Metric Units: 16 to 9.
pub(crate) const SIZE: (i64, i64) = (12_192_000, 6_858_000);
