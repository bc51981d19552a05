//! Text strings (ISO 32000-2, 7.9.2.2): UTF-16 or UTF-8 with a byte order mark, otherwise PDFDocEncoding. UTF-8 without
//! the mark is accepted as well.

/// Characters of PDFDocEncoding from 0x80 to 0xa0 (annex D.2), where it differs from Latin-1.
const DOC: [char; 33] = [
    '•', '†', '‡', '…', '—', '–', 'ƒ', '⁄', '‹', '›', '−', '‰', '„', '“', '”', '‘', '’', '‚', '™',
    'ﬁ', 'ﬂ', 'Ł', 'Œ', 'Š', 'Ÿ', 'Ž', 'ı', 'ł', 'œ', 'š', 'ž', '\u{fffd}', '€',
];

/// Accents of PDFDocEncoding from 0x18 to 0x1f (annex D.2), where ASCII has control characters.
const ACCENTS: [char; 8] = [
    '\u{2d8}', '\u{2c7}', '\u{2c6}', '\u{2d9}', '\u{2dd}', '\u{2db}', '\u{2da}', '\u{2dc}',
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
            Ok(text) => text.chars().map(|c| accent(c).unwrap_or(c)).collect(),
            Err(_) => bytes.iter().map(|byte| letter(*byte)).collect(),
        },
    }
}

/// A character of PDFDocEncoding.
fn letter(byte: u8) -> char {
    match byte {
        0x80..=0xa0 => DOC[usize::from(byte - 0x80)],
        byte => accent(char::from(byte)).unwrap_or(char::from(byte)),
    }
}

/// The accent that has the code of a control character.
fn accent(c: char) -> Option<char> {
    let index = u32::from(c).checked_sub(0x18)?;
    ACCENTS.get(index as usize).copied()
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
        check(b"\x18 \x1f a", "\u{2d8} \u{2dc} a");
        check(b"caf\xe9\x1a", "café\u{2c6}");
        check("café".as_bytes(), "café");
        check(b"caf\xe9", "café");
    }
}
