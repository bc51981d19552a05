//! PDF (ISO 32000-2): everything that knows what one is made of. Lays out no text, and decides nothing about documents.
//!
//! - [`object`]: the file as it is written, with fonts and pictures in it. [`content`]: what pages are drawn with. [`draw`]: drawings
//!   (SVG) in a file.
//! - [`read`]: pages as pictures, and their text. [`edit`]: pages as they are, in another PDF. `window`: pages of HTML as pictures.
//!
//! A document becomes a PDF in [`document::formats::pdf`](crate::document), pictures become one in `album`.

#[cfg(feature = "document")]
pub(crate) mod content;
#[cfg(feature = "pdf")]
mod converter;
#[cfg(all(feature = "document", feature = "svg"))]
pub(crate) mod draw;
#[cfg(feature = "pdf")]
pub mod edit;
#[cfg(feature = "document")]
pub(crate) mod object;
#[cfg(feature = "pdf")]
pub mod read;
#[cfg(feature = "ocr")]
pub(crate) mod scan;
#[cfg(feature = "pdf")]
mod window;

#[cfg(feature = "pdf")]
pub use converter::CONVERTER;
