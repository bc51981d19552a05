//! Formats that are read and written through the codecs of the `image` crate. These codecs hold whole pictures in
//! memory, and have their own pixel types and errors.

pub(crate) mod moving;
pub(crate) mod read;
pub(crate) mod write;
