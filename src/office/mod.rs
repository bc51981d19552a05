//! What office files of every kind hold, whatever else is in them. Knows no document, sheet or slide.

#[cfg(feature = "presentation")]
pub(crate) mod drawing;
pub(crate) mod number_format;
pub(crate) mod time;
