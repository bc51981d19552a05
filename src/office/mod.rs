//! What office files of every kind hold, whatever else is in them. Knows no document, sheet or slide.

#[cfg(feature = "document")]
pub(crate) mod art;
#[cfg(any(
    feature = "presentation",
    all(feature = "spreadsheet", feature = "document")
))]
#[cfg_attr(not(feature = "presentation"), allow(dead_code, unused_imports))]
pub(crate) mod drawing;
pub(crate) mod number_format;
pub(crate) mod time;
