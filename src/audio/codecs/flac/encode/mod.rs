//! Encodes samples into the bytes of a FLAC frame. `crate::formats` writes the stream around the frame.

pub(crate) mod bits;
pub(crate) mod frame;
mod predict;
mod rice;
pub(crate) mod subframe;
