//! From the bytes of an XML file to its characters (XML 1.0, appendix F). Refuses nothing: what is no character becomes U+FFFD.

use encoding_rs::Encoding;
use std::borrow::Cow;

/// The characters of an XML file: by its byte order mark, else by its declaration, else UTF-8. Takes as much memory again if
/// it is not UTF-8, and up to three times as much for UTF-16.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
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

/// The characters of an XML file that is not needed any further. Takes no more memory if it is UTF-8.
pub(crate) fn decode_owned(bytes: Vec<u8>) -> String {
    match String::from_utf8(bytes) {
        Ok(text) if !text.starts_with('\u{feff}') => text,
        Ok(text) => decode(text.as_bytes()).into_owned(),
        Err(err) => decode(err.as_bytes()).into_owned(),
    }
}

/// The encoding that the declaration in the first line names. One that says UTF-16 in single bytes is wrong.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let rest = bytes.strip_prefix(b"<?xml")?;
    let declaration = &rest[..memchr::memchr(b'>', &rest[..rest.len().min(256)])?];
    let at = memchr::memmem::find(declaration, b"encoding")? + 8;
    let mut quoted = declaration[at..].split(|byte| matches!(byte, b'"' | b'\''));
    let label = quoted.nth(1)?;
    Encoding::for_label(label).filter(|encoding| encoding.is_ascii_compatible())
}
