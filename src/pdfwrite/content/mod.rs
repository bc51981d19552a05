//! Content streams (ISO 32000-2, 7.8.2): the operators that draw a page. Knows nothing of the drawn things.

mod glyphs;

pub use glyphs::Glyphs;
