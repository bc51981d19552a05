//! Writes the tree as the flat sequence of paragraphs that word processors know: one walk, and a dialect for each
//! format.
//!
//! The walk decides what is written in which order, in which style, list and cell ([`Place`]), and what becomes of what
//! a format cannot hold. A [`Dialect`] turns the walk's calls into elements or control words. A format is added by
//! implementing the trait, and calling [`blocks`] for each section, header, footer and note.

mod context;
mod dialect;
mod inlines;
mod metadata;
mod relationships;
mod walk;

pub use context::{Context, Place};
pub use dialect::{Dialect, TableRow};
pub use metadata::{core_properties, open_metadata};
pub use relationships::Relationships;
pub use walk::{blocks, paragraph, title, within};
