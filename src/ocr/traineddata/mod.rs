//! The parts of a model's file (`LANG.traineddata`), except the network. Reads no line.
//!
//! - [`container`]: the table of parts. [`fields`]: numbers and strings of a part.
//! - [`unicharset`]: the characters. [`recoder`]: the network's outputs that make up each character. [`dawg`]: lists of
//!   words.

pub(crate) mod container;
pub(crate) mod dawg;
pub(crate) mod fields;
pub(crate) mod recoder;
pub(crate) mod unicharset;

use convertd_core::error::{Error, Kind};

/// The error for an unusable model. `what` is the reason, as a clause with the model as its subject.
pub(crate) fn unusable(what: impl AsRef<str>) -> Error {
    let text = format!("the OCR model cannot be used: {}", what.as_ref());
    Error::new(Kind::BadInput, text)
}
