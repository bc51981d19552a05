//! Text on pages: blocks, lines, tables, frames and pages. Knows no file format; what it makes is painted on a [medium].
//!
//! ```text
//! blocks, tables, lists ──► strips ──► pages ──► medium
//!   │    ▲                    ▲
//!   ▼    │ lines              │ frame
//!   spans ► atoms ► lines ────┘
//! ```
//! All lengths are in points. In a strip x runs from the left edge of its column and y from its own upper edge downwards; on a page
//! both run from the upper left corner.
//!
//! - An [item](item::Item) is one thing that is drawn: words on a base line, a filled rectangle, a rule, a picture, the area of a link, a
//!   place that links lead to. A [strip](item::Strip) is what is never broken: a line of text, a row of a table.
//! - [`atoms::Atoms::of`] measures runs of text ([`spans::Spans`]), and [`lines::set`] breaks them into lines of a given width, each of
//!   which has a height. They need nothing but the [faces](faces::Faces). [`lines::extent`] says how narrow and how wide text can be.
//! - [`Layout::frame`](context::Layout::frame) sets blocks of the [tree](convertd_tree) in a column of a given width, and returns
//!   strips; [`item::height`] says how high they are, and [`frame::stacked`] places them on a page: a cell, a text box, a margin.
//! - [`sections::set`] sets a whole document on pages, in columns, with notes, headers and footers.
//! - The [structure] says what can be read aloud, and in which order; every item belongs to an element of it, or to none.
//!
//! A caller with positions of its own fills pages directly: `medium.begin_page(…)`, then `medium.draw(…)` for each item, then
//! `medium.end_page()`. `document::pdf_pages` makes a file of them:
//! ```text
//! document::pdf_pages(job, &document, output, &mut |layout, medium| {
//!     medium.begin_page(720.0, 405.0)?;
//!     let look = layout.base();
//!     let place = Place { left: 0.0, ..Place::new(layout.document, look, 300.0) };
//!     let strips = layout.frame(&blocks, &place)?;
//!     let y = 40.0 + (200.0 - item::height(&strips)) / 2.0;
//!     for placed in frame::stacked(strips, 50.0, y) {
//!         placed.items.iter().for_each(|item| medium.draw(item, placed.x, placed.y));
//!     }
//!     medium.end_page();
//!     Ok(labels)
//! }, &mut notes)
//! ```
//!
//! Never: a file format, HTML, CSS or PDF (`html5gum`, `pdf_writer`); a path that is painted: that is up to the medium.

// Fields and variants whose names say all. Only packages of this workspace see them.
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
pub mod face;
pub mod faces;
pub mod float;
pub mod floating;
pub mod frame;
pub mod front;
pub mod geometry;
pub mod item;
pub mod layers;
mod line_box;
pub mod lines;
pub mod links;
pub mod lists;
pub mod look;
mod manner;
pub mod measures;
pub mod medium;
pub mod memory;
pub mod notes;
pub mod outline;
pub mod pages;
pub mod paper;
pub mod paragraphs;
pub mod pictures;
mod reach;
pub mod rows;
pub mod sections;
pub mod shape;
pub mod spans;
pub mod structure;
mod substitute;
pub mod tables;
pub mod turned;
pub mod units;
pub mod widths;
pub mod word;
pub mod world;

// The words that everything here uses.
pub(crate) use convertd_media::{error, fonts, job};
