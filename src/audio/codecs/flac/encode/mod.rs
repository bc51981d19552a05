//! Encodes samples into the bytes of a FLAC frame. The stream around the frame is written elsewhere.

pub(crate) mod bits;
pub(crate) mod frame;
mod predict;
mod rice;
pub(crate) mod subframe;
