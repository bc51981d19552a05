//! Parses the head of a form part (RFC 7578, section 4.2), in all variants that clients send. Reads no content.
//!
//! Clients disagree about quotation marks, backslashes and names that are not ASCII: browsers write `%22` for a
//! quotation mark, curl writes `\"`, some send whole paths with single backslashes, and many send the `filename*` that
//! RFC 7578 forbids. Each of these is read as its author meant it. A name or a file name that occurs twice has no clear
//! meaning, so the head is refused.

use crate::error::quoted;
use std::io;

/// The contents of a part's head.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::api) struct PartHead {
    /// The name of the field.
    pub(in crate::api) name: String,
    /// The decoded name of the file, if the head has one.
    pub(in crate::api) file_name: Option<String>,
}

/// Parses the lines of a part's head. Only the field `Content-Disposition` is used.
///
/// Errors: `InvalidData` with a text about the fault.
pub(super) fn parse(head: &str) -> io::Result<PartHead> {
    // A line that begins with white space continues the line before it.
    let head = head.replace("\r\n ", " ").replace("\r\n\t", " ");
    let mut values = head.split("\r\n").filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.trim()
            .eq_ignore_ascii_case("content-disposition")
            .then_some(value)
    });
    let value = match (values.next(), values.next()) {
        (Some(value), None) => value,
        (None, _) => return Err(malformed("it has no Content-Disposition")),
        (Some(_), Some(_)) => return Err(malformed("it has two Content-Disposition fields")),
    };
    let (kind, parameters) = value.split_once(';').unwrap_or((value, ""));
    let kind = kind.trim();
    if !kind.eq_ignore_ascii_case("form-data") {
        return Err(malformed(format!(
            "its Content-Disposition is {}, not form-data",
            quoted(kind)
        )));
    }
    let (mut name, mut file_name, mut encoded) = (None, None, None);
    for (parameter, value) in self::parameters(parameters) {
        let place = match parameter.as_str() {
            "name" => Some(&mut name),
            "filename" => Some(&mut file_name),
            "filename*" => Some(&mut encoded),
            _ => None,
        };
        if let Some(place) = place
            && place.replace(value).is_some()
        {
            return Err(malformed(
                "its Content-Disposition has the same parameter twice",
            ));
        }
    }
    let name = name.ok_or_else(|| malformed("its Content-Disposition has no name"))?;
    // Control characters in a file name are removed later. The name of a field must be exact, so control characters in
    // it are an error.
    if name.contains(|c: char| c.is_ascii_control()) {
        return Err(malformed("its name holds control characters"));
    }
    Ok(PartHead {
        name,
        file_name: encoded
            .and_then(|value| decode(&value))
            .or_else(|| file_name.map(|name| name.replace("%22", "\""))),
    })
}

/// The name of a file in a `Content-Disposition` (RFC 6266) of any type.
pub(in crate::api) fn file_name(value: &str) -> Option<String> {
    let (_, rest) = value.split_once(';')?;
    let find = |wanted: &str| {
        let mut found = parameters(rest).filter(|(name, _)| name == wanted);
        found.next().map(|(_, value)| value)
    };
    let encoded = find("filename*").and_then(|value| decode(&value));
    encoded.or_else(|| find("filename"))
}

fn malformed(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.into())
}

/// Iterates over the parameters in `text`, which is the value of a header field after its first `;`. Yields their
/// names, in lower case, and their values without quotation marks.
pub(super) fn parameters(text: &str) -> impl Iterator<Item = (String, String)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (name, after) = rest.split_once('=')?;
        let (value, after) = take_value(after);
        rest = after;
        Some((name.trim().to_ascii_lowercase(), value))
    })
}

/// Splits `text` into the value at its beginning, which may be in quotation marks, and the text after the `;` that ends
/// the value.
///
/// In a quoted value, `\"` is a quotation mark, as curl writes it. Any other backslash is kept, because some clients
/// send whole paths. Browsers write a quotation mark as `%22`, which [`parse`] decodes in file names.
fn take_value(text: &str) -> (String, &str) {
    let text = text.trim_start();
    let Some(quoted) = text.strip_prefix('"') else {
        let (value, after) = text.split_once(';').unwrap_or((text, ""));
        return (value.trim().to_owned(), after);
    };
    let mut value = String::new();
    let mut characters = quoted.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => {
                let after = quoted[at + 1..].split_once(';');
                return (value, after.map_or("", |(_, after)| after));
            }
            '\\' if characters.next_if(|&(_, next)| next == '"').is_some() => value.push('"'),
            _ => value.push(c),
        }
    }
    // If the closing quotation mark is missing, the value extends to the end of the text.
    (value, "")
}

