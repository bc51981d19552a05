//! URLs of files (RFC 3986): resolves relative ones, and finds those in style sheets. Opens nothing.

use std::ops::Range;

/// A URL without query, fragment, and leading `./`.
pub fn plain_address(address: &str) -> &str {
    split_path(address).0.trim_start_matches("./")
}

/// Returns whether a URL begins with a scheme (RFC 3986, 3.1). A colon in its query or fragment ends no scheme.
pub fn has_scheme(address: &str) -> bool {
    scheme_len(split_path(address).0).is_some()
}

/// Splits a URL into its path, with scheme and host, and its query and fragment.
fn split_path(address: &str) -> (&str, &str) {
    address.split_at(address.find(['?', '#']).unwrap_or(address.len()))
}

/// Length of the scheme at the beginning of a URL, without its colon.
fn scheme_len(address: &str) -> Option<usize> {
    let (scheme, _) = address.split_once(':')?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|c| c.is_ascii_alphanumeric() || b"+-.".contains(&c));
    is_scheme.then_some(scheme.len())
}

/// Length of the scheme and the host in front of a path, such as `https://host`. Zero for a path alone, and for a URL
/// that has no path after its scheme, such as `cid:name`.
pub(super) fn root_len(address: &str) -> usize {
    let Some(scheme) = scheme_len(address) else {
        return 0;
    };
    let rest = &address[scheme + 1..];
    match rest.strip_prefix("//") {
        Some(rest) => scheme + 3 + rest.find(['/', '?', '#']).unwrap_or(rest.len()),
        None if rest.starts_with('/') => scheme + 1,
        None => 0,
    }
}

/// Resolves a relative URL in a file at `base`, which is a path or a URL with its scheme (RFC 3986, 5.2). Returned
/// unchanged: an empty URL, a fragment alone, a URL with a scheme of its own, and all URLs if the base has a scheme but
/// no path. If `base` is a path, also a query alone, and a URL that begins with a slash.
pub fn joined(base: &str, address: &str) -> String {
    let (path, rest) = split_path(address);
    let (base, _) = split_path(base);
    let (root, own) = base.split_at(root_len(base));
    let is_opaque = root.is_empty() && scheme_len(base).is_some();
    if is_opaque || scheme_len(path).is_some() {
        return address.to_owned();
    }
    if path.is_empty() {
        return match rest.starts_with('?') && !root.is_empty() {
            true => format!("{base}{rest}"),
            false => address.to_owned(),
        };
    }
    let folder = own.rsplit_once('/').map(|(folder, _)| folder);
    let (folder, path) = match (folder, path.strip_prefix('/')) {
        (_, Some(_)) | (None, None) if root.is_empty() => return address.to_owned(),
        // Another host with the same scheme.
        (_, Some(other)) if other.starts_with('/') => {
            let scheme = root.split('/').next().unwrap_or_default();
            return format!("{scheme}{address}");
        }
        (_, Some(path)) => ("", path),
        (folder, None) => (folder.unwrap_or_default(), path),
    };
    let mut parts: Vec<&str> = folder.split('/').collect();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| !matches!(*last, ".." | "")) => {
                parts.pop();
            }
            // Nothing is above the root of a host.
            ".." if !root.is_empty() => {}
            part => parts.push(part),
        }
    }
    // The last of these segments stands for a folder (RFC 3986, 5.2.4).
    if path.ends_with("/.") || path.ends_with("/..") || matches!(path, "." | "..") {
        parts.push("");
    }
    format!("{root}{}{rest}", parts.join("/"))
}

/// Positions of the URLs in a style sheet, with the quotation marks or white space around them: those in `url(…)`, with
/// or without quotation marks (CSS Syntax, 4.3.6), and strings after `@import`. Takes linear time.
pub(super) fn in_style(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let spaces = |at: usize| {
        let rest = bytes.get(at..).unwrap_or_default();
        rest.iter().take_while(|c| c.is_ascii_whitespace()).count()
    };
    let mut found = Vec::new();
    let mut at = 0;
    // Whether a bracket may still close. Only one search for it can fail.
    let mut closes = true;
    while let Some(next) = memchr::memchr2(b'(', b'@', &bytes[at..]) {
        at += next + 1;
        let is_import = bytes[at - 1] == b'@';
        let is_before = |word: &[u8]| {
            let start = (at - 1).checked_sub(word.len());
            start.is_some_and(|start| bytes[start..at - 1].eq_ignore_ascii_case(word))
        };
        let from = match is_import {
            true if starts_with(&bytes[at..], b"import") => at + 6,
            false if is_before(b"url") => at,
            _ => continue,
        };
        let start = from + spaces(from);
        let is_string = matches!(bytes.get(start), Some(b'"' | b'\''));
        let place = match string_len(&bytes[start.min(bytes.len())..]) {
            Some(len) if is_import => Some(start..start + len),
            Some(len) => {
                let end = start + len + spaces(start + len);
                (bytes.get(end) == Some(&b')')).then_some(from..end)
            }
            None if is_import || is_string || !closes => None,
            None => {
                let len = memchr::memchr(b')', &bytes[start..]);
                closes = len.is_some();
                len.map(|len| from..start + len)
            }
        };
        if let Some(place) = place {
            at = place.end;
            found.push(place);
        }
    }
    found
}

