//! Readers and writers of the containers that several formats share; each container is walked in one place. They know
//! what a box, a chunk or a directory is, and never what its content means.

pub mod bmff;
pub mod bytes;
pub mod cfb;
pub mod ebml;
pub mod fields;
pub mod ifd;
pub mod iwa;
pub mod odf;
pub mod opc;
pub mod property_set;
pub mod riff;
pub mod xml;
pub mod zip;
