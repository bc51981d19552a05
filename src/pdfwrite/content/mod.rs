//! Parts of content streams (ISO 32000-2, 7.8.2), the operators that draw a page. Depends on neither documents nor
//! drawings.

mod glyphs;

pub use glyphs::Glyphs;
