//! Text that is in pictures: what is done with a page once `convertd-ocr` has read it.

pub(crate) mod glyphless;
pub(crate) mod layer;
