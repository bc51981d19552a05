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

pub(crate) mod around;
pub(crate) mod atoms;
pub(crate) mod balance;
pub(crate) mod blocks;
pub(crate) mod borders;
pub(crate) mod context;
pub(crate) mod counting;
pub(crate) mod decoration;
pub(crate) mod drop_cap;
pub(crate) mod face;
pub(crate) mod faces;
pub(crate) mod float;
pub(crate) mod floating;
pub(crate) mod frame;
pub(crate) mod front;
pub(crate) mod geometry;
pub(crate) mod item;
pub(crate) mod layers;
pub(crate) mod line_box;
pub(crate) mod lines;
pub(crate) mod links;
pub(crate) mod lists;
pub(crate) mod look;
mod manner;
pub(crate) mod measures;
pub(crate) mod medium;
pub(crate) mod memory;
pub(crate) mod notes;
pub(crate) mod outline;
pub(crate) mod pages;
pub(crate) mod paper;
pub(crate) mod paragraphs;
pub(crate) mod pictures;
mod reach;
pub(crate) mod rows;
pub(crate) mod sections;
pub(crate) mod shape;
pub(crate) mod spans;
pub(crate) mod structure;
mod substitute;
pub(crate) mod tables;
pub(crate) mod turned;
pub(crate) mod units;
pub(crate) mod widths;
pub(crate) mod word;
pub(crate) mod world;
