//! The objects that every PDF has which is written here: the file as it grows, the fonts and the pictures in it. Knows nothing of pages.

mod file;
mod font;
pub(crate) mod image;

pub(crate) use file::{File, compact, small};
#[cfg(feature = "ocr")]
pub(crate) use font::{IDENTITY, composite};
pub(crate) use font::{embed, embeds, width};
