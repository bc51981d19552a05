//! Tags as they are written, for texts whose tags are changed in place. Knows no comments, and no elements whose
//! content is raw text.

/// An attribute as written in a tag.
pub struct Attribute<'t> {
    /// Name as written in the tag.
    pub name: &'t str,
    /// Value as written, without its quotation marks. Character references are not decoded.
    pub value: &'t str,
    /// Start and end of the value with its quotation marks, as byte positions in the tag.
    pub at: (usize, usize),
}

/// The first attribute with this name, regardless of case.
pub fn attribute_named<'a, 't>(
    attributes: &'a [Attribute<'t>],
    name: &str,
) -> Option<&'a Attribute<'t>> {
    let mut all = attributes.iter();
    all.find(|one| one.name.eq_ignore_ascii_case(name))
}

/// Returns the length of the tag at the beginning of `text`, with both brackets, or the length of `text` if the tag
/// does not end.
pub fn tag_end(text: &[u8]) -> usize {
    let mut quote = None;
    let mut after_equals = false;
    for (at, &byte) in text.iter().enumerate() {
        match (quote, byte) {
            (Some(open), byte) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') if after_equals => quote = Some(byte),
            (None, b'>') => return at + 1,
            (None, _) => {}
        }
        if quote.is_none() && !byte.is_ascii_whitespace() {
            after_equals = byte == b'=';
        }
    }
    text.len()
}

/// The name of a start tag, in lower case; empty for anything else.
pub fn tag_name(tag: &str) -> String {
    let name = tag.strip_prefix('<').unwrap_or_default();
    let is_end = |c: char| c.is_ascii_whitespace() || c == '/' || c == '>';
    let name = name.split(is_end).next().unwrap_or_default();
    match name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => name.to_ascii_lowercase(),
        false => String::new(),
    }
}

/// The attributes of a tag with the positions of their values (HTML, 13.2.5.32 to 13.2.5.40), so that values can be
/// replaced in place. Attributes without a value are left out.
pub fn attributes(tag: &str) -> Vec<Attribute<'_>> {
    let bytes = tag.as_bytes();
    let is_space = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_whitespace);
    let name_end = tag.find(|c: char| c.is_ascii_whitespace() || c == '/' || c == '>');
    let mut at = name_end.unwrap_or(tag.len());
    let mut found = Vec::new();
    loop {
        while is_space(at) || bytes.get(at) == Some(&b'/') {
            at += 1;
        }
        let start = at;
        while bytes
            .get(at)
            .is_some_and(|byte| !byte.is_ascii_whitespace() && !b"=>/".contains(byte))
        {
            at += 1;
        }
        let name = &tag[start..at];
        while is_space(at) {
            at += 1;
        }
        // An attribute without a value is skipped.
        if bytes.get(at) != Some(&b'=') {
            if at >= tag.len() || bytes[at] == b'>' || at == start {
                return found;
            }
            continue;
        }
        at += 1;
        while is_space(at) {
            at += 1;
        }
        let begin = at;
        let value = match bytes.get(at) {
            Some(quote @ (b'"' | b'\'')) => {
                let len = memchr::memchr(*quote, &bytes[at + 1..]).unwrap_or(bytes.len() - at - 1);
                at += len + 2;
                &tag[begin + 1..begin + 1 + len]
            }
            _ => {
                while bytes
                    .get(at)
                    .is_some_and(|byte| !byte.is_ascii_whitespace() && *byte != b'>')
                {
                    at += 1;
                }
                &tag[begin..at]
            }
        };
        at = at.min(tag.len());
        if !name.is_empty() {
            found.push(Attribute {
                name,
                value,
                at: (begin, at),
            });
        }
    }
}
