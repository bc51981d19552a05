//! The text of a drawing as XML, and how much of everything may be in it. Draws nothing.

use resvg::usvg::roxmltree;

/// Deepest nesting of elements. The parser recurses.
pub(super) const MAX_DEPTH: usize = 200;

/// Most elements that are drawn, with those that are used more than once counted each time.
pub(super) const MAX_ELEMENTS: u64 = 200_000;

/// Most times that a selector of CSS is compared with an element, each of which takes some 35 ns.
pub(super) const MAX_MATCHES: u64 = 50_000_000;

/// Largest file, unpacked, without the pictures in it. Drawings of this size are data, not pictures.
pub(super) const MAX_BYTES: u64 = 8 << 20;

/// Most bytes of pictures in it, in base 64, which takes a third more than they do.
pub(super) const MAX_EMBEDDED: u64 = 40 << 20;

/// Bytes that a byte of the file becomes when it is parsed.
pub(super) const PARSED: u64 = 20;

/// Steps of about a nanosecond that laying out the text of any drawing may take.
pub(super) const LETTERS: u64 = 3_000_000_000;

/// Bytes of the pictures in a file, as they stand in it.
pub(super) fn embedded(file: &[u8]) -> u64 {
    let mut sum = 0;
    let mut rest = file;
    while let Some(at) = memchr::memmem::find(rest, b"data:image/") {
        rest = &rest[at..];
        let end = rest
            .iter()
            .position(|byte| matches!(byte, b'"' | b'\'' | b')' | b'<'));
        let (picture, behind) = rest.split_at(end.unwrap_or(rest.len()));
        sum += picture.len() as u64;
        rest = behind;
    }
    sum
}

/// Bytes of a text without the pictures in it.
pub(super) fn own_len(text: &str) -> u64 {
    text.len() as u64 - embedded(text.as_bytes())
}

/// Bytes that a text and what it is parsed into take. Of pictures there are copies, as texts and as they are.
pub(super) fn parsed(text: &str) -> u64 {
    let pictures = embedded(text.as_bytes());
    (1 + PARSED) * (text.len() as u64 - pictures) + 4 * pictures
}

/// Parses the text as XML. Check before how deep it is nested.
pub(super) fn parse(text: &str) -> Result<roxmltree::Document<'_>, roxmltree::Error> {
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        nodes_limit: MAX_ELEMENTS as u32 * 2,
        ..roxmltree::ParsingOptions::default()
    };
    roxmltree::Document::parse_with_options(text, options)
}

/// Depth to which elements are nested, or appear to be.
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
