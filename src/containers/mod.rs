//! Containers that several formats share, each walked in one place. Know what a box, a chunk or a directory is, and
//! nothing of what stands in it.

pub(crate) mod bmff;
pub(crate) mod bytes;
#[cfg(feature = "audio")]
pub(crate) mod ebml;
pub(crate) mod ifd;
#[cfg(feature = "audio")]
pub(crate) mod ogg;
pub(crate) mod riff;
#[cfg(feature = "document")]
pub(crate) mod xml;
#[cfg(feature = "document")]
pub(crate) mod zip;
