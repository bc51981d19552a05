//! Checks the content of whole files. Other tests compare how the pages look, as pictures.

use super::write::write;
use crate::{
    error::{Error, Kind, Result},
    job::{
        Gate, Job, Need, Notes, Progress, Unlimited,
        testing::{with_job, with_options},
    },
};
use convertd_tree::*;
use std::io::Cursor;

/// Builds a document with `make`, and returns the PDF with its streams decompressed, and the notes.
fn written(
    options: &[(&str, &str)],
    make: impl Fn(&mut Builder<'_>) -> Result<()>,
) -> (String, Vec<String>) {
    let (bytes, notes) = with_options(&Unlimited, options, |job| bytes(job, &make)).unwrap();
    (unpacked(&bytes), notes)
}

fn bytes(
    job: &Job<'_>,
    make: &impl Fn(&mut Builder<'_>) -> Result<()>,
) -> Result<(Vec<u8>, Vec<String>)> {
    let mut build = Builder::new(job);
    make(&mut build)?;
    let mut notes = Notes::default();
    let document = build.finish(&mut notes)?;
    let mut out = Cursor::new(Vec::new());
    write(job, &document, &mut out, &mut notes)?;
    Ok((out.into_inner(), notes.0))
}

/// Returns a file as text, byte by byte, with every Flate stream decompressed.
fn unpacked(file: &[u8]) -> String {
    let mut text = String::new();
    let mut rest = file;
    while let Some(at) = memchr::memmem::find(rest, b"stream\n") {
        let (head, body) = rest.split_at(at + 7);
        text.extend(head.iter().map(|byte| char::from(*byte)));
        let end = memchr::memmem::find(body, b"endstream").unwrap();
        let packed = &body[..end];
        // Metadata is not compressed, so that programs can find it without parsing PDF.
        let data = miniz_oxide::inflate::decompress_to_vec_zlib(packed);
        let data = data.unwrap_or_else(|_| packed.to_vec());
        text.extend(data.iter().map(|byte| char::from(*byte)));
        rest = &body[end + 9..];
    }
    text.extend(rest.iter().map(|byte| char::from(*byte)));
    text
}

fn count(text: &str, what: &str) -> usize {
    text.matches(what).count()
}

fn paragraph(build: &mut Builder<'_>, text: &str) -> Result<()> {
    build.open(Node::Paragraph(ParagraphStyleId::default()))?;
    build.text(text)?;
    build.close()
}

fn heading(build: &mut Builder<'_>, level: u8, text: &str) -> Result<()> {
    build.open(Node::Heading {
        level,
        id: None,
        label: None,
        style: ParagraphStyleId::default(),
    })?;
    build.text(text)?;
    build.close()
}

#[test]
fn the_same_document_gives_the_same_bytes() {
    let make = |build: &mut Builder<'_>| {
        heading(build, 1, "Title")?;
        for _ in 0..100 {
            paragraph(
                build,
                "Some words to be set in lines, Ελληνικά, кириллица, עברית, and so on and on.",
            )?;
        }
        Ok(())
    };
    let once = with_job(|job| bytes(job, &make)).unwrap();
    assert_eq!(once, with_job(|job| bytes(job, &make)).unwrap());
    assert!(once.0.starts_with(b"%PDF-1.7\n") && once.0.ends_with(b"%%EOF\n"));
}

#[test]
fn page_count_follows_the_text() {
    #[track_caller]
    fn check(paragraphs: usize, options: &[(&str, &str)], pages: usize) {
        let (text, _) = written(options, |build| {
            (0..paragraphs).try_for_each(|_| paragraph(build, "One line."))
        });
        assert_eq!(count(&text, "/Type/Page/"), pages);
    }
    check(0, &[], 1);
    check(30, &[], 1);
    check(100, &[], 4);
    check(100, &[("page_size", "a3")], 3);
    check(100, &[("margin", "5")], 3);
    check(3, &[("page_size", "a5"), ("margin", "100")], 3);
}

#[test]
fn trailing_empty_lines_add_no_page() {
    #[track_caller]
    fn check(lines: usize, empty: usize, more: &str, pages: usize) {
        let (text, _) = written(&[], |build| {
            (0..lines).try_for_each(|_| paragraph(build, "One line."))?;
            (0..empty).try_for_each(|_| paragraph(build, ""))?;
            paragraph(build, more)
        });
        assert_eq!(count(&text, "/Type/Page/"), pages);
    }
    check(30, 20, "", 1);
    check(10, 40, "", 1);
    check(30, 20, "One line.", 2);
    // Layout holds back a limited number of empty lines at the end of a page. More of them make pages of their own.
    check(30, 200, "", 7);
}

#[test]
fn a_heading_stays_with_the_following_text() {
    let (text, _) = written(&[], |build| {
        for _ in 0..31 {
            paragraph(build, "One line.")?;
        }
        heading(build, 1, "Last")?;
        paragraph(build, "One line.")
    });
    // The document has a second page, with the heading and the last paragraph.
    assert_eq!(count(&text, "/Type/Page/"), 2);
    let page = text.split("/Type/Page/").nth(2).unwrap();
    assert!(page.contains("/StructParents 1"), "{page}");
}

#[test]
fn structure_tags_have_the_right_types() {
    let (text, notes) = written(&[], |build| {
        heading(build, 3, "Deep")?;
        build.open(Node::List {
            kind: ListKind::Ordered(Numbering::default()),
            tight: true,
            look: Default::default(),
        })?;
        build.open(Node::Item {
            task: None,
            label: None,
        })?;
        paragraph(build, "item")?;
        build.close()?;
        build.close()?;
        build.open(Node::Table {
            columns: Vec::new(),
            width: None,
            alignment: None,
        })?;
        for part in [Part::Head, Part::Body] {
            build.open(Node::Row { part, height: None })?;
            for _ in 0..2 {
                build.open(Node::Cell(CellShape::default()))?;
                paragraph(build, "cell")?;
                build.close()?;
            }
            build.close()?;
        }
        build.close()?;
        build.open(Node::Quote)?;
        build.open(Node::Paragraph(ParagraphStyleId::default()))?;
        build.open(Node::Link {
            target: "https://example.org/ä".into(),
            title: "".into(),
        })?;
        build.text("there")?;
        build.close()?;
        build.open(Node::Note(NoteKind::Footnote))?;
        paragraph(build, "below")?;
        build.close()?;
        build.close()?;
        build.close()
    });
    let roles = [
        ("Document", 1),
        ("H1", 1),
        ("L", 1),
        ("LI", 1),
        ("Lbl", 1),
        ("LBody", 1),
        ("Table", 1),
        ("THead", 1),
        ("TBody", 1),
        ("TR", 2),
        ("TH", 2),
        ("TD", 2),
        ("BlockQuote", 1),
        ("Note", 1),
        ("Reference", 1),
        // One link to the web, one to the note, and one back.
        ("Link", 3),
    ];
    for (role, times) in roles {
        assert_eq!(count(&text, &format!("/S/{role}/")), times, "{role}");
    }
    assert_eq!(count(&text, "/Subtype/Link"), 3);
    assert!(text.contains("(https://example.org/%C3%A4)"));
    assert!(notes.is_empty(), "{notes:?}");
}

#[test]
fn losses_are_noted() {
    #[track_caller]
    fn check(make: impl Fn(&mut Builder<'_>) -> Result<()>, note: &str) {
        let (_, notes) = written(&[], make);
        assert!(notes.len() == 1 && notes[0].contains(note), "{notes:?}");
    }
    check(
        |build| paragraph(build, "\u{4e2d}\u{6587}, so"),
        "2 characters (Chinese characters)",
    );
    check(
        |build| {
            build.open(Node::Paragraph(ParagraphStyleId::default()))?;
            build.open(Node::Link {
                target: "#nowhere".into(),
                title: "".into(),
            })?;
            build.text("there")?;
            build.close()?;
            build.close()
        },
        "its target is not in the document",
    );
    let picture = |bytes: &'static [u8]| {
        move |build: &mut Builder<'_>| {
            let id = build.resource(bytes.to_vec(), "picture", None)?;
            build.open(Node::Paragraph(ParagraphStyleId::default()))?;
            build.picture(Picture {
                source: PictureSource::Resource(id),
                alternative: "a picture".into(),
                title: "".into(),
                width: None,
                height: None,
                frame: None,
            })?;
            build.close()
        }
    };
    check(picture(b"nothing"), "could not be read");
    check(
        picture(b"\xd7\xcd\xc6\x9a and no metafile"),
        "too complicated, or damaged",
    );
    #[cfg(feature = "svg")]
    check(
        picture(b"<svg xmlns='http://www.w3.org/2000/svg'><g></svg>"),
        "too complicated, or damaged",
    );
    // Interlaced, so that it has to be decoded: 60,000 pixels on each side.
    check(
        picture(b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\xea\x60\0\0\xea\x60\x08\x02\0\0\x01\0\0\0\0\0\0\0\0IEND"),
        "more pixels than can be decoded",
    );
}

/// Gate with a limited amount of memory.
struct Little(u64);

impl Gate for Little {
    fn reserve(&self, need: Need) -> Result<()> {
        if need.memory > self.0 {
            return Err(Error::new(Kind::BadInput, "too much"));
        }
        Ok(())
    }

    fn check(&self) -> Result<()> {
        Ok(())
    }

    fn progress(&self, _: Progress) {}
}

#[test]
fn documents_beyond_the_memory_limit_are_refused() {
    let table = |build: &mut Builder<'_>| {
        build.open(Node::Table {
            columns: Vec::new(),
            width: None,
            alignment: None,
        })?;
        build.open(Node::Row {
            part: Part::Body,
            height: None,
        })?;
        build.open(Node::Cell(CellShape::default()))?;
        (0..30_000).try_for_each(|_| paragraph(build, "x"))?;
        (0..3).try_for_each(|_| build.close())
    };
    let result = with_options(&Little(44 << 20), &[], |job| bytes(job, &table));
    assert!(result.is_err_and(|error| error.kind() == Kind::BadInput));
}

#[test]
fn pdf_a_has_an_output_intent() {
    let (text, _) = written(&[("pdf_a", "true")], |build| paragraph(build, "words"));
    assert!(text.contains("<pdfaid:conformance>U</pdfaid:conformance>"));
    assert!(text.contains("/S/GTS_PDFA1") && text.contains("/N 3"));
    let (text, _) = written(&[], |build| paragraph(build, "words"));
    assert!(!text.contains("pdfaid:part") && text.contains("<pdfuaid:part>1</pdfuaid:part>"));
}

#[test]
fn the_table_of_contents_has_page_numbers() {
    let (text, _) = written(&[("toc", "true")], |build| {
        heading(build, 1, "First")?;
        (0..50).try_for_each(|_| paragraph(build, "One line."))?;
        heading(build, 1, "Second")
    });
    // Two lines of the table of contents lead to two headings.
    assert_eq!(count(&text, "/Subtype/Link"), 2);
    assert_eq!(count(&text, "/Type/Page/"), 2);
}
