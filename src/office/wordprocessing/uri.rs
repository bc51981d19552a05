//! Targets of links in a form that files may contain. The schemas of word processors accept only URI references, but
//! web pages contain other texts as well. Follows no links.

use std::borrow::Cow;

/// Converts a bookmark name to the name of a link target in the document tree. White space, `|`, `"`, `#` and `%`
/// become dashes.
pub fn place_name(name: &str) -> String {
    let clean = name.chars().map(|c| match c {
        c if c.is_whitespace() => '-',
        '|' | '"' | '#' | '%' => '-',
        c => c,
    });
    clean.collect()
}

/// Converts a URL to a URI reference (RFC 3986, 4.1), or to an IRI reference (RFC 3987) if it has characters outside
/// ASCII. Invalid characters are percent-encoded.
pub fn uri_reference(url: &str) -> Cow<'_, str> {
    // A colon before the first slash ends a scheme. References without a scheme must not have a colon there.
    let head = url.split(['/', '?', '#']).next().unwrap_or_default();
    let scheme = |text: &str| {
        let letter = text.starts_with(|c: char| c.is_ascii_alphabetic());
        letter
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    };
    let stray = head
        .split_once(':')
        .is_some_and(|(before, _)| !scheme(before));
    // Brackets are valid only in the authority, around the address of a host.
    let authority = url.find("//").filter(|at| *at <= head.len()).map(|at| {
        let rest = &url[at + 2..];
        at..at + 2 + rest.find(['/', '?', '#']).unwrap_or(rest.len())
    });
    let hex = |at: usize| url.as_bytes().get(at).is_some_and(u8::is_ascii_hexdigit);
    let fragment = url.find('#');
    let fits = |(at, c): (usize, char)| match c {
        '%' => hex(at + 1) && hex(at + 2),
        '[' | ']' => authority
            .as_ref()
            .is_some_and(|authority| authority.contains(&at)),
        '#' => fragment == Some(at),
        _ => !c.is_control() && !c.is_whitespace() && !"\"<>\\^`{|}".contains(c),
    };
    if !stray && url.char_indices().all(fits) {
        return url.into();
    }
    let mut out = String::with_capacity(url.len() + 16);
    if stray {
        out.push_str("./");
    }
    for (at, c) in url.char_indices() {
        if fits((at, c)) {
            out.push(c);
            continue;
        }
        for byte in c.encode_utf8(&mut [0; 4]).bytes() {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_become_references() {
        #[track_caller]
        fn check(url: &str, expected: &str) {
            assert_eq!(uri_reference(url), expected, "{url}");
        }
        for right in [
            "https://a.b/c?d=e&f#g",
            "mailto:a@b.c",
            "../a/b.html",
            "//a/b:c",
            "#a",
            "",
            "http://[::1]:80/",
            "https://de.wikipedia.org/wiki/Größe%20",
        ] {
            check(right, right);
        }
        check("http://a/b c\"<>", "http://a/b%20c%22%3C%3E");
        check("http://a/?t=[x]{y}", "http://a/?t=%5Bx%5D%7By%7D");
        check("http://a/100%/%4g", "http://a/100%25/%254g");
        check("http://a/#b#c", "http://a/#b%23c");
        check("%20http://a/", "./%20http://a/");
        check("a b:c", "./a%20b:c");
        check("a\u{a0}b", "a%C2%A0b");
    }
}
