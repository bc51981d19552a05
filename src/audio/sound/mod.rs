//! Samples, and the operations on them between a source and a sink, independent of file formats and codecs.

pub(crate) mod adapt;
pub(crate) mod bytes;
pub(crate) mod channels;
pub(crate) mod mix;
pub(crate) mod pcm;
pub(crate) mod resample;
