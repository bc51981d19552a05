//! Objects of a PDF: the file that is being written, its fonts and its images. Does not depend on pages.

mod file;
mod font;
pub mod image;
mod outline;

pub use file::{File, compact, small};
pub use font::{IDENTITY, composite, embed, embeds, width};
pub use outline::{OutlineEntry, outline};
