//! Formats that are read and written through the codecs of the `image` crate: they hold whole pictures, and know pixel
//! types and errors of their own.

pub(crate) mod moving;
pub(crate) mod read;
pub(crate) mod write;
