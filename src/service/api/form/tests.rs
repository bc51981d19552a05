//! Forms in one part or many, in pieces of any length, well-formed and not.

use super::*;
use std::fs::File;
use std::io::{Seek, SeekFrom};

fn form_of(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut form = Vec::new();
    for (name, content) in parts {
        form.extend_from_slice(
            format!("--XX\r\nContent-Disposition: form-data; name={name}\r\n\r\n").as_bytes(),
        );
        form.extend_from_slice(content);
        form.extend_from_slice(b"\r\n");
    }
    form.extend_from_slice(b"--XX--");
    form
}

/// A reader of the bytes in `.0` that returns at most `.1` of them at a time.
struct Pieces<'a>(&'a [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.1.min(self.0.len()).min(out.len());
        out[..len].copy_from_slice(&self.0[..len]);
        self.0 = &self.0[len..];
        Ok(len)
    }
}

fn scratch() -> File {
    let path = std::env::temp_dir().join(format!(
        "convertd-{}",
        crate::id::ConversionId::random().unwrap()
    ));
    let file = File::options()
        .read(true)
        .write(true)
        .create_new(true)
        .open(&path)
        .unwrap();
    std::fs::remove_file(path).unwrap();
    file
}

/// Reads a form in pieces of at most `piece` bytes. Returns the form and the content of its file. Fields with a name of
/// one letter are known.
fn read(form: &[u8], piece: usize) -> Result<(Form, Vec<u8>)> {
    let mut file = scratch();
    let expected = Expected {
        max_file: 100_000,
        is_known: &|name| name.len() == 1,
        check: &mut |_, _| Ok(()),
    };
    let form = super::read(Pieces(form, piece), "XX", &mut &file, expected)?;
    let mut content = Vec::new();
    file.seek(SeekFrom::Start(0)).unwrap();
    file.read_to_end(&mut content).unwrap();
    Ok((form, content))
}

#[test]
fn content_arrives_unchanged_wherever_buffers_end() {
    // Most of these lengths are around the size of the parser's buffer. The contents end with a line break, an
    // incomplete boundary or a letter.
    for len in (65_380..65_540).chain([0, 1, 2, 3, 8_192, 70_000]) {
        for tail in [&b"\r"[..], b"\r\n", b"\r\n--X", b"\r\n--", b"x"] {
            let mut content = vec![b'a'; len];
            content.extend_from_slice(tail);
            let form = form_of(&[
                ("\"file\"; filename=\"a.bin\"", &content),
                ("\"t\"", b"png"),
            ]);
            let (form, saved) = read(&form, usize::MAX).unwrap();
            assert!(
                saved == content,
                "{len} bytes and {tail:?} arrived as {} bytes",
                saved.len()
            );
            assert_eq!(form.single("t").unwrap(), Some("png"));
        }
    }
}

#[test]
fn a_form_may_come_in_any_pieces() {
    let form = form_of(&[
        ("\"a\"", b"1"),
        ("\"file\"; filename=\"x.y\"", b"content\r\n"),
        ("\"a\"", b"2"),
    ]);
    for piece in 1..40 {
        let (form, content) = read(&form, piece).unwrap();
        assert_eq!(content, b"content\r\n");
        assert_eq!((form.file_name.as_str(), form.file_len), ("x.y", 9));
        assert_eq!(
            form.single("a").unwrap_err().message(),
            "the form has the field \"a\" twice; send it once"
        );
    }
}

#[test]
fn forms_are_read_as_they_are_meant() {
    #[track_caller]
    fn check(form: &str, file_name: &str, expected: &str) {
        for piece in [1, 7, usize::MAX] {
            let (form, content) = read(form.as_bytes(), piece).unwrap();
            assert_eq!(form.file_name, file_name);
            assert_eq!(String::from_utf8(content).unwrap(), expected);
        }
    }
    let head = "Content-Disposition: form-data; name=\"file\"; filename=\"a;b.c\"\r\n";
    let form = |before: &str, content: &str, after: &str| {
        format!("{before}--XX\r\n{head}\r\n{content}\r\n--XX--{after}")
    };
    check(&form("", "x", ""), "a;b.c", "x");
    check(
        &form("preamble\r\n", "x", "\r\nepilogue --XX\r\n"),
        "a;b.c",
        "x",
    );
    check(&form("\r\n", "x", "\r\n--XX\r\n"), "a;b.c", "x");
    // Text that is not a boundary: in the middle of a line, or longer or shorter than the boundary.
    for content in ["a--XX\r\n", "\n--XX", "\r\n--XXX", "\r\n--X", "\r\n--XX-"] {
        check(&form("", content, ""), "a;b.c", content);
    }
    // White space after a boundary, and a part without content or empty line.
    let odd = format!(
        "--XX \t\r\n{head}\r\nx\r\n--XX\r\n{}\r\n--XX--",
        "Content-Disposition: form-data; name=a\r\n"
    );
    check(&odd, "a;b.c", "x");
    // A part head with more fields than usual, one of which is nonsense.
    let many = "X-A: 1\r\nX-B: 2\r\nX-C: 3\r\nX-D: 4\r\nContent-Type: ??\r\n";
    let many = format!("--XX\r\n{many}{head}\r\nx\r\n--XX--");
    check(&many, "a;b.c", "x");
    // Long names at many positions relative to the end of the parser's buffer.
    for len in (0..9000).step_by(311) {
        let name = "n".repeat(3000);
        let form = format!(
            "--XX\r\nContent-Disposition: form-data; name=a\r\n\r\n{}\r\n--XX\r\nContent-Disposition: form-data; \
             filename=\"{name}\"; name=file\r\n\r\nx\r\n--XX--",
            "v".repeat(len)
        );
        let (form, content) = read(form.as_bytes(), usize::MAX).unwrap();
        assert_eq!((form.file_name, &content[..]), (name, &b"x"[..]));
    }
    // Content that begins like a delimiter.
    check(&form("", "--XXX", ""), "a;b.c", "--XXX");
}

