//! The head of a mail or of one of its parts (RFC 5322, section 2.2): unfolded lines, encoded words (RFC 2047) and
//! parameters (RFC 2045, 2231). Real mails break all three rules. So the encoding of raw 8-bit bytes is guessed, and
//! text that cannot be decoded stays as it is.

use super::encoded::{decoded, in_charset};
use super::lines::next_line;
use crate::coding::encoding::{decode_as, guess};

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

#[cfg(test)]
mod tests {
    use super::*;

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
