//! Resolves relative URLs within a book to entries of its archive. The results are only compared with names of entries,
//! and are never paths on this machine.

use convertd_markup::html::{has_scheme, percent_decoded};

/// Returns the archive entry and the fragment that a URL in the file `base` refers to. `None` if the URL has a scheme
/// or a host, and so leads outside of the book.
pub(in super::super) fn resolve(base: &str, address: &str) -> Option<(String, Option<String>)> {
    let (path, name) = match address.split_once('#') {
        Some((path, name)) => (path, Some(percent_decoded(name))),
        None => (address, None),
    };
    if path.is_empty() {
        return Some((base.to_owned(), name));
    }
    if has_scheme(path) || path.starts_with("//") {
        return None;
    }
    let path = path.split('?').next().unwrap_or_default();
    let mut folders: Vec<&str> = base.split('/').collect();
    folders.pop();
    if path.starts_with('/') {
        folders.clear();
    }
    let path = percent_decoded(path);
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                folders.pop();
            }
            _ => folders.push(part),
        }
    }
    Some((folders.join("/"), name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_relative_to_their_file() {
        #[track_caller]
        fn check(address: &str, expected: Option<(&str, Option<&str>)>) {
            let found = resolve("OEBPS/text/one.xhtml", address);
            let found = found
                .as_ref()
                .map(|(path, name)| (path.as_str(), name.as_deref()));
            assert_eq!(found, expected, "{address}");
        }
        check(
            "two.xhtml#a%20b",
            Some(("OEBPS/text/two.xhtml", Some("a b"))),
        );
        check("#x", Some(("OEBPS/text/one.xhtml", Some("x"))));
        check(
            "../pictures/a%C3%BC.png",
            Some(("OEBPS/pictures/aü.png", None)),
        );
        check("../../../../etc/passwd", Some(("etc/passwd", None)));
        check("/mimetype", Some(("mimetype", None)));
        check("", Some(("OEBPS/text/one.xhtml", None)));
        check("https://example.org/", None);
        check("//example.org/", None);
        check("a.png?u=b:c", Some(("OEBPS/text/a.png", None)));
        check("data:image/png;base64,", None);
    }
}
