//! FLAC (RFC 9639): frames into samples and back. The files around them, and Ogg, Matroska and MP4, are elsewhere.

pub(crate) mod crc;
pub(crate) mod decode;
pub(crate) mod decoder;
pub(crate) mod encode;
