//! Parts of a multipart body, and the decoding of their content. Interprets no media type.

use super::{
    encoded::{base64, quoted_printable},
    head::{Head, Valued},
    lines::next_line,
};

/// Pieces of a multipart body, each with a head of its own.
pub struct Pieces<'b> {
    /// Pieces in the order of the body.
    pub pieces: Vec<&'b [u8]>,
    /// Whether the body ends with the closing boundary, or has more pieces than were asked for. A message that was cut
    /// off has no closing boundary.
    pub is_closed: bool,
}

/// Decodes the transfer encoding of a body (RFC 2045, section 6). Also returns false if the body is damaged Base64;
/// damage in other encodings is not detected.
pub fn decoded_body(head: &Head, body: &[u8]) -> (Vec<u8>, bool) {
    match head.valued("content-transfer-encoding").value.trim() {
        "base64" => base64(body),
        "quoted-printable" => (quoted_printable(body), true),
        // `7bit`, `8bit` and `binary` change nothing. An unknown encoding is treated like them.
        _ => (body.to_vec(), true),
    }
}

/// Splits a body at its boundary lines (RFC 2046, 5.1.1) into at most `most` pieces. A missing closing boundary ends
/// the last piece with the body. The line break before a boundary belongs to the boundary.
///
/// The search for the delimiter skips bytes fast, and only its hits are checked: they must begin a line, and nothing
/// but white space or the closing `--` may follow.
pub fn split_parts<'b>(body: &'b [u8], boundary: &[u8], most: usize) -> Pieces<'b> {
    let delimiter = [b"--", boundary].concat();
    let mut pieces = Vec::new();
    let mut start = None;
    let mut at_line_begin = 0;
    for at in memchr::memmem::find_iter(body, &delimiter) {
        if at < at_line_begin || (at > 0 && body[at - 1] != b'\n') {
            continue;
        }
        let after = &body[at + delimiter.len()..];
        let (line, _) = next_line(after);
        let is_last = line.starts_with(b"--");
        if !is_last && !line.trim_ascii().is_empty() {
            // Another boundary, which begins with the same characters.
            continue;
        }
        if let Some(start) = start.take() {
            let piece: &[u8] = &body[start..at];
            let piece = piece.strip_suffix(b"\n").unwrap_or(piece);
            pieces.push(piece.strip_suffix(b"\r").unwrap_or(piece));
        }
        if is_last || pieces.len() >= most {
            return Pieces {
                pieces,
                is_closed: true,
            };
        }
        let end = after
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(body.len(), |end| at + delimiter.len() + end + 1);
        start = Some(end);
        at_line_begin = end;
    }
    if let Some(start) = start {
        pieces.push(&body[start.min(body.len())..]);
    }
    Pieces {
        pieces,
        is_closed: false,
    }
}

impl Pieces<'_> {
    /// Moves the root of a `multipart/related` to the front, because the other pieces are its files. Pieces of other
    /// kinds stay in their order.
    pub fn put_root_first(&mut self, kind: &Valued) {
        if kind.value == "multipart/related" && !self.pieces.is_empty() {
            let root = root_of(&self.pieces, kind);
            self.pieces[..=root].rotate_right(1);
        }
    }
}

/// Index of the piece of a `multipart/related` that shows the others as its files (RFC 2387, 3.2): the one that the
/// parameter `start` names, or else the first one that is a page or has parts of its own, or else the first one.
fn root_of(pieces: &[&[u8]], kind: &Valued) -> usize {
    let start = kind.get("start");
    let start = start
        .as_deref()
        .map(|id| id.trim().trim_matches(['<', '>']));
    let is_page = |kind: &str| kind == "text/html" || kind.starts_with("multipart/");
    let mut first_page = None;
    for (nth, piece) in pieces.iter().enumerate() {
        let (head, _) = Head::split(piece);
        if start.is_some() && head.content_id().as_deref() == start {
            return nth;
        }
        if first_page.is_none() && is_page(&head.valued("content-type").value) {
            first_page = Some(nth);
            if start.is_none() {
                break;
            }
        }
    }
    first_page.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_closing_boundary_is_told() {
        #[track_caller]
        fn check(body: &str, most: usize, expected: (&[&str], bool)) {
            let found = split_parts(body.as_bytes(), b"b", most);
            let pieces: Vec<_> = found
                .pieces
                .iter()
                .map(|piece| str::from_utf8(piece).unwrap())
                .collect();
            assert_eq!((&*pieces, found.is_closed), expected);
        }
        check("--b\n1\n--b\n2\n--b--\n", 9, (&["1", "2"], true));
        check("--b\n1\n--b\n2\n", 9, (&["1", "2\n"], false));
        check("--b\n1\n--b\n2\n", 1, (&["1"], true));
        check("", 1, (&[], false));
    }

    #[test]
    fn the_root_is_the_named_part_or_the_first_page() {
        let css: &[u8] = b"Content-Type: text/css\nContent-ID: <c>\n\n";
        let page: &[u8] = b"Content-Type: text/html\n\n";
        let inner: &[u8] = b"Content-Type: multipart/alternative; boundary=x\n\n";
        let root = |pieces: &[&[u8]], start: &str| {
            let (head, _) = Head::split(start.as_bytes());
            root_of(pieces, &head.valued("content-type"))
        };
        let plain = "Content-Type: multipart/related\n\n";
        assert_eq!(root(&[css, page, page], plain), 1);
        assert_eq!(root(&[css, inner, page], plain), 1);
        assert_eq!(root(&[css, css], plain), 0);
        let named = "Content-Type: multipart/related; start=\"<c>\"\n\n";
        assert_eq!(root(&[page, css], named), 1);
        assert_eq!(root(&[css, page], &named.replace("<c>", "<d>")), 1);
    }
}
