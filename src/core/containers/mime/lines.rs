//! Lines of a message. Decodes nothing.

/// Returns the first line without its end (LF or CRLF), and the rest.
pub(super) fn next_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    match memchr::memchr(b'\n', bytes) {
        Some(end) => (
            bytes[..end].strip_suffix(b"\r").unwrap_or(&bytes[..end]),
            &bytes[end + 1..],
        ),
        None => (bytes.strip_suffix(b"\r").unwrap_or(bytes), &[]),
    }
}
