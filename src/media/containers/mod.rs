//! Readers and writers of the containers that several formats share; each container is walked in one place. They know what a
//! box, a chunk or a directory is, and never what its content means.

pub(crate) mod bmff;
pub mod bytes;
#[cfg(any(feature = "document", feature = "spreadsheet"))]
#[cfg_attr(
    not(all(feature = "document", feature = "spreadsheet")),
    allow(dead_code)
)]
pub mod cfb;
#[cfg(feature = "audio")]
pub(crate) mod ebml;
#[cfg(any(feature = "document", feature = "spreadsheet"))]
#[cfg_attr(not(feature = "document"), allow(dead_code))]
pub mod fields;
pub(crate) mod ifd;
#[cfg(feature = "document")]
pub mod odf;
#[cfg(feature = "audio")]
pub(crate) mod ogg;
#[cfg(feature = "document")]
pub mod opc;
#[cfg(feature = "document")]
pub mod property_set;
pub(crate) mod riff;
#[cfg(any(feature = "document", feature = "spreadsheet"))]
pub mod xml;
pub mod zip;
