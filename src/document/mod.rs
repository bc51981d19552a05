//! Documents: text with headings, lists, tables, notes and pictures, from and to every common format. Never fetches what a
//! document refers to.
//!
//! ```text
//! formats/<format>/read ──► tree::Document ──► formats/<format>/write
//! ```
//! Readers and writers do not know one another: what they share is the [`tree`].

mod losses;
pub mod media;
pub mod numbering;
#[cfg(test)]
mod testing;
pub mod tree;

pub use losses::{Loss, Losses};
