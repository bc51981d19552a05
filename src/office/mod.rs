//! What office files of every kind hold, whatever else is in them. Knows no document, sheet or slide.

pub(crate) mod drawing;
