//! Undoes the transformations of packets in a container, such as compression. Decodes no packet.

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use std::borrow::Cow;

/// The longest packet that is unpacked, in bytes.
pub(crate) const MAX_UNPACKED: u64 = 1 << 20;

/// Step that restores each packet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Stored {
    #[default]
    Plain,
    /// Unpack it (zlib, RFC 1950).
    Zlib,
    /// Prepend these bytes, with which all packets begin.
    Prefix(Vec<u8>),
}

impl Stored {
    /// Restores a packet as the encoder made it. Empty if it cannot be unpacked.
    pub(crate) fn restored<'a>(&self, data: &'a [u8]) -> Cow<'a, [u8]> {
        match self {
            Self::Plain => Cow::Borrowed(data),
            Self::Zlib => {
                let unpacked = decompress_to_vec_zlib_with_limit(data, MAX_UNPACKED as usize);
                Cow::Owned(unpacked.unwrap_or_default())
            }
            Self::Prefix(bytes) => Cow::Owned([bytes, data].concat()),
        }
    }
}
