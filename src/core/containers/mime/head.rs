//! The head of a mail or of one of its parts (RFC 5322, section 2.2): unfolded lines, encoded words (RFC 2047) and
//! parameters (RFC 2045, 2231). Real mails break all three rules. So the encoding of raw 8-bit bytes is guessed, and
//! text that cannot be decoded stays as it is.

use crate::coding::{
    self,
    encoding::{decode_as, guess},
};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// Maximum number of fields that are read from one head. Further fields are dropped.
const MAX_FIELDS: usize = 2000;
/// Maximum length of a field's value, in bytes. For comparison, a list of 10,000 addresses takes 300 KiB.
const MAX_VALUE: usize = 1 << 20;
/// Maximum length of the address of a part, in bytes. Each address of a page is joined with that of the page.
pub const MAX_ADDRESS: usize = 8 << 10;

/// The fields of a head, in file order. Names are in lower case.
#[derive(Default)]
pub struct Head {
    fields: Vec<(String, String)>,
    /// Whether a field exceeds [`MAX_VALUE`], or the head exceeds [`MAX_FIELDS`].
    is_cut: bool,
}

/// A value with its parameters, such as `text/plain; charset=utf-8` (RFC 2045, section 5.1).
#[derive(Default)]
pub struct Valued {
    /// The part before the first semicolon, in lower case.
    pub value: String,
    /// Names and values. The names are in lower case, with the section numbers and asterisks of RFC 2231.
    parameters: Vec<(String, String)>,
}

impl Head {
    /// Splits a mail at its first empty line into head and body. A head also ends at the first line that is not a
    /// field, because some programs forget the empty line.
    ///
    /// A line that begins with white space continues the field above it (folding, RFC 5322, 2.2.3).
    pub fn split(bytes: &[u8]) -> (Self, &[u8]) {
        let mut head = Self::default();
        let mut rest = bytes;
        while !rest.is_empty() {
            let (line, after) = next_line(rest);
            if line.is_empty() {
                return (head, after);
            }
            let is_folded = line[0] == b' ' || line[0] == b'\t';
            if is_folded {
                match head.fields.last_mut() {
                    Some((_, value)) if value.len() + line.len() < MAX_VALUE => {
                        value.push(' ');
                        value.push_str(string(line).trim());
                    }
                    Some(_) => head.is_cut = true,
                    None => {}
                }
            } else if let Some(colon) =
                memchr::memchr(b':', line).filter(|colon| is_name(&line[..*colon]))
            {
                let value = &line[colon + 1..];
                head.is_cut |= head.fields.len() >= MAX_FIELDS || value.len() > MAX_VALUE;
                if head.fields.len() < MAX_FIELDS {
                    let name = String::from_utf8_lossy(&line[..colon])
                        .trim()
                        .to_ascii_lowercase();
                    let value = &value[..value.len().min(MAX_VALUE)];
                    head.fields.push((name, string(value).trim().to_owned()));
                }
            // The separator lines of a mailbox are not fields, but they do not end the head.
            } else if !line.starts_with(b"From ") && !line.starts_with(b">From ") {
                // The body begins without an empty line before it.
                return (head, rest);
            }
            rest = after;
        }
        (head, rest)
    }

    /// Returns whether the head has no field.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// Returns whether a limit cut off a part of the head.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Value of the first field with this name (in lower case), still encoded.
    pub fn raw(&self, name: &str) -> Option<&str> {
        let mut fields = self.fields.iter().filter(|(known, _)| known == name);
        fields.next().map(|(_, value)| value.as_str())
    }

    /// Identifier of the content (`Content-ID`, RFC 2392), without angle brackets.
    pub fn content_id(&self) -> Option<String> {
        let value = self.raw("content-id")?;
        Some(value.trim().trim_matches(['<', '>']).to_owned())
    }

    /// Address of the content (`Content-Location`, RFC 2557, section 4). Addresses have no white space; programs write it
    /// where they fold a long line. `None` also for an address longer than [`MAX_ADDRESS`].
    pub fn location(&self) -> Option<String> {
        let value = self.raw("content-location")?;
        let is_short = value.len() <= MAX_ADDRESS;
        is_short.then(|| decoded(value).split_whitespace().collect())
    }

    /// Value of the first field with this name, with its encoded words decoded. Empty if the field is missing.
    pub fn text(&self, name: &str) -> String {
        decoded(self.raw(name).unwrap_or_default())
    }

    /// Value of the first field with this name, split into value and parameters. Empty if the field is missing.
    pub fn valued(&self, name: &str) -> Valued {
        self.raw(name).map(Valued::parse).unwrap_or_default()
    }
}

/// Returns whether these bytes are a field name: printable ASCII (RFC 5322, 3.6.8). A space before the colon is
/// tolerated, as in the obsolete syntax (4.5).
fn is_name(name: &[u8]) -> bool {
    !name.is_empty()
        && name
            .iter()
            .all(|byte| (33..=126).contains(byte) || *byte == b' ')
        && !name[..name.len() - 1].contains(&b' ')
}

/// Returns the first line without its end (LF or CRLF), and the rest.
pub(super) fn next_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    match memchr::memchr(b'\n', bytes) {
        Some(end) => (
            bytes[..end].strip_suffix(b"\r").unwrap_or(&bytes[..end]),
            &bytes[end + 1..],
        ),
        None => (bytes.strip_suffix(b"\r").unwrap_or(bytes), &[]),
    }
}

/// Decodes bytes whose charset is not declared: as UTF-8 if they are valid, and otherwise by a guess.
fn string(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => decode_as(guess(bytes), bytes.to_vec()),
    }
}

