//! Transformations by which a container stores the packets of a track. Decodes none.

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use std::borrow::Cow;

/// The longest packet that is unpacked, in bytes.
pub(crate) const MAX_UNPACKED: u64 = 1 << 20;

/// Steps that restore each packet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Stored {
    #[default]
    Plain,
    /// Unpack it (zlib, RFC 1950).
    Zlib,
    /// Put these bytes before it, with which all packets begin.
    Behind(Vec<u8>),
}

impl Stored {
    /// A packet as the encoder made it. Nothing, if it cannot be unpacked.
    pub(crate) fn restored<'a>(&self, data: &'a [u8]) -> Cow<'a, [u8]> {
        match self {
            Self::Plain => Cow::Borrowed(data),
            Self::Zlib => {
                let unpacked = decompress_to_vec_zlib_with_limit(data, MAX_UNPACKED as usize);
                Cow::Owned(unpacked.unwrap_or_default())
            }
            Self::Behind(bytes) => Cow::Owned([bytes, data].concat()),
        }
    }
}
