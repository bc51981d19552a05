//! Addresses of resources beside a file: pictures, style sheets and fonts that a page, a drawing, a Markdown text or a
//! notebook refers to. Opens nothing: the caller knows which files exist, and which may be read.
//!
//! The caller must open the files before the conversion begins, so the text is searched without being parsed. The
//! search may find addresses that the conversion does not use, such as one in a block of code. It takes linear time.

use crate::{coding::encoding, format::Format};
use convertd_markup::html::{Named, Names, has_scheme, inline, plain_address};
use serde_json::Value;

/// Returns whether files of a format refer to other files.
pub fn names_others(format: &Format) -> bool {
    ["html", "md", "ipynb", "svg"].contains(&format.name)
}

/// Returns whether a file with this beginning is a picture that documents can show.
pub fn is_picture(head: &[u8]) -> bool {
    convertd_tree::media::sniff(head).is_some()
}

/// Calls `find` with every address without a scheme in a file of this format. Query, fragment and a leading `./` are
/// removed from the address. For a style sheet, `find` returns its text, which is searched as well.
pub fn look_beside(format: &Format, bytes: Vec<u8>, find: &mut dyn FnMut(&str) -> Option<Vec<u8>>) {
    let mut found = FilteredNames(find);
    match format.name {
        "md" => markdown(&encoding::decode(bytes), &mut found),
        "ipynb" => {
            // An unreadable notebook counts as empty here; its conversion reports the error.
            let notebook: Value = serde_json::from_slice(&bytes).unwrap_or_default();
            for cell in notebook["cells"].as_array().into_iter().flatten() {
                if cell["cell_type"] == "markdown" {
                    markdown(&source(&cell["source"]), &mut found);
                }
            }
        }
        _ => drop(inline(
            &convertd_tree::encoding::decode_html(bytes),
            &mut found,
            usize::MAX,
        )),
    }
}

/// Text of a cell, which is a string or a list of lines.
fn source(source: &Value) -> String {
    match source {
        Value::String(text) => text.clone(),
        other => {
            let lines = other.as_array().into_iter().flatten();
            lines.filter_map(Value::as_str).collect()
        }
    }
}

/// Passes on the addresses that may name a file next to the document, and only those.
struct FilteredNames<'f>(&'f mut dyn FnMut(&str) -> Option<Vec<u8>>);

impl Names for FilteredNames<'_> {
    fn find(&mut self, address: &str) -> Option<Named> {
        let address = plain_address(address.trim());
        if address.is_empty() || has_scheme(address) {
            return None;
        }
        let sheet = (self.0)(address)?;
        Some(Named::new("text/css".into(), sheet.into()))
    }
}

/// Finds addresses in Markdown (CommonMark, 6.4 and 4.7): of pictures, in link reference definitions, and in HTML.
fn markdown(text: &str, found: &mut FilteredNames<'_>) {
    inline(text, found, usize::MAX);
    let bytes = text.as_bytes();
    // For each open bracket, whether it begins a picture.
    let mut open = Vec::new();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            _ if at > 0 && bytes[at - 1] == b'\\' => {}
            b'[' => open.push(at > 0 && bytes[at - 1] == b'!'),
            b']' => {
                let is_picture = open.pop() == Some(true);
                let wanted = match bytes.get(at + 1) {
                    Some(b'(') => is_picture,
                    Some(b':') => true,
                    _ => false,
                };
                if wanted {
                    found.find(&destination(&text[at + 2..]));
                }
            }
            _ => {}
        }
    }
}

/// The destination of a link (CommonMark, 6.3), without escapes.
fn destination(text: &str) -> String {
    let text = text.trim_start();
    let (text, is_end): (&str, fn(char) -> bool) = match text.strip_prefix('<') {
        Some(text) => (text, |c| matches!(c, '>' | '\n')),
        None => (text, |c| c.is_whitespace()),
    };
    let mut out = String::new();
    let (mut depth, mut rest) = (0, text.chars().peekable());
    while let Some(c) = rest.next() {
        match c {
            '\\' if rest.peek().is_some_and(char::is_ascii_punctuation) => out.extend(rest.next()),
            ')' if depth == 0 && !is_end('>') => break,
            c if is_end(c) => break,
            c => {
                depth += i32::from(c == '(') - i32::from(c == ')');
                out.push(c);
            }
        }
    }
    out.replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::format;

    #[track_caller]
    fn check(name: &str, text: &str, expected: &[&str]) {
        let mut named = Vec::new();
        look_beside(format(name), text.into(), &mut |address| {
            named.push(address.to_owned());
            (address == "a.css").then(|| b"@import 'b.css'; p{background:url(c.png)}".to_vec())
        });
        named.sort();
        named.dedup();
        assert_eq!(named, expected, "{text}");
    }

    #[test]
    fn relative_addresses_are_found() {
        check("md", "![a](b/c.png) [link](other.md)", &["b/c.png"]);
        check("md", "[![a](x.png 'title')](y.png)", &["x.png"]);
        check("md", "![a]( <b c.png> )", &["b c.png"]);
        check("md", "![a](b(1).png)(", &["b(1).png"]);
        check("md", "![a](b\\_c.png?raw=1#x)", &["b_c.png"]);
        check("md", "![a][b]\n\n[b]: ../c.png\n", &["../c.png"]);
        check("md", "<img width=3 src='./d.png'>", &["d.png"]);
        check(
            "md",
            "![a](https://h/a.png) ![b](data:image/png;base64,x)",
            &[],
        );
        check(
            "md",
            "![a](//h/a.png) \\![a](b.png",
            &["//h/a.png", "b.png"],
        );
        check("md", "]]]([[[![", &[]);
        check(
            "html",
            "<link rel=stylesheet href=a.css><img src=d.png>",
            &["a.css", "b.css", "c.png", "d.png"],
        );
        check(
            "ipynb",
            r#"{"cells": [{"cell_type": "markdown", "source": ["![a](b", ".png)"]}, {"cell_type": "code", "source": "![](c)"}]}"#,
            &["b.png"],
        );
        check("ipynb", "not JSON", &[]);
    }
}
