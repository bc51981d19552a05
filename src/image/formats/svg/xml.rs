//! The text of a drawing as XML, and the limits on its elements, text and pictures. Draws nothing.

use resvg::usvg::roxmltree;

/// Deepest nesting of elements. The parser is recursive, so deeper nesting could overflow the stack.
pub(super) const MAX_DEPTH: usize = 200;

/// Maximum number of elements that are drawn. An element that is used several times counts each time.
pub(super) const MAX_ELEMENTS: u64 = 200_000;

/// Maximum number of comparisons of a CSS selector with an element. Each takes about 35 ns.
pub(super) const MAX_MATCHES: u64 = 50_000_000;

/// The largest file in bytes, uncompressed, without embedded pictures.
pub(super) const MAX_BYTES: u64 = 8 << 20;

/// Maximum size of all embedded pictures in bytes of base64, which is a third longer than the pictures.
pub(super) const MAX_EMBEDDED: u64 = 40 << 20;

/// Bytes of memory that a byte of the file takes when it is parsed.
pub(super) const PARSED: u64 = 20;

/// Maximum number of steps, of about a nanosecond each, for laying out the text of a drawing.
pub(super) const LETTERS: u64 = 3_000_000_000;

/// Returns the total length in bytes of the addresses in a file that begin with `data:image/`.
pub(super) fn embedded(file: &[u8]) -> u64 {
    let mut sum = 0;
    let mut rest = file;
    while let Some(at) = memchr::memmem::find(rest, b"data:image/") {
        rest = &rest[at..];
        let end = rest
            .iter()
            .position(|byte| matches!(byte, b'"' | b'\'' | b')' | b'<'));
        let (picture, after) = rest.split_at(end.unwrap_or(rest.len()));
        sum += picture.len() as u64;
        rest = after;
    }
    sum
}

/// Length of a text in bytes, not counting embedded pictures.
pub(super) fn own_len(text: &str) -> u64 {
    text.len() as u64 - embedded(text.as_bytes())
}

/// Memory for a text and its parsed form in bytes. Pictures are kept both as text and decoded.
pub(super) fn parsed(text: &str) -> u64 {
    let pictures = embedded(text.as_bytes());
    (1 + PARSED) * (text.len() as u64 - pictures) + 4 * pictures
}

/// Parses the text as XML. The caller must have checked its [`nesting`].
pub(super) fn parse(text: &str) -> Result<roxmltree::Document<'_>, roxmltree::Error> {
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        nodes_limit: MAX_ELEMENTS as u32 * 2,
        ..roxmltree::ParsingOptions::default()
    };
    roxmltree::Document::parse_with_options(text, options)
}

/// Nesting depth of the elements, estimated without parsing: tags in comments and CDATA sections count, too. Counting
/// stops above [`MAX_DEPTH`].
pub(super) fn nesting(text: &str) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    for (at, _) in text.match_indices('<') {
        let tag = &text.as_bytes()[at + 1..];
        match tag.first() {
            Some(b'/') => depth = depth.saturating_sub(1),
            Some(b'!' | b'?') | None => {}
            Some(_) => {
                depth += 1;
                deepest = deepest.max(depth);
                if deepest > MAX_DEPTH {
                    break;
                }
                let end = memchr::memchr2(b'<', b'>', tag).unwrap_or(0);
                if end > 0 && tag[end - 1] == b'/' {
                    depth -= 1;
                }
            }
        }
    }
    deepest
}