/// Returns whether bytes begin with a word, regardless of case.
fn starts_with(bytes: &[u8], word: &[u8]) -> bool {
    let begin = bytes.get(..word.len());
    begin.is_some_and(|begin| begin.eq_ignore_ascii_case(word))
}

/// Length of the string at the beginning of a text, with its quotation marks (CSS Syntax, 4.3.5). `None` without a
/// string, or if the line ends before the string.
fn string_len(bytes: &[u8]) -> Option<usize> {
    let quote = bytes.first().filter(|c| matches!(c, b'"' | b'\''))?;
    let mut at = 1;
    loop {
        match bytes.get(at)? {
            b'\n' => return None,
            b'\\' => at += 2,
            c if c == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_addresses_are_resolved() {
        #[track_caller]
        fn check(base: &str, address: &str, expected: &str) {
            assert_eq!(joined(base, address), expected, "{base} {address}");
        }
        check("a/b/c.css", "../../d.png", "d.png");
        check("../a/c.css", "d.png", "../a/d.png");
        check("c.css", "d.png", "d.png");
        check("a/c.css", "/d.png", "/d.png");
        check("a/c.css", "data:x/y", "data:x/y");
        let page = "https://a.example/x/y.html?q=/z";
        check(page, "../../d.png", "https://a.example/d.png");
        check(page, "/b/../d.png", "https://a.example/d.png");
        check(page, "//b.example/d", "https://b.example/d");
        check(page, "#d", "#d");
        check(page, "", "");
        check("https://a.example", "d", "https://a.example/d");
        check("https://a.example?q=/z", "d", "https://a.example/d");
    }

    #[test]
    fn schemes_and_dots_count_only_in_the_path() {
        #[track_caller]
        fn check(address: &str, expected: &str) {
            assert_eq!(joined("https://a.example/x/y.html", address), expected);
        }
        check("i?u=http://b/c", "https://a.example/x/i?u=http://b/c");
        check("i?u=a/../b/./c", "https://a.example/x/i?u=a/../b/./c");
        check("../i#a/../b:c", "https://a.example/i#a/../b:c");
        check("?q=1", "https://a.example/x/y.html?q=1");
        check("12:30.png", "https://a.example/x/12:30.png");
        check("x-a+b.1:c", "x-a+b.1:c");
        assert_eq!(joined("i?u=http://b/c", "d"), "d");
        assert_eq!(joined("cid:a/b@c", "d"), "d");
        assert_eq!(joined("file:/C:/a.htm", "d"), "file:/C:/d");
        assert!(has_scheme("mailto:a") && !has_scheme("a?b:c") && !has_scheme("a/b:c"));
    }

    #[test]
    fn addresses_in_style_sheets_are_found() {
        #[track_caller]
        fn check(text: &str, expected: &[&str]) {
            let found = in_style(text).into_iter().map(|place| text[place].trim());
            assert_eq!(found.collect::<Vec<&str>>(), expected, "{text}");
        }
        check("a{b:url(c.png)}", &["c.png"]);
        check("a{b:URL( 'c)d.png' )}", &["'c)d.png'"]);
        check(
            "@import \"a.css\" screen; @IMPORT url(b.css);",
            &["\"a.css\"", "b.css"],
        );
        check("a{b:url('\\'c'),url(d)}", &["'\\'c'", "d"]);
        check("a{b:url('c\n');b:url(d)}", &["d"]);
        check("a{b:url('c' d);b:url(e)}", &["e"]);
        check("@import a; @font-face{} (url) url(", &[]);
        // Each search up to the end of the text happens once.
        for start in ["url(", "url('", "url(\"", "@import \"", "@import"] {
            in_style(&start.repeat(1_000_000));
        }
    }
}
