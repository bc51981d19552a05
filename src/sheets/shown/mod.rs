//! Sheets as a spreadsheet program shows and prints them, for targets with styles. For targets that hold only values,
//! the cells are streamed instead: see [`cells`](super::cells).
//!
//! ```text
//! formats/<format>/shown ──► Book ──► page (pdf), html
//! ```
//! A reader fills a [`Book`](book::Book): sheets with cells, rows and columns, and the [styles](style) that cells
//! refer to by index. The book is held in memory, so its size is limited; a larger workbook is converted without its
//! styles.

pub(super) mod book;
mod comments;
pub(super) mod compute;
pub(super) mod conditions;
pub(super) mod differential;
pub(super) mod formula;
mod grid;
pub(super) mod header;
mod html;
pub(crate) mod inserted;
pub(super) mod measure;
mod merged;
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
