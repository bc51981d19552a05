//! Parts that office files of every kind share: drawings, charts, number formats, encryption. Knows no document, sheet or slide.

#[cfg(feature = "document")]
pub(crate) mod art;
#[cfg(feature = "document")]
#[cfg_attr(not(feature = "presentation"), allow(dead_code, unused_imports))]
pub(crate) mod drawing;
#[cfg(feature = "document")]
pub(crate) mod flat;
pub mod locked;
// Charts need less of numbers and dates than sheets do.
#[cfg_attr(not(feature = "spreadsheet"), allow(dead_code))]
pub(crate) mod number_format;
#[cfg_attr(not(feature = "spreadsheet"), allow(dead_code))]
pub(crate) mod time;
