//! Identifiers in paths, as clients write them. They are parsed before any other use, so no unchecked text ever becomes
//! a file name.

use super::query::percent_decode;
use crate::id::ConversionId;

/// Limit on the part of a malformed identifier that the answer repeats, in characters.
const MAX_ECHO: usize = 256;

/// An identifier as a client wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Id(ConversionId),
    /// A text that is not an identifier of this service. It is kept only for the answer.
    Malformed(String),
}

impl Named {
    /// Reads one segment of a path.
    pub(super) fn parse(segment: &str) -> Self {
        match segment.parse() {
            Ok(id) => Self::Id(id),
            Err(_) => Self::Malformed(percent_decode(segment).chars().take(MAX_ECHO).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_path_segments_are_malformed_identifiers() {
        let id = "a5f0c1de-0b7c-4f0e-9a3b-0123456789ab";
        assert_eq!(Named::parse(id), Named::Id(id.parse().unwrap()));
        for (segment, repeated) in [("", ""), ("%2e%2E", ".."), ("%zz%", "%zz%")] {
            assert_eq!(Named::parse(segment), Named::Malformed(repeated.into()));
        }
    }
}
