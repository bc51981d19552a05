//! Characters of text files: finds out their encoding and decodes them. Supports only the encodings of the WHATWG
//! Encoding Standard, as browsers do.
//!
//! UTF-8 can be recognised reliably: text in another encoding is almost never valid UTF-8 unless it is ASCII. UTF-16
//! has a byte order mark or, in Latin text, many zero bytes. The other encodings cannot be told apart with certainty.
//! For them `chardetng`, Firefox's detector, judges by the frequencies of pairs of letters.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// Number of bytes at the beginning of a text that `chardetng` examines. More bytes do not improve its guess.
const GUESSED: usize = 1 << 20;

/// Returns whether a text begins with the byte order mark of UTF-16.
pub fn is_wide(head: &[u8]) -> bool {
    head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff")
}

/// Decodes a plain text.
pub fn decode(bytes: Vec<u8>) -> String {
    let encoding =
        Encoding::for_bom(&bytes).map_or_else(|| guess(&bytes), |(encoding, _)| encoding);
    decode_as(encoding, bytes)
}

/// Decodes a text by this encoding. A byte order mark in the text overrides any encoding except UTF-8. Bytes that are
/// not characters become U+FFFD. Valid UTF-8 without a byte order mark is not copied.
pub fn decode_as(encoding: &'static Encoding, bytes: Vec<u8>) -> String {
    if encoding == UTF_8 && !bytes.starts_with(b"\xef\xbb\xbf") {
        return match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(err) => String::from_utf8_lossy(err.as_bytes()).into_owned(),
        };
    }
    encoding.decode(&bytes).0.into_owned()
}

/// Guesses the encoding of a text without a byte order mark. The text counts as UTF-8 if all of `bytes` is valid;
/// otherwise only its beginning is examined.
pub fn guess(bytes: &[u8]) -> &'static Encoding {
    if std::str::from_utf8(bytes).is_ok() {
        return UTF_8;
    }
    if let Some(encoding) = guess_utf16(bytes) {
        return encoding;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(&bytes[..bytes.len().min(GUESSED)], true);
    detector.guess(None, Utf8Detection::Allow)
}

/// Recognises UTF-16 without a byte order mark: in mostly Latin text most of the high bytes are zero, while text in
/// other encodings has hardly any zero bytes.
pub fn guess_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(4096) & !1];
    let zeros = |first: usize| {
        head.iter()
            .skip(first)
            .step_by(2)
            .filter(|byte| **byte == 0)
            .count()
    };
    let (even, odd) = (zeros(0), zeros(1));
    let many = head.len() / 4;
    match () {
        () if head.is_empty() => None,
        () if odd > many && even * 8 < odd => Some(UTF_16LE),
        () if even > many && odd * 8 < even => Some(UTF_16BE),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_of_texts_are_recognised() {
        #[track_caller]
        fn check(bytes: &[u8], expected: &str) {
            assert_eq!(decode(bytes.to_vec()), expected);
        }
        check(b"", "");
        check("plain, größer, 日本".as_bytes(), "plain, größer, 日本");
        check(b"\xef\xbb\xbfa", "a");
        check(b"\xff\xfea\0\xfc\0", "aü");
        check(b"\xfe\xff\0a\0\xfc", "aü");
        check(b"M\0\xfc\0n\0c\0h\0e\0n\0", "München");
        check(
            b"Gr\xfc\xdfe aus M\xfcnchen, sch\xf6ne Zeit",
            "Grüße aus München, schöne Zeit",
        );
        check(
            b"\xcf\xf0\xe8\xe2\xe5\xf2, \xea\xe0\xea \xe4\xe5\xeb\xe0? \xd5\xee\xf0\xee\xf8\xee.",
            "Привет, как дела? Хорошо.",
        );
        check(
            b"\x93\xfa\x96{\x8c\xea\x82\xcc\x83e\x83L\x83X\x83g",
            "日本語のテキスト",
        );
    }
}
