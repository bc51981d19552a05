//! Text recognition: a page of grey pixels becomes lines of words, each with its position and a confidence.
//!
//! - [`languages`]: languages by name, and the files of their models.
//! - [`read`](mod@read): reads pages. [`layout`]: finds the lines of ink on a page. [`assemble`]: makes words of the
//!   symbols on lines. [`raster`]: turns, straightens and scales pages.
//! - [`page`]: the types that callers see: pages, lines, words, rectangles.
//! - [`traineddata`]: the files of Tesseract's models. [`line`](mod@line): prepares the picture of a line for the
//!   [`network`]. [`beam`]: decodes the network's probabilities to characters. [`model`] runs these steps; a
//!   [`reading`] is the result.
//!
//! Never: knowledge of documents, of PDF or of picture formats; opening files; memory without a lease if a file
//! determines its size; results that depend on the processor.

mod assemble;
mod beam;
pub mod languages;
mod layout;
mod line;
mod model;
mod network;
pub mod page;
#[cfg(test)]
mod page_tests;
pub mod raster;
mod read;
mod reading;
mod traineddata;

pub use line::LineImage;
pub use model::{Model, Scratch};
pub use page::{Baseline, Line, Page, Rect, Text, Turn, Word};
pub use read::{Choice, MAX_SIDE, Settings, read};
pub use reading::{Reading, Symbol, confidence};
pub use traineddata::unicharset::Direction;

#[cfg(test)]
mod tests;