#[test]
fn unknown_fields_are_skipped() {
    #[track_caller]
    fn check(name: &str, value: &[u8], kept: &[(&str, &str)]) {
        let form = form_of(&[
            ("\"t\"", b"png"),
            (name, value),
            (name, value),
            ("\"file\"; filename=\"x\"", b"content"),
        ]);
        for piece in [7, usize::MAX] {
            let (form, content) = read(&form, piece).unwrap();
            let found: Vec<(&str, &str)> = form
                .fields
                .iter()
                .map(|(name, value)| (name.as_str(), value.as_str()))
                .collect();
            assert_eq!((&found[..], &content[..]), (kept, &b"content"[..]));
        }
    }
    check("\"unknown\"", b"", &[("t", "png")]);
    check("\"unknown\"", b"\xff\r\n--X", &[("t", "png")]);
    check(
        "\"unknown\"; filename=\"y\"",
        &[b'a'; 65_536],
        &[("t", "png")],
    );
    check("\"k\"", b"1", &[("t", "png"), ("k", "1"), ("k", "1")]);
}

#[test]
fn further_files_follow_the_first_one() {
    let form = form_of(&[
        ("\"file\"; filename=\"a.md\"", b"first"),
        ("\"t\"", b"docx"),
        ("\"file\"; filename=\"img/b.png\"", b"second"),
        ("\"file\"", b""),
    ]);
    for piece in [1, 7, usize::MAX] {
        let (form, content) = read(&form, piece).unwrap();
        assert_eq!((form.file_name.as_str(), form.file_len), ("a.md", 5));
        let others = form.others.iter().map(|it| (it.name.as_str(), it.len));
        assert_eq!(others.collect::<Vec<_>>(), [("img/b.png", 6), ("", 0)]);
        assert_eq!(content, b"firstsecond");
        assert_eq!(form.single("t").unwrap(), Some("docx"));
    }
}

#[test]
fn a_form_that_is_cut_anywhere_is_refused() {
    let form = form_of(&[("\"t\"", b"png"), ("\"file\"; filename=\"x\"", b"content")]);
    for cut in 0..form.len() {
        let error = read(&form[..cut], usize::MAX).unwrap_err();
        assert_eq!(error.kind(), Kind::BadInput, "cut at {cut}");
    }
    assert!(read(&form, usize::MAX).is_ok());
}

#[test]
fn limits_are_enforced() {
    #[track_caller]
    fn check(form: &[u8], kind: Kind, words: &str) {
        let error = read(form, usize::MAX).unwrap_err();
        assert_eq!(error.kind(), kind);
        assert!(error.message().contains(words), "{}", error.message());
    }
    check(
        &form_of(&[("\"file\"; filename=\"x\"", &vec![0; 100_001])]),
        Kind::TooLarge,
        "100000 bytes",
    );
    check(
        &form_of(&[("\"file\"; filename=\"x\"", b"")]),
        Kind::BadInput,
        "empty",
    );
    let half = vec![0; 50_001];
    check(
        &form_of(&[("\"file\"", &half), ("\"file\"", &half)]),
        Kind::TooLarge,
        "100000 bytes",
    );
    check(
        &form_of(&[("\"file\"", &b"a"[..]); 1002]),
        Kind::BadInput,
        "1001 files",
    );
    check(
        &form_of(&[("\"x\"", b"a")]),
        Kind::BadInput,
        "\"file\" is missing",
    );
    check(
        &form_of(&[("\"x\"", &vec![b'a'; 65_537])]),
        Kind::BadInput,
        "65536",
    );
    check(
        &form_of(&[("\"unknown\"", &vec![b'a'; 65_537])]),
        Kind::BadInput,
        "65536",
    );
    let half = vec![b'a'; 32_769];
    check(
        &form_of(&[("\"x\"", &half), ("\"y\"", &half)]),
        Kind::BadInput,
        "\"y\" is too long",
    );
    check(&form_of(&[("\"x\"", b"\xff")]), Kind::BadInput, "UTF-8");
    let mut most: Vec<(&str, &[u8])> = vec![("\"x\"", b"a"); 31];
    most.push(("\"file\"; filename=\"x\"", b"a"));
    let most = form_of(&most);
    assert!(read(&most, usize::MAX).is_ok());
    check(
        &form_of(&[("\"x\"", &b"a"[..]); 33]),
        Kind::BadInput,
        "32 parts",
    );
    assert!(
        read(
            &form_of(&[("\"file\"; filename=\"x\"", &vec![0; 100_000])]),
            usize::MAX
        )
        .is_ok()
    );
}

#[test]
fn boundaries_come_from_the_content_type() {
    #[track_caller]
    fn check(content_type: &str, expected: Option<&str>) {
        assert_eq!(
            boundary(Some(content_type)).ok().as_deref(),
            expected,
            "{content_type}"
        );
    }
    check("multipart/form-data; boundary=abc", Some("abc"));
    check(
        "Multipart/Form-Data; charset=utf-8; Boundary=\"a b:c\"",
        Some("a b:c"),
    );
    check(
        "multipart/form-data; a=\"; boundary=b\"; boundary=c",
        Some("c"),
    );
    check("multipart/form-data; boundary=b; boundary=c", None);
    check("multipart/form-data", None);
    check("multipart/form-data; boundary=", None);
    check("multipart/form-data; boundary=a\u{e9}", None);
    check("multipart/mixed; boundary=abc", None);
    check("application/json", None);
    assert!(boundary(None).is_err());
}
