//! Text strings (ISO 32000-2, 7.9.2.2): UTF-16 or UTF-8 with a byte order mark, otherwise PDFDocEncoding. UTF-8 without
//! the mark is accepted as well.

/// Characters of PDFDocEncoding from 0x80 to 0xa0 (annex D.2), where it differs from Latin-1.
const DOC: [char; 33] = [
    '•', '†', '‡', '…', '—', '–', 'ƒ', '⁄', '‹', '›', '−', '‰', '„', '“', '”', '‘', '’', '‚', '™',
    'ﬁ', 'ﬂ', 'Ł', 'Œ', 'Š', 'Ÿ', 'Ž', 'ı', 'ł', 'œ', 'š', 'ž', '\u{fffd}', '€',
];

/// Decodes a text string.
pub(crate) fn decode(bytes: &[u8]) -> String {
    let units = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes
            .as_chunks::<2>()
            .0
            .iter()
            .map(|pair| unit(*pair))
            .collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xfe, 0xff, rest @ ..] => units(rest, u16::from_be_bytes),
        // UTF-16 in little-endian order is against the standard, but some programs write it.
        [0xff, 0xfe, rest @ ..] => units(rest, u16::from_le_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        // Some programs leave out the byte order mark of UTF-8. Other text in PDFDocEncoding is hardly ever valid
        // UTF-8, unless it is ASCII.
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().map(|byte| letter(*byte)).collect(),
        },
    }
}

/// A character of PDFDocEncoding, except that the accents from 0x18 to 0x1f are not decoded.
fn letter(byte: u8) -> char {
    match byte {
        0x80..=0xa0 => DOC[usize::from(byte - 0x80)],
        byte => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn strings_are_decoded_by_their_mark() {
        #[track_caller]
        fn check(bytes: &[u8], expected: &str) {
            assert_eq!(decode(bytes), expected);
        }
        check(b"plain \xe9 \x93 \xa0", "plain é ﬁ €");
        check(b"\xfe\xff\0a\x20\xac", "a€");
        check(b"\xff\xfea\0\xac\x20", "a€");
        check(b"\xef\xbb\xbf\xe2\x82\xac", "€");
        check(b"\xfe\xff\0", "");
        check("café".as_bytes(), "café");
        check(b"caf\xe9", "café");
    }
}
