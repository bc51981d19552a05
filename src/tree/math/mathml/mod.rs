//! Formulas in MathML Core (W3C), as used by HTML, EPUB and OpenDocument. Contains no code of its own.

mod gather;
mod part;
mod read;
mod write;

pub use gather::Gather;
pub use write::write;
