//! Encoded texts and bodies of mail: encoded words (RFC 2047), base64, quoted-printable and character sets. Parses no
//! field.

use super::lines::next_line;
use crate::coding::{
    self,
    encoding::{decode_as, guess},
};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// Decodes the encoded words in a text: `=?charset?B?…?=` (RFC 2047). White space between two encoded words is ignored
/// (6.2).
///
/// Some programs split a character between two words. Therefore the bytes of adjacent words of one charset are
/// collected in `waiting`, and decoded together.
pub(super) fn decoded(text: &str) -> String {
    let mut out = String::new();
    let mut waiting: Option<(String, Vec<u8>)> = None;
    let mut rest = text;
    while let Some(at) = rest.find("=?") {
        let (before, word) = rest.split_at(at);
        let Some((charset, bytes, after)) = encoded_word(word) else {
            flush(&mut waiting, &mut out);
            // No encoded word begins here: the two characters are text.
            out.push_str(&rest[..at + 2]);
            rest = &rest[at + 2..];
            continue;
        };
        if waiting.is_none() || !before.trim().is_empty() {
            flush(&mut waiting, &mut out);
            out.push_str(before);
        }
        match &mut waiting {
            Some((known, collected)) if known.eq_ignore_ascii_case(charset) => {
                collected.extend(bytes)
            }
            _ => {
                flush(&mut waiting, &mut out);
                waiting = Some((charset.to_owned(), bytes));
            }
        }
        rest = after;
    }
    flush(&mut waiting, &mut out);
    out.push_str(rest);
    // A decoded word may contain line breaks, by which a mail could forge another field. So control characters are
    // dropped.
    out.retain(|c| !c.is_control() || c == '\t');
    out
}

/// Decodes the collected bytes of adjacent encoded words, and appends the text.
fn flush(waiting: &mut Option<(String, Vec<u8>)>, out: &mut String) {
    if let Some((charset, bytes)) = waiting.take() {
        out.push_str(&in_charset(&charset, bytes));
    }
}

/// Splits an encoded word into charset and decoded bytes, and returns the text after it. `None` if the syntax or the
/// encoding is not that of RFC 2047.
fn encoded_word(word: &str) -> Option<(&str, Vec<u8>, &str)> {
    let mut parts = word[2..].splitn(3, '?');
    let (charset, encoding, after) = (parts.next()?, parts.next()?, parts.next()?);
    let (content, after) = after.split_once("?=")?;
    let bytes = match encoding {
        "B" | "b" => base64(content.as_bytes()).0,
        // The "Q" encoding is quoted-printable with `_` for a space (RFC 2047, 4.2).
        "Q" | "q" => quoted_printable(content.replace('_', " ").as_bytes()),
        _ => return None,
    };
    // A language may follow the charset (RFC 2231, section 5).
    let charset = charset.split('*').next()?;
    Some((charset, bytes, after))
}

/// Decodes Base64 (RFC 2045, 6.8), and returns whether the text was valid. Characters outside the alphabet are skipped.
/// After padding, decoding starts again, because some programs encode a body in pieces and concatenate the results.
pub(super) fn base64(text: &[u8]) -> (Vec<u8>, bool) {
    let is_digit = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let mut is_valid = true;
    for piece in text.split(|byte| *byte == b'=') {
        let mut digits: Vec<u8> = piece.iter().filter(is_digit).copied().collect();
        let spaces = piece.iter().filter(|byte| byte.is_ascii_whitespace());
        is_valid &= digits.len() + spaces.count() == piece.len();
        // A single digit at the end has only 6 bits, less than a byte, so it is dropped.
        if digits.len() % 4 == 1 {
            digits.pop();
            is_valid = false;
        }
        match coding::base64::decode(digits) {
            Some(bytes) => out.extend(bytes),
            None => is_valid = false,
        }
    }
    (out, is_valid)
}

/// Decodes quoted-printable (RFC 2045, 6.7). Invalid escapes stay unchanged. White space before a line break is
/// removed, since only mail servers add it (rule 3), and `=` at the end of a line joins the line with the next one.
pub(super) fn quoted_printable(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let (line, after) = next_line(rest);
        let has_end = line.len() < rest.len();
        let mut line = line.trim_ascii_end();
        let is_soft = line.last() == Some(&b'=');
        if is_soft {
            line = &line[..line.len() - 1];
        } else if !has_end {
            // The last line has no end, and may be an encoded word, where a trailing space counts.
            line = rest;
        }
        while let [byte, tail @ ..] = line {
            let digit = |at: usize| tail.get(at).and_then(|digit| (*digit as char).to_digit(16));
            line = match (byte, digit(0), digit(1)) {
                (b'=', Some(high), Some(low)) => {
                    out.push((high << 4 | low) as u8);
                    &tail[2..]
                }
                _ => {
                    out.push(*byte);
                    tail
                }
            };
        }
        if has_end && !is_soft {
            out.push(b'\n');
        }
        rest = after;
    }
    out
}

