//! Text of a file as a JSON string, piece by piece.

use std::io::{self, Write};

/// Writes a piece of a text as part of a JSON string (RFC 8259, section 7). A piece may end within a character: all
/// bytes that need an escape are ASCII, and none of them occurs inside a longer character.
pub(super) fn escape(mut piece: &[u8], to: &mut dyn Write) -> io::Result<()> {
    let is_special = |byte: &u8| matches!(byte, 0..0x20 | b'"' | b'\\');
    while let Some(at) = piece.iter().position(is_special) {
        to.write_all(&piece[..at])?;
        match piece[at] {
            b'\n' => to.write_all(b"\\n")?,
            byte @ (b'"' | b'\\') => to.write_all(&[b'\\', byte])?,
            byte => write!(to, "\\u{byte:04x}")?,
        }
        piece = &piece[at + 1..];
    }
    to.write_all(piece)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_piece_by_piece() {
        let text = "a\"\\\n\t\u{1}\u{7f}é\u{2028}";
        for size in 1..text.len() {
            let mut json = b"\"".to_vec();
            for piece in text.as_bytes().chunks(size) {
                escape(piece, &mut json).unwrap();
            }
            json.push(b'"');
            let read: String = serde_json::from_slice(&json).unwrap();
            assert_eq!(read, text);
        }
    }

    #[test]
    fn strings_are_escaped_bytewise() {
        let text = "a\"\\\n\t\u{1}é\r";
        let halves = text.as_bytes().split_at(8);
        let mut inside = Vec::new();
        for half in [halves.0, halves.1] {
            escape(half, &mut inside).unwrap();
        }
        let json = format!("\"{}\"", String::from_utf8(inside).unwrap());
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }
}
