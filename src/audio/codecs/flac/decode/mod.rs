//! Decodes the bytes of a FLAC frame into samples. The stream around the frame is read elsewhere.

pub(crate) mod bits;
pub(crate) mod frame;
pub(crate) mod subframe;
