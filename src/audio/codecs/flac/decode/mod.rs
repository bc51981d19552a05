//! Decodes the bytes of a FLAC frame into samples. Knows nothing of the stream around the frame.

pub(crate) mod bits;
pub(crate) mod frame;
pub(crate) mod subframe;
