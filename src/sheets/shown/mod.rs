//! Sheets as a spreadsheet program shows and prints them, for targets that people look at. Converts no values: see
//! [`cells`](super::cells) for the road that streams them.
//!
//! ```text
//! formats/<format>/shown ──► Book ──► page (pdf), html
//! ```
//! A reader fills a [`Book`](book::Book): sheets with their cells, rows and columns, and the [styles](style) that cells refer to
//! by number. It is held in memory, so its size is limited; a workbook beyond the limit is converted without its looks.

pub(super) mod book;
mod comments;
pub(super) mod compute;
pub(super) mod conditions;
pub(super) mod differential;
pub(super) mod formula;
pub(super) mod header;
mod html;
pub(super) mod measure;
mod page;
pub(super) mod palette;
pub(super) mod print;
mod range;
pub(super) mod style;
pub(super) mod tables;
pub(super) mod text;
pub(super) mod validation;

pub(super) use comments::append as print_comments;
pub(super) use html::write as html;
pub(super) use page::write as pdf;
