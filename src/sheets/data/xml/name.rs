//! Names of elements and attributes (XML 1.0, 2.3). Resolves no namespaces, but knows which prefixes are declared.

use std::borrow::Cow;

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

/// Returns whether a text is a name, with a prefix at most that is declared.
pub(super) fn is_valid(name: &str, prefixes: &[&str]) -> bool {
    match name.split_once(':') {
        None => is_plain(name),
        Some((prefix, local)) => is_plain(local) && (prefix == "xml" || prefixes.contains(&prefix)),
    }
}

/// The name itself if it is valid, or else one with low lines in place of what is not.
pub(super) fn valid<'n>(name: &'n str, prefixes: &[&str]) -> Cow<'n, str> {
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

/// Prefix that an attribute of this name declares.
pub(super) fn declared(name: &str) -> Option<&str> {
    name.strip_prefix("xmlns:").filter(|name| is_plain(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_valid() {
        #[track_caller]
        fn check(name: &str, expected: &str) {
            assert_eq!(valid(name, &["p"]), expected);
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
}
