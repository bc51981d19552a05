//! Writes drawings whose shapes are part of a document as SVG elements of the page, so that their words can be
//! searched, selected and read aloud. This program has made these drawings from the shapes; inserted pictures stay
//! files.

use crate::syntax::escape;
use std::fmt::Write as _;

/// Writes a drawing with `words` as its text alternative. Its identifiers get a prefix with `number`, because
/// identifiers must be unique in a page. Returns false, and writes nothing, if `svg` does not begin with an `<svg `
/// tag.
pub(super) fn write(svg: &[u8], number: usize, words: &str, title: &str, out: &mut String) -> bool {
    let Some(inside) = std::str::from_utf8(svg)
        .ok()
        .and_then(|svg| svg.strip_prefix("<svg "))
    else {
        return false;
    };
    out.push_str("<svg role=\"img\" ");
    if words.is_empty() && title.is_empty() {
        out.push_str("aria-hidden=\"true\" ");
    } else {
        out.push_str("aria-label=\"");
        escape::attribute(if words.is_empty() { title } else { words }, out);
        out.push_str("\" ");
    }
    let (root, content) = inside.split_once('>').unwrap_or((inside, ""));
    out.push_str(root);
    if !root.is_empty() {
        out.push('>');
    }
    for (at, piece) in content.split('<').enumerate() {
        if at > 0 {
            out.push('<');
        }
        // Only tags contain identifiers.
        let (tag, text) = match piece.split_once('>') {
            Some((tag, text)) if at > 0 => (tag, Some(text)),
            _ if at > 0 => (piece, None),
            _ => ("", Some(piece)),
        };
        let mut rest = tag;
        let next = |rest: &str| {
            let marks = [" id=\"", "url(#", "href=\"#"].into_iter();
            marks
                .filter_map(|mark| Some(rest.find(mark)? + mark.len()))
                .min()
        };
        while let Some(place) = next(rest) {
            out.push_str(&rest[..place]);
            write!(out, "d{number}-").unwrap_or_default();
            rest = &rest[place..];
        }
        out.push_str(rest);
        if let Some(text) = text {
            if at > 0 {
                out.push('>');
            }
            out.push_str(text);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_in_drawings_get_a_unique_prefix() {
        let svg =
            "<svg xmlns=\"s\"><g id=\"a\"><path fill=\"url(#a)\"/></g><text>id=\"a\"</text></svg>";
        let mut out = String::new();
        assert!(write(svg.as_bytes(), 3, "so", "", &mut out));
        let expected = "<svg role=\"img\" aria-label=\"so\" xmlns=\"s\"><g id=\"d3-a\">\
            <path fill=\"url(#d3-a)\"/></g><text>id=\"a\"</text></svg>";
        assert_eq!(out, expected);
        assert!(!write(b"\x89PNG", 3, "", "", &mut out));
    }
}
