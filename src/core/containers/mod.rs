//! Readers and writers of the containers that several formats share; the code for each container is in one module. The
//! modules know the structure of a box, a chunk or a directory, but not the meaning of its content.

pub mod bmff;
pub mod bytes;
pub mod cfb;
pub mod ebml;
pub mod fields;
pub mod ifd;
pub mod iwa;
pub mod mime;
pub mod odf;
pub mod opc;
pub mod property_set;
pub mod riff;
pub mod xml;
pub mod zip;
