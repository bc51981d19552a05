//! Decodes text: by what a file says about its encoding, or else by a guess. Knows only the encodings of the WHATWG Encoding
//! Standard, as browsers do.
//!
//! UTF-8 can be recognised reliably: text in another encoding is almost never valid UTF-8 unless it is ASCII. The other
//! encodings cannot be told apart with certainty. For them `chardetng`, Firefox's detector, judges by the frequencies of
//! pairs of letters.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

/// Bytes of an HTML file that are searched for a `<meta>` with its encoding, as in browsers.
const PRESCAN: usize = 1024;

/// Bytes of a file that a guess looks at. More do not make it better.
const GUESSED: usize = 1 << 20;

/// Decodes a plain text.
pub(crate) fn decode(bytes: Vec<u8>) -> String {
    let encoding =
        Encoding::for_bom(&bytes).map_or_else(|| guess(&bytes), |(encoding, _)| encoding);
    decode_as(encoding, bytes)
}

/// Decodes an HTML file: by its byte order mark, by a `<meta>` or an XML declaration in its first kilobyte, or by a guess
/// (HTML, 13.2.3.2).
pub(crate) fn decode_html(bytes: Vec<u8>) -> String {
    let encoding = Encoding::for_bom(&bytes)
        .map(|(encoding, _)| encoding)
        .or_else(|| declared(&bytes[..bytes.len().min(PRESCAN)]))
        .unwrap_or_else(|| guess(&bytes));
    decode_as(encoding, bytes)
}

/// Bytes that are no character become U+FFFD. A text that is UTF-8 already is not copied.
fn decode_as(encoding: &'static Encoding, bytes: Vec<u8>) -> String {
    if encoding == UTF_8 && !bytes.starts_with(b"\xef\xbb\xbf") {
        return match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(err) => String::from_utf8_lossy(err.as_bytes()).into_owned(),
        };
    }
    encoding.decode(&bytes).0.into_owned()
}

fn guess(bytes: &[u8]) -> &'static Encoding {
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

/// Recognises UTF-16 without a byte order mark: in mostly Latin text every other byte is zero, which occurs in no other
/// encoding.
fn guess_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
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

/// The encoding that the beginning of an HTML file states (HTML, 13.2.3.3 "prescan a byte stream"). Searches for attributes
/// by name instead of parsing them, which gives the same result for every `<meta>` that names an encoding.
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

/// A file whose declaration could be read byte by byte is not UTF-16, whatever the declaration says.
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
    fn encodings_of_texts_are_found() {
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

    #[test]
    fn html_says_its_encoding_in_its_head() {
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
