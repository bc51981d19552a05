//! Sources that several formats share: plain samples, ADPCM blocks, MPEG frames, Ogg streams, and tracks that Symphonia
//! demultiplexes. Headers are read by the modules of the formats.

pub(crate) mod adpcm;
pub(crate) mod demuxed;
pub(crate) mod frames;
pub(crate) mod linear;
pub(crate) mod mpeg;
pub(crate) mod ogg;
pub(crate) mod overlay;
pub(crate) mod stored;
pub(crate) mod track;