/// Decodes text by its charset label. Labels that mails use, but the WHATWG Encoding Standard does not know, are mapped
/// first; the charset of any other unknown label is guessed.
pub fn in_charset(name: &str, bytes: Vec<u8>) -> String {
    let name = name.trim().trim_matches(['"', '\'']).to_ascii_lowercase();
    if matches!(
        name.as_str(),
        "utf-7" | "unicode-1-1-utf-7" | "csunicode11utf7"
    ) {
        return utf7(&bytes);
    }
    let name = match name.as_str() {
        "ks_c_5601-1987" | "ks_c_5601" => "euc-kr",
        // An empty name leads to the guess below. `us-ascii` is included because programs write it by default for any
        // bytes.
        "us-ascii" | "ascii" | "" | "default" | "unknown-8bit" | "x-unknown" => "",
        "cp932" => "shift_jis",
        "cp936" => "gbk",
        "cp1252" | "ansi" => "windows-1252",
        other => other,
    };
    let encoding = match Encoding::for_label(name.as_bytes()) {
        Some(encoding) => encoding,
        // Code pages such as `cp1251`, which the standard calls `windows-1251`.
        None => match name
            .strip_prefix("cp")
            .and_then(|page| Encoding::for_label(format!("windows-{page}").as_bytes()))
        {
            Some(encoding) => encoding,
            None => guess(&bytes),
        },
    };
    // Many programs declare `iso-8859-1` by default for any bytes, so text that is valid UTF-8 is decoded as UTF-8.
    // Text of Western Europe is hardly ever valid UTF-8 by chance: each accented letter would have to be followed by a
    // byte of the right range.
    if encoding == WINDOWS_1252 && !bytes.is_ascii() && std::str::from_utf8(&bytes).is_ok() {
        return decode_as(UTF_8, bytes);
    }
    decode_as(encoding, bytes)
}

/// Decodes UTF-7 (RFC 2152): text between `+` and `-` is UTF-16, big-endian, in Base64 without padding. `+-` is a plus
/// sign.
fn utf7(bytes: &[u8]) -> String {
    let mut out = String::new();
    let mut rest = bytes;
    while let Some(at) = memchr::memchr(b'+', rest) {
        out.push_str(&String::from_utf8_lossy(&rest[..at]));
        rest = &rest[at + 1..];
        let is_digit = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
        let len = rest.iter().take_while(is_digit).count();
        if len == 0 {
            out.push('+');
        } else {
            let (units, _) = base64(&rest[..len]);
            let units = units
                .chunks_exact(2)
                .map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
            out.extend(char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
        }
        rest = &rest[len..];
        rest = rest.strip_prefix(b"-").unwrap_or(rest);
    }
    out.push_str(&String::from_utf8_lossy(rest));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_words_are_decoded() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            assert_eq!(decoded(text), expected);
        }
        check("plain =? text", "plain =? text");
        check(
            "=?UTF-8?B?w6TDtsO8?= =?utf-8?q?_x=C3?= =?utf-8?Q?=9F?=",
            "äöü xß",
        );
        check("=?iso-8859-1?Q?caf=E9?= bar", "café bar");
        check("=?utf-8*de?q?a?=", "a");
        check("=?x?Z?a?=", "=?x?Z?a?=");
        check("=?utf-8?q?a\u{1}b?=", "ab");
    }

    #[test]
    fn odd_encodings_are_read() {
        assert_eq!(base64(b"w6Q=\r\n w6Q"), ("ää".into(), true));
        assert_eq!(base64(b"w6Q=\r\n!w6Q"), ("ää".into(), false));
        assert_eq!(base64(b"w6Qx"), ("ä1".into(), true));
        assert_eq!(base64(b"w6Qxw"), ("ä1".into(), false));
        assert_eq!(quoted_printable(b"a=\r\nb=3d=zz \r\nc"), b"ab==zz\nc");
        assert_eq!(
            in_charset("unicode-1-1-utf-7", b"a+AOQ-b+-".to_vec()),
            "aäb+"
        );
        assert_eq!(in_charset("x-unknown", "ä".as_bytes().to_vec()), "ä");
        assert_eq!(in_charset("iso-8859-1", "ä".as_bytes().to_vec()), "ä");
        assert_eq!(in_charset("iso-8859-1", b"\xe4\xc3".to_vec()), "äÃ");
        assert_eq!(in_charset("ks_c_5601-1987", b"\xb0\xa1".to_vec()), "가");
    }
}
