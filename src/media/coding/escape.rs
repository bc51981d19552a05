//! Escapes text for XML 1.0 (2.2, 2.4). The result is well-formed whatever the text is: characters that XML does not allow
//! are left out. Decodes nothing.

use std::borrow::Cow;

/// Appends text between tags. A carriage return becomes a reference, since a reader would take it for a line feed (2.11).
pub fn text(text: &str, out: &mut String) {
    replace(text, out, |c| match c {
        '"' => None,
        '\r' => Some("&#13;"),
        c => markup(c).or_else(|| forbidden(c)),
    });
}

/// Appends the value of an attribute in double quotes. Tabs and line ends become references, since a reader would turn them
/// into spaces (3.3.3).
pub fn attribute(value: &str, out: &mut String) {
    replace(value, out, |c| match c {
        '\t' => Some("&#9;"),
        '\n' => Some("&#10;"),
        '\r' => Some("&#13;"),
        c => markup(c).or_else(|| forbidden(c)),
    });
}

/// The text for either place.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    attribute(text, &mut out);
    out
}

/// Text that is shown in a line: its tabs and line ends are spaces.
pub fn in_line(text: &str) -> Cow<'_, str> {
    const SPACES: [char; 3] = ['\t', '\n', '\r'];
    match text.contains(SPACES) {
        true => text.replace(SPACES, " ").into(),
        false => text.into(),
    }
}

/// The reference for a character that is markup, between tags or in double quotes.
pub fn markup(c: char) -> Option<&'static str> {
    Some(match c {
        '&' => "&amp;",
        '<' => "&lt;",
        '>' => "&gt;",
        '"' => "&quot;",
        _ => return None,
    })
}

/// Appends a text with other text instead of some of its characters.
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

/// Nothing, instead of a character that XML does not allow.
fn forbidden(c: char) -> Option<&'static str> {
    match c {
        '\t' | '\n' | '\r' => None,
        '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => Some(""),
        _ => None,
    }
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
    }
}
