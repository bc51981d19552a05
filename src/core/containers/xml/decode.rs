//! Decodes the bytes of an XML file into characters (XML 1.0, appendix F). Never fails: bytes that are not characters
//! become U+FFFD.

use encoding_rs::Encoding;
use std::borrow::Cow;

/// Decodes a file by its byte order mark, by a zero byte before or after its first `<`, or by its XML declaration, and
/// otherwise as UTF-8. A file that is not valid UTF-8 is copied. The copy takes up to one and a half times the length
/// of the file if it is UTF-16, and up to three times in other encodings.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark..]).0;
    }
    let encoding = match bytes {
        [0, b'<', ..] => encoding_rs::UTF_16BE,
        [b'<', 0, ..] => encoding_rs::UTF_16LE,
        _ => declared(bytes).unwrap_or(encoding_rs::UTF_8),
    };
    encoding.decode_without_bom_handling(bytes).0
}

/// Decodes a file whose bytes are not needed afterwards. A UTF-8 file without a byte order mark is not copied. A file
/// with a zero byte among the first two bytes does not count as UTF-8, because UTF-16 of Latin letters is valid UTF-8
/// as well.
pub fn decode_owned(bytes: Vec<u8>) -> String {
    match String::from_utf8(bytes) {
        Ok(text)
            if !text.starts_with('\u{feff}') && !text.bytes().take(2).any(|byte| byte == 0) =>
        {
            text
        }
        Ok(text) => decode(text.as_bytes()).into_owned(),
        Err(err) => decode(err.as_bytes()).into_owned(),
    }
}

/// The encoding that the XML declaration names. A declaration of UTF-16 is ignored: it must be wrong, because its own
/// letters were read as single bytes.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let rest = bytes.strip_prefix(b"<?xml")?;
    let declaration = &rest[..memchr::memchr(b'>', &rest[..rest.len().min(256)])?];
    let at = memchr::memmem::find(declaration, b"encoding")? + 8;
    let mut quoted = declaration[at..].split(|byte| matches!(byte, b'"' | b'\''));
    let label = quoted.nth(1)?;
    Encoding::for_label(label).filter(|encoding| encoding.is_ascii_compatible())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf16_needs_no_byte_order_mark() {
        let text = "<?xml version=\"1.0\"?><a>1</a>";
        let wide = || text.encode_utf16();
        let files = [
            text.as_bytes().to_vec(),
            wide().flat_map(u16::to_be_bytes).collect(),
            wide().flat_map(u16::to_le_bytes).collect(),
        ];
        for file in files {
            assert_eq!(decode(&file), text);
            assert_eq!(decode_owned(file), text);
        }
    }
}
