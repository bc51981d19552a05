//! Decodes HTML files, in the encoding that a file declares, or else in a guessed encoding. Supports only the encodings
//! of the WHATWG Encoding Standard, as browsers do.

use crate::coding::encoding::{decode_as, guess};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

/// Number of bytes at the beginning of an HTML file that are searched for a declaration of its encoding, as in
/// browsers.
const PRESCAN: usize = 1024;

/// Decodes an HTML file: by its byte order mark, by a `<meta>` or an XML declaration in its first kilobyte, or by a
/// guess (HTML, 13.2.3.2).
pub fn decode_html(bytes: Vec<u8>) -> String {
    let encoding = Encoding::for_bom(&bytes)
        .map(|(encoding, _)| encoding)
        .or_else(|| declared(&bytes[..bytes.len().min(PRESCAN)]))
        .unwrap_or_else(|| guess(&bytes));
    decode_as(encoding, bytes)
}

/// The encoding that the beginning of an HTML file states (HTML, 13.2.3.3 "prescan a byte stream"). Searches for
/// attributes by name instead of parsing them, which gives the same result for a `<meta>` in one of the usual forms.
fn declared(head: &[u8]) -> Option<&'static Encoding> {
    let mut rest = head;
    if let Some(declaration) = rest.strip_prefix(b"<?xml") {
        let end = memchr::memchr(b'>', declaration)?;
        if let Some(label) = value_of(&declaration[..end], b"encoding") {
            return for_label(label);
        }
    }
    while let Some(at) = memchr::memchr(b'<', rest) {
        rest = &rest[at + 1..];
        if let Some(comment) = rest.strip_prefix(b"!--") {
            let end = memchr::memmem::find(comment, b"-->").unwrap_or(comment.len());
            rest = &comment[end..];
        } else if rest.len() > 5
            && rest[..4].eq_ignore_ascii_case(b"meta")
            && (rest[4].is_ascii_whitespace() || rest[4] == b'/')
        {
            let end = memchr::memchr(b'>', rest).unwrap_or(rest.len());
            let found = value_of(&rest[4..end], b"charset").and_then(for_label);
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// The value after `name` and `=`, with or without quotes. Also finds `charset=` inside the value of `content`.
fn value_of<'a>(attributes: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let mut at = 0;
    loop {
        let rest = attributes.get(at..)?;
        let found = rest
            .windows(name.len())
            .position(|window| window.eq_ignore_ascii_case(name))?;
        let value = rest[found + name.len()..].trim_ascii_start();
        at += found + name.len();
        let Some(value) = value.strip_prefix(b"=") else {
            continue;
        };
        let value = value.trim_ascii_start();
        let (value, ends): (_, &[u8]) = match value.first()? {
            quote @ (b'"' | b'\'') => (&value[1..], std::slice::from_ref(quote)),
            _ => (value, b" \t\r\n;/\"'?>"),
        };
        let end = value.iter().position(|byte| ends.contains(byte));
        return Some(value[..end.unwrap_or(value.len())].trim_ascii());
    }
}

/// Finds an encoding by its label. UTF-16 becomes UTF-8, because the declaration itself was readable byte by byte, and
/// x-user-defined becomes windows-1252 (HTML, 13.2.3.3).
fn for_label(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label)?;
    Some(match encoding {
        _ if encoding == UTF_16LE || encoding == UTF_16BE => UTF_8,
        _ if encoding == X_USER_DEFINED => WINDOWS_1252,
        _ => encoding,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_declares_its_encoding_in_its_head() {
        #[track_caller]
        fn check(head: &[u8], expected: Option<&str>) {
            assert_eq!(declared(head).map(Encoding::name), expected);
        }
        check(b"<meta charset=utf-8>", Some("UTF-8"));
        check(b"<html><META CharSet = 'koi8-r'>", Some("KOI8-R"));
        check(
            b"<meta http-equiv=content-type content=\"text/html; charset=iso-8859-1\">",
            Some("windows-1252"),
        );
        check(
            b"<!-- <meta charset=koi8-r> --><meta charset=gbk>",
            Some("GBK"),
        );
        check(b"<metal charset=gbk>", None);
        check(b"<meta charset=nonsense><meta charset=gbk>", Some("GBK"));
        check(b"<meta charset=utf-16>", Some("UTF-8"));
        check(
            b"<?xml version='1.0' encoding='iso-8859-2'?>",
            Some("ISO-8859-2"),
        );
        check(b"<meta charset", None);
        check(b"charset=gbk", None);
    }
}
