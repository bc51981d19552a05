//! Formulas in MathML Core (W3C), as HTML, EPUB and OpenDocument have them.

mod gather;
mod part;
mod read;
mod write;

pub(crate) use gather::Gather;
pub(crate) use write::write;
