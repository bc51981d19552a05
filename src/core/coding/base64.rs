//! Decodes Base64 in lines, as XML files and the comments of audio files contain it (RFC 2045, 6.8). Never returns a
//! part of damaged data.

use base64::{
    Engine,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};

/// Decoder that accepts text without its padding characters. It also accepts nonzero bits after the last byte, which
/// Word writes.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Decodes a text, ignoring its white space; `None` if it is not Base64.
pub fn decode(text: impl Into<Vec<u8>>) -> Option<Vec<u8>> {
    let mut text = text.into();
    text.retain(|byte| !byte.is_ascii_whitespace());
    LENIENT.decode(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_missing_padding_and_extra_bits_are_accepted() {
        assert_eq!(decode("SGVs\r\nbG8="), Some(b"Hello".to_vec()));
        assert_eq!(decode(" SGVsbG8"), Some(b"Hello".to_vec()));
        assert_eq!(decode("SGVsbG9="), Some(b"Hello".to_vec()));
        assert_eq!(decode("SGVs!"), None);
    }
}
