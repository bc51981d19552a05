//! What every PDF has that is written here: the file as it grows, fonts in it, and glyphs on its pages. Knows nothing of pages.

mod file;
mod font;
mod glyphs;

pub(crate) use file::{File, compact, small};
pub(crate) use font::{Font, width};
pub(crate) use glyphs::Glyphs;
