//! Parts of a multipart body, and the decoding of their content. Interprets no media type.

use super::head::{Head, base64, next_line, quoted_printable};

/// Decodes the transfer encoding of a body (RFC 2045, section 6). Returns whether it is valid.
pub fn decoded_body(head: &Head, body: &[u8]) -> (Vec<u8>, bool) {
    match head.valued("content-transfer-encoding").value.trim() {
        "base64" => base64(body),
        "quoted-printable" => (quoted_printable(body), true),
        // `7bit`, `8bit` and `binary` change nothing. An unknown encoding is treated like them.
        _ => (body.to_vec(), true),
    }
}

/// Returns the pieces between the boundary lines (RFC 2046, 5.1.1), at most `most`. A missing closing boundary ends the
/// last piece with the body. The line break before a boundary belongs to the boundary.
///
/// The search for the delimiter skips bytes fast, and only its hits are checked: they must begin a line, and nothing
/// but white space or the closing `--` may follow.
pub fn split_parts<'b>(body: &'b [u8], boundary: &[u8], most: usize) -> Vec<&'b [u8]> {
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
            return pieces;
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
    pieces
}
