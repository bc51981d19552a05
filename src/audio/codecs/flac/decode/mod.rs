//! Decodes the bytes of a FLAC frame into samples. [`Flac`](super::decoder::Flac) decodes whole streams.

pub(crate) mod bits;
pub(crate) mod frame;
pub(crate) mod subframe;
