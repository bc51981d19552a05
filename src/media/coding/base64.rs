//! Base64 as files of XML hold it (RFC 2045, 6.8): in lines. Never gives a part of what is damaged.

use base64::{
    Engine,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};

/// As Word writes it: with bits behind the last byte that belong to none.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The bytes that a text stands for, whatever white space is in it; `None` if it is no Base64.
pub fn decode(text: impl Into<Vec<u8>>) -> Option<Vec<u8>> {
    let mut text = text.into();
    text.retain(|byte| !byte.is_ascii_whitespace());
    LENIENT.decode(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_missing_padding_and_bits_too_many_are_passed_over() {
        assert_eq!(decode("SGVs\r\nbG8="), Some(b"Hello".to_vec()));
        assert_eq!(decode(" SGVsbG8"), Some(b"Hello".to_vec()));
        assert_eq!(decode("SGVsbG9="), Some(b"Hello".to_vec()));
        assert_eq!(decode("SGVs!"), None);
    }
}
