//! Escapes text for XML 1.0 (2.2, 2.4). The result is well-formed whatever the text is: characters that XML does not
//! allow are left out. Decodes references, but looks up no entity that a file declares.

use std::borrow::Cow;

/// Appends text between tags. A carriage return becomes a reference, since a reader would take it for a line feed
/// (2.11).
pub fn text(text: &str, out: &mut String) {
    replace(text, out, |c| match c {
        '"' => None,
        '\r' => Some("&#13;"),
        c => markup(c).or_else(|| forbidden(c)),
    });
}

/// Appends the value of an attribute in double quotes. Tabs and line ends become references, since a reader would turn
/// them into spaces (3.3.3).
pub fn attribute(value: &str, out: &mut String) {
    replace(value, out, |c| match c {
        '\t' => Some("&#9;"),
        '\n' => Some("&#10;"),
        '\r' => Some("&#13;"),
        c => markup(c).or_else(|| forbidden(c)),
    });
}

/// Escapes a text so that it is valid both as an element's content and as an attribute's value.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    attribute(text, &mut out);
    out
}

/// Escapes a text as [`escaped`] does, and puts it on one line: tabs and line ends become spaces.
pub fn escaped_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    replace(text, &mut out, |c| match c {
        '\t' | '\n' | '\r' => Some(" "),
        c => markup(c).or_else(|| forbidden(c)),
    });
    out
}

/// The reference that replaces a character which would be markup in text or in an attribute value in double quotes.
pub fn markup(c: char) -> Option<&'static str> {
    Some(match c {
        '&' => "&amp;",
        '<' => "&lt;",
        '>' => "&gt;",
        '"' => "&quot;",
        _ => return None,
    })
}

/// Appends a text, and replaces each character for which `instead` returns a replacement.
pub fn replace(text: &str, out: &mut String, instead: impl Fn(char) -> Option<&'static str>) {
    let mut done = 0;
    for (at, c) in text.char_indices() {
        if let Some(instead) = instead(c) {
            out.push_str(&text[done..at]);
            out.push_str(instead);
            done = at + c.len_utf8();
        }
    }
    out.push_str(&text[done..]);
}

/// An empty replacement for a character that XML does not allow (2.2); `None` for an allowed
/// character.
fn forbidden(c: char) -> Option<&'static str> {
    match c {
        '\t' | '\n' | '\r' => None,
        '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => Some(""),
        _ => None,
    }
}

/// Returns whether XML does not allow a character, not even by a reference (2.2, 4.1).
pub fn is_forbidden(c: char) -> bool {
    forbidden(c).is_some()
}

/// Replaces the references `&…;` in a text (4.1). An unknown reference is left unchanged.
pub fn decoded(value: Cow<'_, str>) -> Cow<'_, str> {
    if memchr::memchr(b'&', value.as_bytes()).is_none() {
        return value;
    }
    let mut text = String::with_capacity(value.len());
    let mut rest = &*value;
    while let Some((before, after)) = rest.split_once('&') {
        text.push_str(before);
        rest = after;
        match after.split_once(';') {
            Some((name, after)) if name.len() < 16 => {
                text.push_str(&reference(name));
                rest = after;
            }
            _ => text.push('&'),
        }
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// The characters of the reference `&name;`. Entities from a document type declaration are not supported.
pub(crate) fn reference(name: &str) -> Cow<'static, str> {
    Cow::Borrowed(match name {
        "amp" => "&",
        "lt" => "<",
        "gt" => ">",
        "quot" => "\"",
        "apos" => "'",
        _ => {
            let digits = name.strip_prefix('#');
            let number = digits.and_then(|digits| match digits.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16).ok(),
                None => digits.parse().ok(),
            });
            return match number {
                Some(number) => char::from_u32(number)
                    .filter(|c| *c != '\0')
                    .unwrap_or('\u{fffd}')
                    .to_string()
                    .into(),
                None => format!("&{name};").into(),
            };
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_well_formed_and_keeps_its_line_ends() {
        #[track_caller]
        fn check(own: &str, between: &str, quoted: &str) {
            let mut out = String::new();
            text(own, &mut out);
            assert_eq!(out, between);
            assert_eq!(escaped(own), quoted);
        }
        check(
            "a<b> & \"c\" 'é'",
            "a&lt;b&gt; &amp; \"c\" 'é'",
            "a&lt;b&gt; &amp; &quot;c&quot; 'é'",
        );
        check("a\tb\r\nc", "a\tb&#13;\nc", "a&#9;b&#13;&#10;c");
        check(
            "\0a\u{1f}b\u{fffe}\u{ffff}\u{fffd}",
            "ab\u{fffd}",
            "ab\u{fffd}",
        );
        check("]]>", "]]&gt;", "]]&gt;");
        assert_eq!(escaped_line("a\tb\r\n<c>\u{1}"), "a b  &lt;c&gt;");
    }

    #[test]
    fn references_are_decoded_once() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            assert_eq!(decoded(text.into()), expected);
        }
        check("a &lt;b&gt; &amp;lt; &quot;&apos;", "a <b> &lt; \"'");
        check("&#65;&#x42;&#0;&#xD800;", "AB\u{fffd}\u{fffd}");
        check("&none; & &", "&none; & &");
    }
}