impl Valued {
    /// Parses a value with parameters (RFC 2045, section 5.1). The values of parameters stay encoded; [`Self::get`]
    /// joins and decodes them.
    fn parse(text: &str) -> Self {
        let (value, mut rest) = text.split_once(';').unwrap_or((text, ""));
        let mut pieces: Vec<(String, String)> = Vec::new();
        while let Some((name, after)) = rest.split_once('=') {
            let name = name
                .trim()
                .trim_start_matches(';')
                .trim()
                .to_ascii_lowercase();
            let after = after.trim_start();
            let (value, after) = match after.strip_prefix('"') {
                Some(quoted) => quoted_string(quoted),
                None => {
                    let (value, after) = after.split_once(';').unwrap_or((after, ""));
                    (value.trim().to_owned(), after)
                }
            };
            // Parameters after the hundredth are dropped.
            if pieces.len() < 100 {
                pieces.push((name, value));
            }
            rest = after.trim_start().trim_start_matches(';');
        }
        Self {
            value: value.trim().trim_matches('"').to_ascii_lowercase(),
            parameters: pieces,
        }
    }

    /// Value of a parameter. It may be plain, encoded (`name*=utf-8''…`) or split into numbered sections (`name*0=`),
    /// as RFC 2231 defines (sections 3 and 4). The other two forms take precedence over the plain one, which programs
    /// add for old readers.
    pub fn get(&self, name: &str) -> Option<String> {
        let find = |wanted: &str| {
            let mut found = self.parameters.iter().filter(|(known, _)| known == wanted);
            found.next().map(|(_, value)| value.clone())
        };
        if let Some(value) = find(&format!("{name}*")) {
            return Some(extended(&value));
        }
        let mut joined = String::new();
        let mut is_encoded = false;
        for nth in 0..100 {
            if let Some(value) = find(&format!("{name}*{nth}*")) {
                is_encoded = true;
                joined.push_str(&value);
            } else if let Some(value) = find(&format!("{name}*{nth}")) {
                joined.push_str(&value);
            } else {
                break;
            }
        }
        match joined.is_empty() {
            false if is_encoded => Some(extended(&joined)),
            // Encoded words are not allowed in parameters, but common, so they are decoded.
            false => Some(decoded(&joined)),
            true => find(name).map(|value| decoded(&value)),
        }
    }
}

/// Reads a quoted string, whose opening quote has already been read (RFC 5322, 3.2.4). Returns its content, and the
/// text after the closing quote.
fn quoted_string(text: &str) -> (String, &str) {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => return (value, &text[at + 1..]),
            '\\' => value.extend(characters.next().map(|(_, c)| c)),
            _ => value.push(c),
        }
    }
    (value, "")
}

/// Decodes an extended parameter value (RFC 2231, section 4): charset, language and percent-encoded text, separated by
/// apostrophes, such as `utf-8'de'%e2%82%ac`. The language is not needed.
fn extended(text: &str) -> String {
    let mut parts = text.splitn(3, '\'');
    let (charset, _, encoded) = match (parts.next(), parts.next(), parts.next()) {
        (Some(charset), Some(language), Some(encoded)) => (charset, language, encoded),
        // Without apostrophes, the text is percent-encoded only.
        _ => ("utf-8", "", text),
    };
    let mut bytes = Vec::new();
    let mut rest = encoded.as_bytes();
    while let [byte, tail @ ..] = rest {
        let digit = |at: usize| tail.get(at).and_then(|digit| (*digit as char).to_digit(16));
        rest = match (byte, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high << 4 | low) as u8);
                &tail[2..]
            }
            _ => {
                bytes.push(*byte);
                tail
            }
        };
    }
    in_charset(charset, bytes)
}

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
    fn parameters_are_joined_and_decoded() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            let valued = Valued::parse(text);
            assert_eq!(valued.get("name").as_deref(), Some(expected), "{text}");
        }
        check("a/b; name=c.txt; x=y", "c.txt");
        check("a/b; name=\"c;\\\"d\"", "c;\"d");
        check("a/b; name*=utf-8''%e2%82%ac", "€");
        check("a/b; name*0=\"a\"; name*1=\"b\"", "ab");
        check("a/b; name*0*=utf-8''%c3; name*1*=%a4", "ä");
        check("a/b; name=\"=?utf-8?q?=C3=A4?=\"", "ä");
        assert!(Valued::parse("a; b").get("name").is_none());
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

    #[test]
    fn long_heads_are_marked_as_cut() {
        #[track_caller]
        fn check(head: &str, is_cut: bool) {
            let (head, _) = Head::split(head.as_bytes());
            assert_eq!(head.is_cut(), is_cut);
        }
        let addresses = "a@example.org,\r\n ".repeat(6_000);
        check(&format!("To: {addresses}b@example.org\r\n\r\n"), false);
        check(&format!("To: {}\r\n\r\n", addresses.repeat(20)), true);
        check(&format!("To: {}\r\n\r\n", "a".repeat(MAX_VALUE + 1)), true);
        check(&"X: 1\r\n".repeat(MAX_FIELDS + 1), true);
    }

    #[test]
    fn heads_end_at_an_empty_line() {
        let (head, rest) = Head::split(b"Subject: a\r\n b\nX-Y: 1\n\nbody");
        assert_eq!((head.raw("subject"), rest), (Some("a b"), &b"body"[..]));
        let (head, rest) = Head::split(b"no head here\nx");
        assert!(head.is_empty() && rest.starts_with(b"no head"));
    }
}
