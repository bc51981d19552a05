//! Documents of Apple's Pages. They are written here; `tests/corpora/iwork.py` compares the words of real ones.

use crate::{
    harness::{convert, convert_with, data, within},
    iwa::{
        Message, Object, drawable, illustrated, marks, merged, pages, pages_objects, shape, words,
    },
    zips::{Zip, entries},
};

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// The document of the tests, converted.
#[track_caller]
fn converted(to: &str) -> String {
    text(convert("a.pages", &pages(&data("picture.png")), to).unwrap())
}

/// A document whose main text is this.
fn with_text(message: Message, others: &[Object]) -> Vec<u8> {
    let mut all = pages_objects();
    all.retain(|(number, ..)| *number != 3 && *number != 30);
    all.push((3, 2001, message));
    all.extend_from_slice(others);
    illustrated(&all, &data("picture.png"))
}

#[track_caller]
fn check(result: &str, parts: &[&str]) {
    let mut rest = result;
    for part in parts {
        let Some(at) = rest.find(part) else {
            panic!("{part:?} is not there, or not in its order: {result}");
        };
        rest = &rest[at + part.len()..];
    }
}

#[test]
fn headings_lists_tables_pictures_notes_and_links_are_read() {
    check(
        &converted("md"),
        &[
            "In a box",
            "# Plans",
            "Some **bold** words and a [link](https://example.org/).",
            "1. first",
            "2. second",
            "- inner",
            "to the right",
            "| name",
            "| apples | pears |",
            "alt=\"A picture\"",
            "The end[^1].",
            "[^1]: A note",
        ],
    );
}

/// The parts of the document as docx, one after another.
fn parts() -> String {
    let file = convert("a.pages", &pages(&data("picture.png")), "docx").unwrap();
    let parts = entries(&file).into_iter();
    let parts = parts.filter(|(name, _)| name.ends_with(".xml"));
    parts
        .map(|(_, bytes)| String::from_utf8(bytes).unwrap())
        .collect()
}

