//! PDF (ISO 32000-2): reading and editing. Lays out no text, and decides nothing about documents.
//!
//! - [`read`]: pages as pictures, and their text. [`edit`]: pages as they are, in another PDF. `window`: pages of HTML
//!   as pictures.
//!
//! A document becomes a PDF in [`convertd_pdfwrite::document`], pictures become one in `album`.

#[cfg(feature = "pdf")]
mod converter;
#[cfg(feature = "pdf")]
pub mod edit;
#[cfg(feature = "pdf")]
pub mod read;
#[cfg(feature = "pdf")]
mod window;

#[cfg(feature = "pdf")]
pub use converter::CONVERTER;
