//! What every PDF has that is written here: the file as it grows, and fonts in it. Knows nothing of pages.

mod file;
mod font;

pub(crate) use file::{File, compact, small};
pub(crate) use font::{Font, width};