#[test]
fn styles_and_their_variations_are_applied() {
    let page = converted("html").replace(": ", ":");
    check(&page, &["<h1", "Plans"]);
    for part in ["color:#ff0000", "text-align:end"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let document = parts();
    for part in ["Helvetica Neue", "w:sz w:val=\"22\""] {
        assert!(document.contains(part), "{part}: {document}");
    }
}

#[test]
fn pages_have_their_size_headers_and_footers() {
    let document = parts();
    for part in [
        "w:w=\"10000\"",
        "w:h=\"14000\"",
        "At the head",
        "PAGE",
        "In a box",
    ] {
        assert!(document.contains(part), "{part}: {document}");
    }
}

#[test]
fn every_document_format_is_written() {
    let file = pages(&data("picture.png"));
    for to in ["txt", "docx", "odt", "rtf", "epub", "pdf"] {
        convert("a.pages", &file, to).unwrap_or_else(|err| panic!("{to}: {}", err.message()));
    }
}

#[test]
fn lists_restart_as_stated() {
    let text_of = "a\nb\nbetween\nc\nd\n";
    let starts = |at: u64, number: u64| {
        Message::default()
            .number(1, at)
            .number(2, number)
            .number(3, 0)
    };
    let message = words(text_of)
        .message(
            7,
            &marks(&[(0, Some(22)), (4, Some(23)), (12, Some(22)), (14, None)]),
        )
        .message(
            14,
            &Message::default()
                .message(1, &starts(0, 1))
                .message(1, &starts(2, 0))
                .message(1, &starts(12, 5))
                .message(1, &starts(14, 0)),
        );
    let result = convert("a.pages", &with_text(message, &[]), "txt").map(text);
    check(
        &result.unwrap_or_else(|err| panic!("{}", err.message())),
        &["1. a", "2. b", "between", "5. c", "6. d"],
    );
}

#[test]
fn a_missing_style_is_that_of_the_previous_paragraph() {
    let message =
        words("one\ntwo\nthree\n").message(5, &marks(&[(0, Some(10)), (4, None), (8, Some(11))]));
    let page = convert("a.pages", &with_text(message, &[]), "md").map(text);
    check(
        &page.unwrap_or_else(|err| panic!("{}", err.message())),
        &["# one", "# two", "\nthree"],
    );
}

#[test]
fn deletions_are_left_out() {
    let message = words("keep drop this\n").message(22, &marks(&[(5, Some(90)), (10, None)]));
    let file = with_text(message, &[(90, 2060, Message::default())]);
    let (result, notes) = convert_with("a.pages", &file, "txt", "medium", &[]).unwrap();
    check(&text(result), &["keep this"]);
    assert!(
        notes.0.iter().any(|note| note.contains("tracked change")),
        "{notes:?}"
    );
}

#[test]
fn damaged_documents_are_refused_or_read_in_part() {
    #[track_caller]
    fn refused(file: &[u8], part: &str) {
        let err = convert("a.pages", file, "txt").unwrap_err();
        assert!(err.message().contains(part), "{}", err.message());
    }
    let picture = data("picture.png");
    let mut all = pages_objects();
    all.remove(0);
    refused(&illustrated(&all, &picture), "its root object");
    // Texts, shapes and styles that contain themselves.
    let circle = words("a\u{fffc}\n")
        .message(5, &marks(&[(0, Some(91))]))
        .message(9, &marks(&[(1, Some(92))]));
    let around = [
        (
            91,
            2022,
            Message::default().message(1, &Message::default().refers(3, 91)),
        ),
        (92, 2003, Message::default().refers(1, 93)),
        (93, 2011, shape([0.0; 4], 3)),
    ];
    let result = convert("a.pages", &with_text(circle, &around), "txt").map(text);
    check(
        &result.unwrap_or_else(|err| panic!("{}", err.message())),
        &["a"],
    );
    // Characters beyond the end, and objects that are of other kinds.
    let wild = words("words\n")
        .message(5, &marks(&[(u64::MAX, Some(1)), (0, Some(43))]))
        .message(9, &marks(&[(2, Some(1))]))
        .message(16, &marks(&[(3, Some(3))]));
    let result = convert("a.pages", &with_text(wild, &[]), "txt").map(text);
    check(
        &result.unwrap_or_else(|err| panic!("{}", err.message())),
        &["words"],
    );
}

#[test]
fn encrypted_documents_are_refused_as_such() {
    // The hint for the password is optional. Some programs pack the folder of a document together with its name.
    for lock in [".iwph", ".iwpv2", "a.pages/.iwpv2"] {
        let locked = Zip::default()
            .stored(lock, b"")
            .stored("Index/Document.iwa", b"")
            .finish();
        let err = convert("a.pages", &locked, "txt").unwrap_err();
        assert!(err.message().contains("encrypted"), "{}", err.message());
    }
    let former = Zip::default()
        .stored(".iwpv2", b"")
        .stored("QuickLook/Preview.pdf", b"")
        .stored("index.xml", b"")
        .finish();
    let err = convert("a.pages", &former, "pdf").unwrap_err();
    assert!(err.message().contains("encrypted"), "{}", err.message());
}

#[test]
fn merged_cells_are_one() {
    let mut all = pages_objects();
    for (number, kind, message) in merged([0, 0, 1, 2]) {
        all.retain(|(own, ..)| *own != number);
        all.push((number, kind, message));
    }
    let page = convert("a.pages", &illustrated(&all, &data("picture.png")), "html").map(text);
    let page = page.unwrap_or_else(|err| panic!("{}", err.message()));
    check(&page, &["colspan=\"2\"", "name", "apples", "pears"]);
    assert!(!page.contains("count"), "{page}");
}

#[test]
fn anchored_objects_count_towards_the_limits() {
    /// Memory in bytes and number of steps. The file takes less.
    const MEMORY: u64 = 20 << 20;
    const STEPS: u64 = 10_000_000;
    // A group with a million references to a table without columns, which leaves nothing in the document.
    let group = Message::default().message(1, &drawable([0.0; 4], ""));
    let group = (0..3_000_000).fold(group, |group, _| group.refers(2, 94));
    let others = [
        (92, 2003, Message::default().refers(1, 93)),
        (93, 3008, group),
        (
            94,
            6000,
            Message::default()
                .message(1, &drawable([0.0; 4], ""))
                .refers(2, 95),
        ),
        (95, 6001, Message::default()),
    ];
    let message = words("a\u{fffc}\n").message(9, &marks(&[(1, Some(92))]));
    let file = with_text(message, &others);
    let err = within(MEMORY, STEPS, "a.pages", &file).unwrap_err();
    assert!(err.message().contains("of memory"), "{}", err.message());
}
