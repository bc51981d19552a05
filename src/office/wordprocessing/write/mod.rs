//! Writes the tree as a sequence of paragraphs for word processors: one traversal, with a dialect for each format.
//!
//! The traversal decides the order, styles, lists and cells ([`Containers`]), and replaces content that a format cannot
//! contain. A [`Dialect`] converts the calls of the traversal to elements or control words. To add a format, implement
//! the trait, and call [`blocks`] for each section, header, footer and note.

mod context;
mod dialect;
mod inlines;
mod metadata;
mod numbers;
mod relationships;
mod tab_stops;
mod walk;

pub use context::{Containers, Context};
pub use dialect::{Dialect, TableRow};
pub use metadata::{core_properties, open_metadata};
pub use numbers::{open_delimiter, open_numeral};
pub use relationships::Relationships;
pub use tab_stops::open_tab_stops;
pub use walk::{blocks, paragraph, title, within};
