//! The objects that every PDF has which is written here: the file as it grows, the fonts and the pictures in it. Knows nothing of pages.

mod file;
mod font;
pub(crate) mod image;

pub(crate) use file::{File, compact, small};
pub(crate) use font::{embed, embeds, width};
