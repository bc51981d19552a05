//! Word documents from before 2007: the content of a file of another program, and tables of the file format with wrong
//! values.

use crate::harness::{convert, data};
use convertd::error::Kind;

/// A file of LibreOffice; see `make.py` beside it.
const LETTER: &str = "letter-office.doc";

#[test]
fn doc_files_are_read_like_docx() {
    let text = String::from_utf8(convert(LETTER, &data(LETTER), "html").unwrap()).unwrap();
    for part in [
        "<strong>bold</strong>",
        "H<sub>2</sub>O",
        ">Figures</h1>",
        "rowspan=\"2\"",
        "colspan=\"2\"",
        "<li>First</li>",
        "<blockquote>",
        "data:image/png",
        "Ελληνικά, кириллица, 日本語",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn texts_of_shapes_are_read() {
    let file = data("frames.doc");
    let text = String::from_utf8(convert("frames.doc", &file, "html").unwrap()).unwrap();
    assert!(text.contains("In the box at the right"), "{text}");
}

/// Offset of the block at the beginning of the text stream.
fn block(bytes: &[u8]) -> usize {
    let mut sectors = (512..bytes.len()).step_by(512);
    let found = sectors.find(|at| bytes[*at..].starts_with(b"\xec\xa5"));
    found.unwrap()
}

/// Checks that a conversion to text succeeds or is refused.
#[track_caller]
fn check(what: &str, bytes: &[u8]) {
    if let Err(err) = convert(LETTER, bytes, "txt") {
        assert_eq!(err.kind(), Kind::BadInput, "{what}: {err}");
    }
}

#[test]
fn tables_beyond_the_file_are_refused_or_ignored() {
    let whole = data(LETTER);
    let entries = block(&whole) + 0x9a;
    for number in 0..93 {
        let at = entries + number * 8;
        for (place, len) in [
            (u32::MAX, u32::MAX),
            (0, u32::MAX),
            (0, 0),
            (1, 0x7fff_ffff),
            (64, 40),
        ] {
            let mut bytes = whole.clone();
            bytes[at..at + 4].copy_from_slice(&place.to_le_bytes());
            bytes[at + 4..at + 8].copy_from_slice(&len.to_le_bytes());
            check(&format!("entry {number} at {place} for {len}"), &bytes);
        }
    }
}

#[test]
fn wrong_part_lengths_are_refused_or_read() {
    let whole = data(LETTER);
    let lengths = block(&whole) + 0x4c;
    for number in 0..8 {
        for len in [0, 1, 0x7fff_ffff, u32::MAX] {
            let mut bytes = whole.clone();
            let at = lengths + number * 4;
            bytes[at..at + 4].copy_from_slice(&u32::to_le_bytes(len));
            check(&format!("part {number} of {len}"), &bytes);
        }
    }
}

#[test]
fn encrypted_documents_are_refused_as_such() {
    let mut bytes = data(LETTER);
    let flags = block(&bytes) + 11;
    bytes[flags] |= 1;
    let err = convert(LETTER, &bytes, "txt").unwrap_err();
    assert!(err.to_string().contains("encrypted"), "{err}");
}
