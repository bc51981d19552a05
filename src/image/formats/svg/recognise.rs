//! Recognises a drawing by its beginning: an XML document whose root element is `svg`. Parses only what may precede the
//! root element, so that an HTML page with a drawing inside does not count as SVG.

use super::text;
use convertd_core::job::Input;
use std::io::{Read as _, SeekFrom};

/// Number of bytes that are searched for the root element. Some programs declare dozens of entities before it.
const MAX: u64 = 1 << 16;

/// Returns whether the root element of a file is `svg`, with or without a prefix. The file may be compressed. `head` is
/// its beginning, which is usually sufficient.
pub(crate) fn is_svg(head: &[u8], input: &mut dyn Input) -> bool {
    found(head).unwrap_or_else(|Cut| {
        let mut more = Vec::new();
        let read = input
            .seek(SeekFrom::Start(0))
            .and_then(|_| input.take(MAX).read_to_end(&mut more));
        read.is_ok() && found(&more) == Ok(true)
    })
}

/// Returns whether this is the beginning of a drawing: in UTF-8, compressed or not, or in uncompressed UTF-16 with a
/// byte order mark.
fn found(head: &[u8]) -> Result<bool, Cut> {
    let low: fn(&[u8; 2]) -> u8 = match head {
        [0xff, 0xfe, ..] => |unit| if unit[1] == 0 { unit[0] } else { b'?' },
        [0xfe, 0xff, ..] => |unit| if unit[0] == 0 { unit[1] } else { b'?' },
        head if text::is_packed(head) => {
            let text = text::unpack_head(head, MAX as usize).ok_or(Cut)?;
            return root(&text);
        }
        head => return root(head),
    };
    let units = head[2..].as_chunks().0.iter();
    root(&units.map(low).collect::<Vec<u8>>())
}

/// Returns whether a complete text in UTF-8 is a drawing.
pub(crate) fn is_text_of_svg(text: &[u8]) -> bool {
    root(text) == Ok(true)
}

/// The error for a text that ends before the name of its root element.
#[derive(Debug, PartialEq, Eq)]
struct Cut;

/// Returns whether the root element is `svg`. A byte order mark, white space, processing instructions (including the
/// XML declaration), comments and a document type may precede it (XML 1.0, production 22).
fn root(text: &[u8]) -> Result<bool, Cut> {
    let mut rest = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    loop {
        rest = rest.trim_ascii_start();
        rest = if let Some(inside) = rest.strip_prefix(b"<?") {
            after(inside, b"?>")?
        } else if let Some(inside) = rest.strip_prefix(b"<!--") {
            after(inside, b"-->")?
        } else if let Some(inside) = rest.strip_prefix(b"<!DOCTYPE") {
            after_doctype(inside)?
        } else if let Some(tag) = rest.strip_prefix(b"<") {
            let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/');
            let end = tag.iter().position(ends).ok_or(Cut)?;
            let mut parts = tag[..end].rsplit(|byte| *byte == b':');
            let is_svg = parts.next() == Some(b"svg");
            let is_prefix = |prefix: &[u8]| !prefix.is_empty();
            return Ok(is_svg && parts.next().is_none_or(is_prefix) && parts.next().is_none());
        } else {
            return if rest.is_empty() { Err(Cut) } else { Ok(false) };
        }
    }
}

/// Returns the text after the first `mark`. Errors: the text has no `mark`.
fn after<'t>(text: &'t [u8], mark: &[u8]) -> Result<&'t [u8], Cut> {
    let at = memchr::memmem::find(text, mark).ok_or(Cut)?;
    Ok(&text[at + mark.len()..])
}

/// The text after a document type, which may contain declarations in brackets (production 28).
fn after_doctype(mut text: &[u8]) -> Result<&[u8], Cut> {
    let mut is_within = false;
    loop {
        let (&byte, rest) = text.split_first().ok_or(Cut)?;
        text = match byte {
            b'"' | b'\'' => after(rest, &[byte])?,
            b'<' if rest.starts_with(b"!--") => after(&rest[3..], b"-->")?,
            b'<' if rest.starts_with(b"?") => after(&rest[1..], b"?>")?,
            b'>' if !is_within => return Ok(rest),
            _ => rest,
        };
        match byte {
            b'[' => is_within = true,
            b']' => is_within = false,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[track_caller]
    fn check(text: &str, expected: bool) {
        let head = &text.as_bytes()[..text.len().min(512)];
        assert_eq!(is_svg(head, &mut Cursor::new(text)), expected, "{text:.60}");
    }

    #[test]
    fn the_root_element_identifies_a_drawing() {
        check("<svg xmlns='http://www.w3.org/2000/svg'/>", true);
        check("<svg/>", true);
        check("<svg\n>", true);
        check("\u{feff}<?xml version='1.0'?>\n<!-- a --><svg>", true);
        check("<?xml-stylesheet href='<html>'?><svg>", true);
        check("<!DOCTYPE svg><svg:svg>", true);
        check("<!-- <html> --> <s:svg>", true);
        check("<:svg>", false);
        check("<a:b:svg>", false);
        check("<svgz>", false);
        check("<svg", false);
        check("", false);
    }

    #[test]
    fn files_with_another_root_are_not_drawings() {
        check("<html><svg>", false);
        check("<!DOCTYPE html>\n<html><body><svg>", false);
        check("<!-- page --><p><svg>", false);
        check("<?xml version='1.0'?><html:html><svg>", false);
        check("A text about <svg>", false);
        check("<!-- <svg> -->", false);
        check("<!ELEMENT svg><svg>", false);
    }

    #[test]
    fn drawings_are_recognised_in_other_encodings() {
        let text = "<?xml version='1.0' encoding='utf-16'?><!-- \u{424} --><svg>";
        for to_bytes in [u16::to_le_bytes, u16::to_be_bytes] {
            let units = "\u{feff}".encode_utf16().chain(text.encode_utf16());
            let file: Vec<u8> = units.flat_map(to_bytes).collect();
            assert!(is_svg(&file, &mut Cursor::new(&file)));
            let short = &file[..file.len() - 4];
            assert!(!is_svg(short, &mut Cursor::new(short)));
        }
    }

    #[test]
    fn declarations_may_precede_the_root() {
        let types = "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' \"a>b\" [\n\
            <!ENTITY ns 'http://ns.adobe.com/]>'><!-- \" ] > --><?a \" ?>\n\
            <!ENTITY other \"<svg>\">\n]  >";
        check(&format!("<?xml version='1.0'?>{types}<svg>"), true);
        check(&format!("{types}<html>"), false);
        // The comment is longer than the head of a file.
        let long = format!("<!--{}-->", "x".repeat(5000));
        check(&format!("{long}<svg>"), true);
        check(&format!("{long}<html>"), false);
        check(&format!("<!--{}", "x".repeat(5000)), false);
    }
}