/// Decodes an extended value (RFC 8187): a character set, a language that is ignored, and percent-encoded bytes. `None`
/// if the value is malformed, or the character set is neither UTF-8 nor ISO-8859-1.
fn decode(value: &str) -> Option<String> {
    let mut parts = value.splitn(3, '\'');
    let (charset, _language, encoded) = (parts.next()?, parts.next()?, parts.next()?);
    let mut bytes = Vec::new();
    let mut rest = encoded.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        bytes.push(if byte == b'%' {
            let (digits, after) = rest.split_at_checked(2)?;
            rest = after;
            u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?
        } else {
            byte
        });
    }
    match charset.to_ascii_lowercase().as_str() {
        "utf-8" => String::from_utf8(bytes).ok(),
        "iso-8859-1" => Some(bytes.into_iter().map(char::from).collect()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_common_clients_are_read() {
        #[track_caller]
        fn check(head: &str, name: &str, file_name: Option<&str>) {
            let expected = PartHead {
                name: name.into(),
                file_name: file_name.map(str::to_owned),
            };
            assert_eq!(parse(head).unwrap(), expected, "{head}");
        }
        let check_value = |value: &str, name: &str, file_name: Option<&str>| {
            check(
                &format!("Content-Disposition: form-data; {value}\r\n"),
                name,
                file_name,
            );
        };
        check_value("name=\"file\"; filename=\"a.png\"", "file", Some("a.png"));
        check_value("name=file;filename=a.png", "file", Some("a.png"));
        check_value("filename=\"a.png\"; name=\"file\"", "file", Some("a.png"));
        check_value("name=\"a\"; filename=\"\"", "a", Some(""));
        check_value("name=\"a\"", "a", None);
        check_value("NAME = \"a\" ; FileName = \"b\"", "a", Some("b"));
        check_value("name=\"a\"; filename=\"b;c=d.png\"", "a", Some("b;c=d.png"));
        check_value("name=\"a;b\"; x=y; filename=b", "a;b", Some("b"));
        check_value(
            r#"name="a"; filename="b\"c%22.png""#,
            "a",
            Some("b\"c\".png"),
        );
        check_value(
            r#"name="a"; filename="C:\b\c.png""#,
            "a",
            Some(r"C:\b\c.png"),
        );
        check_value("name=\"a\"; filename=\"b", "a", Some("b"));
        check_value(
            "name=\"a\"; filename*=UTF-8''na%C3%AFve.png",
            "a",
            Some("naïve.png"),
        );
        check_value(
            "name=\"a\"; filename*=\"utf-8'de'%e2%82%ac\"",
            "a",
            Some("€"),
        );
        check_value(
            "name=\"a\"; filename*=iso-8859-1''%A3; filename=b",
            "a",
            Some("£"),
        );
        // A value that cannot be decoded is ignored.
        for value in ["UTF-8''%ff", "UTF-8''%4", "UTF-8''%é1", "x''a", "a"] {
            let both = format!("name=\"a\"; filename=\"b\"; filename*={value}");
            check_value(&both, "a", Some("b"));
        }
        check(
            "X: y\r\nCONTENT-DISPOSITION : Form-Data;\r\n name=\"a\"\r\nContent-Type: ??\r\n",
            "a",
            None,
        );
    }

    #[test]
    fn incomplete_and_ambiguous_heads_are_refused() {
        for head in [
            "",
            "Content-Type: text/plain\r\n",
            "Content-Disposition: form-data\r\n",
            "Content-Disposition: form-data; filename=\"a\"\r\n",
            "Content-Disposition: attachment; name=\"a\"\r\n",
            "Content-Disposition: form-data; name=a; name=b\r\n",
            "Content-Disposition: form-data; name=a\0\r\n",
            "Content-Disposition: form-data; name=a\rb\r\n",
            "Content-Disposition: form-data; name=a\nb\r\n",
            "Content-Disposition: form-data; name=a; filename=b; filename=c\r\n",
        ] {
            assert!(parse(head).is_err(), "{head}");
        }
    }
}
