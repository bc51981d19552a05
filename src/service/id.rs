//! Identifiers of conversions. Made only from the operating system's random numbers, so that they cannot be guessed.

use crate::error::{Error, Kind, Result};
use crate::random;
use std::{fmt, str::FromStr};

/// A version 4 UUID (RFC 9562, section 5.4): 122 random bits, lower case, hyphenated.
///
/// An identifier is all that a client needs to download the result, so `Debug` and the log show only the first group of
/// digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConversionId([u8; 16]);

impl ConversionId {
    /// The length of the textual form in bytes.
    pub const LEN: usize = 36;

    /// Draws a new identifier.
    ///
    /// Errors: [`Kind::Internal`] if the operating system provides no random numbers.
    pub fn random() -> Result<Self> {
        let mut bytes: [u8; 16] = random::bytes()?;
        bytes[6] = (bytes[6] & 0x0f) | 0x40;
        bytes[8] = (bytes[8] & 0x3f) | 0x80;
        Ok(Self(bytes))
    }

    /// The same bits as a number.
    pub fn number(&self) -> u128 {
        u128::from_be_bytes(self.0)
    }

    /// The first eight digits: enough to follow a conversion in the log, too few to download it.
    pub fn short(&self) -> String {
        self.to_string()[..8].to_owned()
    }
}

impl fmt::Display for ConversionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, byte) in self.0.iter().enumerate() {
            if matches!(i, 4 | 6 | 8 | 10) {
                f.write_str("-")?;
            }
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for ConversionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}…", self.short())
    }
}

impl FromStr for ConversionId {
    type Err = Error;

    /// Accepts exactly what `Display` writes.
    ///
    /// Errors: [`Kind::NotFound`] for everything else.
    fn from_str(text: &str) -> Result<Self> {
        let malformed = || Error::new(Kind::NotFound, "not a conversion identifier");
        let digits = text.as_bytes();
        if digits.len() != Self::LEN || [8, 13, 18, 23].iter().any(|&at| digits[at] != b'-') {
            return Err(malformed());
        }
        let mut nibbles = digits.iter().filter(|&&c| c != b'-').map(|&c| match c {
            b'0'..=b'9' => Some(c - b'0'),
            b'a'..=b'f' => Some(c - b'a' + 10),
            _ => None,
        });
        let mut bytes = [0; 16];
        for byte in &mut bytes {
            let (Some(Some(high)), Some(Some(low))) = (nibbles.next(), nibbles.next()) else {
                return Err(malformed());
            };
            *byte = high << 4 | low;
        }
        let id = Self(bytes);
        let version_4 = bytes[6] >> 4 == 4 && bytes[8] >> 6 == 0b10;
        if nibbles.next().is_some() || !version_4 {
            Err(malformed())
        } else {
            Ok(id)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_round_trip_through_text() {
        let id = ConversionId::random().unwrap();
        assert_eq!(id.to_string().parse::<ConversionId>().unwrap(), id);
        assert_ne!(id, ConversionId::random().unwrap());
    }

    #[test]
    fn other_spellings_of_an_identifier_are_rejected() {
        #[track_caller]
        fn check(text: &str) {
            assert!(
                text.parse::<ConversionId>().is_err(),
                "{text:?} was accepted"
            );
        }
        check("");
        check("..");
        check("%2e%2e");
        check("a5f0c1de-0b7c-4f0e-9a3b-0123456789a");
        check("a5f0c1de-0b7c-4f0e-9a3b-0123456789abc");
        check("A5F0C1DE-0B7C-4F0E-9A3B-0123456789AB");
        check("a5f0c1de-0b7c-1f0e-9a3b-0123456789ab");
        check("a5f0c1de-0b7c-4f0e-1a3b-0123456789ab");
        check("a5f0c1de00b7c-4f0e-9a3b-0123456789ab");
        check("a5f0c1de-0b7c-4f0e-9a3b--123456789ab");
        check("../../../../../../../../../etc/passw");
    }

    #[test]
    fn debug_output_shows_only_the_beginning_of_an_identifier() {
        let id = ConversionId::random().unwrap();
        assert!(!format!("{id:?}").contains(&id.to_string()[9..]));
    }
}
