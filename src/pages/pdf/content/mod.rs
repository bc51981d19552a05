//! Content streams (ISO 32000-2, 7.8.2): the operators that draw a page. Knows nothing of what is drawn.

mod glyphs;

pub(crate) use glyphs::Glyphs;
