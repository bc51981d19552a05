//! Layout of text on pages: blocks, lines, tables, frames and pages. Does not depend on file formats: its
//! result is painted on a [medium].
//!
//! ```text
//! blocks, tables, lists ──► slices ──► pages ──► medium
//!   │    ▲                    ▲
//!   ▼    │ lines              │ frame
//!   spans ► atoms ► lines ────┘
//! ```
//! All lengths are in points. In a slice, x runs from the left edge of its column and y from its
//! own upper edge downwards; on a page, both run from the upper left corner.
//!
//! - An [item](item::Item) is an object on a page: words on a baseline, a filled rectangle, a rule, a picture, the area
//!   of a link, the destination of links. A [slice](item::Slice) is a part of a column that is never broken: a line of
//!   text, or a table row.
//! - [`atoms::Atoms::of`] measures runs of text ([`spans::Spans`]), and [`lines::set`] breaks them
//!   into lines of a given width. Both need only the [faces](faces::Faces). [`lines::extent`]
//!   returns the smallest and the largest useful width of text.
//! - [`Layout::frame`](context::Layout::frame) sets blocks of the [tree](convertd_tree) in a column
//!   of a given width, such as a cell, a text box or a margin, and returns slices.
//!   [`item::height`] returns their height, and [`frame::stacked`] places them on a page.
//! - [`sections::set`] sets a whole document on pages, in columns, with notes, headers and footers.
//! - The [structure] records the elements that are read aloud, and their parents. Every item belongs
//!   to an element, or is an artifact.
//!
//! A caller that chooses all positions itself fills pages directly: `medium.begin_page(…)`, then `medium.draw(…)` for
//! each item, then `medium.end_page()`. `document::pdf_pages` makes a file of such pages:
//! ```text
//! document::pdf_pages(job, &document, output, &mut |layout, medium| {
//!     medium.begin_page(720.0, 405.0)?;
//!     let text_format = layout.base();
//!     let context = BlockContext { left: 0.0, ..BlockContext::new(layout.document, text_format, 300.0) };
//!     let slices = layout.frame(&blocks, &context)?;
//!     let y = 40.0 + (200.0 - item::height(&slices)) / 2.0;
//!     for placed in frame::stacked(slices, 50.0, y) {
//!         placed.items.iter().for_each(|item| medium.draw(item, placed.x, placed.y));
//!     }
//!     medium.end_page();
//!     Ok(labels)
//! }, &mut notes)
//! ```
//!
//! Never: a file format, HTML, CSS or PDF (`html5gum`, `pdf_writer`); painting, which is the task of
//! the medium.

// Fields and variants with plain names have no documentation; only packages of this workspace see
// them.
#![allow(missing_docs)]

pub mod around;
pub mod atoms;
pub mod balance;
pub mod blocks;
pub mod borders;
pub mod context;
pub mod counting;
pub mod decoration;
pub mod drop_cap;
mod endnotes;
pub mod face;
pub mod faces;
pub mod float;
pub mod floating;
pub mod formula;
pub mod frame;
pub mod front;
pub mod geometry;
pub mod hyphenation;
pub mod item;
pub mod layers;
mod line_box;
mod line_extent;
pub mod lines;
pub mod links;
pub mod lists;
pub mod measures;
pub mod medium;
pub mod memory;
pub mod notes;
pub mod ornaments;
pub mod outline;
pub mod pages;
pub mod paper;
mod paragraph_format;
pub mod paragraphs;
pub mod pictures;
pub mod resolver;
pub mod rows;
mod ruby;
pub mod sections;
pub mod shape;
pub mod spans;
pub mod structure;
mod substitute;
pub mod tables;
pub mod text_format;
pub mod turned;
pub mod units;
pub mod widths;
pub mod word;

// Names that all modules use.
pub(crate) use convertd_core::{error, fonts, job};
