//! Names of elements and attributes (XML 1.0, 2.3). Resolves no namespaces, but knows which prefixes are declared.

use std::{borrow::Cow, collections::HashMap};

/// Namespace of the prefix `xml`. No other prefix may be bound to it.
const XML: &str = "http://www.w3.org/XML/1998/namespace";
/// Namespace of the prefix `xmlns`. No prefix may be bound to it.
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// Prefixes that the open elements declare, with the number of the declarations of each.
#[derive(Default)]
pub(super) struct Prefixes<'n>(HashMap<&'n str, usize>);

impl<'n> Prefixes<'n> {
    /// Adds a declaration.
    pub(super) fn add(&mut self, prefix: &'n str) {
        *self.0.entry(prefix).or_default() += 1;
    }

    /// Removes a declaration.
    pub(super) fn remove(&mut self, prefix: &str) {
        if let Some(count) = self.0.get_mut(prefix) {
            *count -= 1;
            if *count == 0 {
                self.0.remove(prefix);
            }
        }
    }

    fn has(&self, prefix: &str) -> bool {
        prefix == "xml" || self.0.contains_key(prefix)
    }
}

/// Returns whether a name can begin with this character (production 4, without the colon).
fn is_start(sign: char) -> bool {
    matches!(sign,
        'A'..='Z' | 'a'..='z' | '_' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}'
        | '\u{370}'..='\u{37d}' | '\u{37f}'..='\u{1fff}' | '\u{200c}' | '\u{200d}' | '\u{2070}'..='\u{218f}'
        | '\u{2c00}'..='\u{2fef}' | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}'
        | '\u{10000}'..='\u{effff}')
}

/// Returns whether a name can contain this character (production 4a, without the colon).
fn is_inner(sign: char) -> bool {
    is_start(sign)
        || matches!(sign, '0'..='9' | '-' | '.' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}' | '\u{2040}')
}

/// Returns whether a text is a name without a prefix.
fn is_plain(name: &str) -> bool {
    name.starts_with(is_start) && name.chars().all(is_inner)
}

/// Returns whether a text is a name (production 5), which may have colons at any position.
pub(super) fn is_name(name: &str) -> bool {
    name.starts_with(|sign| sign == ':' || is_start(sign))
        && name.chars().all(|sign| sign == ':' || is_inner(sign))
}

/// Returns whether a text is a name without a prefix, or with a declared prefix.
pub(super) fn is_valid(name: &str, prefixes: &Prefixes<'_>) -> bool {
    match name.split_once(':') {
        None => is_plain(name),
        Some((prefix, local)) => is_plain(local) && prefixes.has(prefix),
    }
}

/// Returns a valid name unchanged. In any other name, underscores replace the invalid characters, and an underscore
/// precedes a first character that is valid only inside of a name.
pub(super) fn valid<'n>(name: &'n str, prefixes: &Prefixes<'_>) -> Cow<'n, str> {
    if is_valid(name, prefixes) {
        return Cow::Borrowed(name);
    }
    let inner = name.chars().map(|sign| match is_inner(sign) {
        true => sign,
        false => '_',
    });
    let start = (!name.starts_with(is_start)).then_some('_');
    let rest = inner.skip(usize::from(name.starts_with(|sign| !is_inner(sign))));
    Cow::Owned(start.into_iter().chain(rest).collect())
}

/// Prefix that an attribute with this name and value declares. `None` for an attribute that does not declare a prefix,
/// and for a declaration that "Namespaces in XML 1.0" forbids (section 3): it declares the prefix `xmlns`, or binds a
/// prefix to the namespace of `xmlns` or to an empty namespace; or it binds `xml` to another namespace, or another
/// prefix to the namespace of `xml`.
pub(super) fn declared<'n>(name: &'n str, value: &str) -> Option<&'n str> {
    let prefix = name.strip_prefix("xmlns:").filter(|name| is_plain(name))?;
    let is_allowed = prefix != "xmlns"
        && !value.is_empty()
        && value != XMLNS
        && (prefix == "xml") == (value == XML);
    is_allowed.then_some(prefix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_valid() {
        #[track_caller]
        fn check(name: &str, expected: &str) {
            let mut prefixes = Prefixes::default();
            for prefix in ["p", "p", "q"] {
                prefixes.add(prefix);
            }
            prefixes.remove("p");
            prefixes.remove("q");
            assert_eq!(valid(name, &prefixes), expected);
        }
        check("name", "name");
        check("Größe-1.0", "Größe-1.0");
        check("p:a", "p:a");
        check("xml:lang", "xml:lang");
        check("q:a", "q_a");
        check("a:b:c", "a_b_c");
        check("first name", "first_name");
        check("1st", "_1st");
        check("@x", "_x");
        check("", "_");
        check("😀§", "😀_");
    }

    #[test]
    fn names_are_those_of_production_5() {
        #[track_caller]
        fn check(name: &str, expected: bool) {
            assert_eq!(is_name(name), expected, "{name}");
        }
        check("a", true);
        check("p:a-1", true);
        check(":a", true);
        check("", false);
        check("1a", false);
        check("@x", false);
        check("#text", false);
        check("a§", false);
    }

    #[test]
    fn declarations_that_namespaces_forbid_are_none() {
        #[track_caller]
        fn check(name: &str, value: &str, expected: Option<&str>) {
            assert_eq!(declared(name, value), expected);
        }
        check("xmlns:p", "urn:p", Some("p"));
        check("xmlns:xml", XML, Some("xml"));
        check("xmlns:p", "", None);
        check("xmlns:xml", "urn:p", None);
        check("xmlns:xmlns", XMLNS, None);
        check("xmlns:p", XML, None);
        check("xmlns", "urn:p", None);
        check("xmlns:1", "urn:p", None);
    }
}
