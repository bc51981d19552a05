//! The objects that every PDF has which is written here: the file as it grows, the fonts and the pictures in it. Knows nothing of pages.

mod file;
mod font;
pub mod image;

pub use file::{File, compact, small};
pub use font::{IDENTITY, composite, embed, embeds, width};
