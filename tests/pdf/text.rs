//! Text of PDF files: the words that poppler finds, in its order, and structure that follows from positions.

use crate::{
    harness::{all, convert, convert_with, directory, fixture, has, output_of, words_in_order},
    make,
};
use convertd::error::Kind;
use std::fs;

/// Lower limit for the share of words that are the same in the same order. Each file has about a hundred words, so a
/// cell of a few words that poppler puts elsewhere costs a few hundredths.
const LEAST: f64 = 0.96;

#[test]
fn words_have_the_order_of_poppler() {
    if !has("pdftotext") {
        return;
    }
    let at = directory("words");
    for (name, bytes) in all() {
        let path = at.join(&name);
        fs::write(&path, &bytes).unwrap();
        let path = path.to_str().unwrap();
        // poppler lists a table by columns, or with this flag by rows, as this program does.
        let theirs = [vec![path, "-"], vec!["-layout", path, "-"]]
            .map(|arguments| output_of("pdftotext", &arguments));
        if theirs[0].trim().is_empty() {
            continue;
        }
        let ours = String::from_utf8(convert(&name, &bytes, "txt").unwrap()).unwrap();
        let same = theirs.map(|theirs| words_in_order(&ours, &theirs));
        let best = same[0].max(same[1]);
        assert!(best >= LEAST, "{name}: {best:.4}\n{ours}");
    }
}

/// Checks the text of a page with this content.
#[track_caller]
fn check(content: &str, to: &str, expected: &str) {
    let file = make::with_content("", content);
    let result = convert("a.pdf", &file, to).unwrap();
    assert_eq!(String::from_utf8(result).unwrap(), expected);
}

/// Lines of Helvetica, each with its size and position.
fn lines(lines: &[(&str, f32, f32, f32)]) -> String {
    let line = |(text, size, x, y): &(&str, f32, f32, f32)| {
        format!("BT /F {size} Tf {x} {y} Td ({text}) Tj ET\n")
    };
    lines.iter().map(line).collect()
}

#[test]
fn words_survive_stretching_and_spacing() {
    // Each word is stretched by another factor, as in the text layer of a scan.
    check(
        "BT /F 1 Tf 14 0 0 9 50 700 Tm (memory) Tj 11 0 0 8 150 700 Tm (of summer) Tj ET",
        "txt",
        "memory of summer\n",
    );
    // A subscript far below the line, directly after its base letter.
    check(
        "BT /F 9 Tf 50 700 Td (k) Tj /F 6 Tf 4.6 -3.4 Td (A) Tj /F 9 Tf 4.4 3.4 Td (, e) Tj ET",
        "txt",
        "kA, e\n",
    );
    // Letters spaced by a third of the size.
    check(
        "BT /F 10 Tf 3 Tc 50 700 Td (wide letters here) Tj ET",
        "txt",
        "wide letters here\n",
    );
    // Letters so condensed that two of them are closer than a letter and its shadow elsewhere.
    check(
        "BT /F 20 Tf 20 Tz 50 700 Td (million) Tj ET",
        "txt",
        "million\n",
    );
    // A superscript.
    check(
        "BT /F 10 Tf 50 700 Td (in L) Tj ET BT /F 7 Tf 63.5 702 Td (A) Tj ET BT /F 10 Tf 66.5 700 Td (TEX as) Tj ET",
        "txt",
        "in LATEX as\n",
    );
    // An accent, drawn before the letter below it.
    check(
        "BT /F 10 Tf 50 700 Td (caf) Tj ET BT /F 10 Tf 64.4 700 Td (\\264) Tj ET BT /F 10 Tf 63.34 700 Td (e) Tj ET",
        "txt",
        "café\n",
    );
}

#[test]
fn letters_become_words_and_lines() {
    check(
        "BT /F 10 Tf 50 700 Td (plain text) Tj ET",
        "txt",
        "plain text\n",
    );
    check(
        "BT /F 10 Tf 50 700 Td [(pla) -20 (in) -300 (text)] TJ ET",
        "txt",
        "plain text\n",
    );
    // The order of drawing does not matter.
    let swapped = lines(&[("below", 10.0, 50.0, 688.0), ("above", 10.0, 50.0, 700.0)]);
    check(&swapped, "txt", "above\nbelow\n");
    // Drawn twice to look bold.
    let twice = lines(&[("bold", 10.0, 50.0, 700.0), ("bold", 10.0, 50.3, 700.0)]);
    check(&twice, "txt", "bold\n");
    let raised = lines(&[("x", 10.0, 50.0, 700.0), ("2", 6.0, 55.2, 704.0)]);
    check(&raised, "txt", "x2\n");
    let hyphens = lines(&[
        ("an exam-", 10.0, 50.0, 700.0),
        ("ple of it", 10.0, 50.0, 688.0),
    ]);
    check(&hyphens, "txt", "an example\nof it\n");
    // Invisible text is still text, as in the layer of a scan.
    check(
        "BT 3 Tr /F 10 Tf 50 700 Td (unseen) Tj ET",
        "txt",
        "unseen\n",
    );
    let actual = "/Span << /ActualText (fine) >> BDC BT /F 10 Tf 50 700 Td (xxxx) Tj ET EMC";
    check(actual, "txt", "fine\n");
}

#[test]
fn columns_are_read_one_after_another_and_tables_row_by_row() {
    let long = "a line of words that fills a column";
    let other = "another one that stands to the right";
    let columns = lines(&[
        (long, 10.0, 50.0, 700.0),
        (other, 10.0, 300.0, 700.0),
        (long, 10.0, 50.0, 688.0),
        (other, 10.0, 300.0, 688.0),
    ]);
    check(
        &columns,
        "txt",
        &format!("{long}\n{long}\n\n{other}\n{other}\n"),
    );
    let table = lines(&[
        ("apples", 10.0, 50.0, 700.0),
        ("3", 10.0, 300.0, 700.0),
        ("pears", 10.0, 50.0, 688.0),
        ("4", 10.0, 300.0, 688.0),
    ]);
    check(&table, "txt", "apples 3\npears 4\n");
}

#[test]
fn blocks_are_guessed_from_the_layout() {
    let page = [
        lines(&[
            ("A title", 20.0, 50.0, 740.0),
            (
                "The first line of a paragraph goes on and on to the edge",
                10.0,
                50.0,
                700.0,
            ),
            ("with a second one.", 10.0, 50.0, 688.0),
            ("- one", 10.0, 50.0, 660.0),
            ("- two", 10.0, 50.0, 648.0),
            ("1. first", 10.0, 50.0, 620.0),
            ("2. second", 10.0, 50.0, 608.0),
        ]),
        "BT /B 10 Tf 50 570 Td (Strong) Tj /F 10 Tf ( and plain, which goes on) Tj ET".to_owned(),
    ]
    .concat();
    check(
        &page,
        "md",
        "# A title\n\nThe first line of a paragraph goes on and on to the edge with a second\none.\n\n\
         - one\n- two\n\n1. first\n2. second\n\n**Strong** and plain, which goes on\n",
    );
}

#[test]
fn content_after_a_damaged_stream_is_read() {
    // The array refers to an object that is not in the file, to null, and to a stream.
    let mut file = make::page("");
    file.object("[9 0 R 5 0 R 6 0 R]");
    file.object("null");
    file.stream("", "BT /F 10 Tf 50 700 Td (good) Tj ET");
    let result = convert("a.pdf", &file.finish(), "txt").unwrap();
    assert_eq!(String::from_utf8(result).unwrap(), "good\n");
}

#[test]
fn uncompressed_files_are_read() {
    #[track_caller]
    fn check(name: &str, expected: &str) {
        let result = convert("a.pdf", &fixture(name), "md").unwrap();
        assert_eq!(String::from_utf8(result).unwrap(), expected);
    }
    check(
        "structure/tagged.pdf",
        "# The year\n\nA paragraph that goes on and ends.\n\n- An item of a list\n\n\
         | Name   | Count |\n|--------|-------|\n| apples | 12    |\n\nA note below.\n",
    );
    check(
        "structure/around.pdf",
        "# A heading\n\n\
         | Fruit  | Old | New |\n|--------|-----|-----|\n| apples | 12  | 14  |\n| pears  | 7   | 9   |\n\n\
         [In a layer](https://example.org/)\n\nAda\n\n☒\n\n1 A note\n\nbehind a scan\n",
    );
}

#[test]
fn links_have_the_targets_of_annotations() {
    let link = "/Annots [<< /Type /Annot /Subtype /Link /Rect [49 695 100 715] \
                /A << /S /URI /URI (https://example.org/) >> >>]";
    let file = make::with_content(link, &lines(&[("a link", 10.0, 50.0, 700.0)]));
    let html = String::from_utf8(convert("a.pdf", &file, "html").unwrap()).unwrap();
    assert!(
        html.contains("<a href=\"https://example.org/\">a link</a>"),
        "{html}"
    );
}

#[test]
fn right_to_left_lines_are_put_in_logical_order() {
    // Hebrew letters through a ToUnicode table, drawn in visual order: the last letter first.
    let mut file = make::page(
        "/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 5 0 R >> >> >>",
    );
    file.stream("", "BT /F 10 Tf 50 700 Td (dcba 12) Tj ET");
    file.stream(
        "",
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def\n\
         1 begincodespacerange <00> <ff> endcodespacerange\n\
         1 beginbfrange <61> <64> <05d0> endbfrange\n\
         3 beginbfchar <20> <0020> <31> <0031> <32> <0032> endbfchar\nendcmap end end",
    );
    let text = convert("a.pdf", &file.finish(), "txt").unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), "12 אבגד\n");
}

#[test]
fn losses_are_noted() {
    #[track_caller]
    fn check(name: &str, bytes: &[u8], says: &str) {
        let (_, notes) = convert_with(name, bytes, "md", "medium", &[]).unwrap();
        assert!(notes.0.iter().any(|note| note.contains(says)), "{notes:?}");
    }
    let mut file = make::File::new();
    file.object(
        "<< /Type /Catalog /Pages 2 0 R /Names << /JavaScript << >> /EmbeddedFiles << >> >> /AcroForm << /XFA (x) >> >>",
    );
    file.object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
    file.object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>");
    let file = file.finish();
    check("a.pdf", &file, "Scripts");
    check("a.pdf", &file, "attached");
    check("a.pdf", &file, "XFA");
    check("a.pdf", &file, "no text");
    // Layers are hidden or shown, while visibility expressions are not evaluated.
    for (membership, is_told) in [("/OCGs 5 0 R", false), ("/VE [/Not 5 0 R]", true)] {
        let mut file = make::File::new();
        file.object("<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [5 0 R] /D << >> >> >>");
        file.object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
        file.object(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R \
             /Resources << /Properties << /L << /Type /OCMD {membership} >> >> >> >>"
        ));
        file.stream("", "/OC /L BDC 0 0 9 9 re f EMC");
        file.object("<< /Type /OCG /Name (x) >>");
        let (_, notes) = convert_with("a.pdf", &file.finish(), "png", "low", &[]).unwrap();
        assert_eq!(!notes.0.is_empty(), is_told, "{membership}: {notes:?}");
    }
    check("office.pdf", &fixture("office.pdf"), "guessed");
}

#[test]
fn scans_and_encrypted_files_are_named() {
    #[track_caller]
    fn check(name: &str, to: &str, says: &str) {
        let unread: &[(&str, &str)] = match cfg!(feature = "ocr") && name == "scan.pdf" {
            true => &[("ocr", "off")],
            false => &[],
        };
        let err = convert_with(name, &fixture(name), to, "medium", unread).unwrap_err();
        assert_eq!(err.kind(), Kind::BadInput);
        assert!(err.message().contains(says), "{err}");
    }
    check("scan.pdf", "txt", "pictures without text");
    let locked = "locked.pdf.bin";
    check(locked, "txt", "password");
    check(locked, "png", "password");
}

#[test]
fn attachments_alone_may_be_encrypted() {
    let mut file = make::page("");
    file.stream("", "BT /F 12 Tf 50 700 Td (In the open) Tj ET");
    let zeros = "00".repeat(32);
    file.object(format!(
        "<< /Filter /Standard /V 4 /R 4 /Length 128 /P -4 /O <{zeros}> /U <{zeros}> /StmF /Identity /StrF /Identity \
         /EFF /StdCF /CF << /StdCF << /AuthEvent /EFOpen /CFM /AESV2 /Length 16 >> >> >>"
    ));
    let file = String::from_utf8(file.finish()).unwrap();
    let encrypted = "/Root 1 0 R /Encrypt 5 0 R /ID [<00> <00>]";
    let file = file.replace("/Root 1 0 R", encrypted);
    // Both kinds of encryption, with any key.
    let keys = "00".repeat(48);
    let newer = file
        .replace("/V 4 /R 4 /Length 128", "/V 5 /R 6 /Length 256")
        .replace(
            &format!("/O <{zeros}> /U <{zeros}>"),
            &format!("/O <{keys}> /U <{keys}> /OE <{zeros}> /UE <{zeros}>"),
        )
        .replace("/AESV2 /Length 16", "/AESV3 /Length 32");
    for file in [&file, &newer] {
        let text = convert("a.pdf", file.as_bytes(), "txt").unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), "In the open\n");
    }
    // If the pages are encrypted, too, the file needs a password.
    let file = file.replace("/StmF /Identity", "/StmF /StdCF   ");
    let err = convert("a.pdf", file.as_bytes(), "txt").unwrap_err();
    assert!(err.message().contains("password"), "{err}");
}

#[test]
fn a_header_may_come_late_or_not_at_all() {
    let file = make::with_content("", "BT /F 12 Tf 50 700 Td (Found) Tj ET");
    let without = &file[b"%PDF-1.7\n".len()..];
    let late = [&b"junk ".repeat(180)[..], &file].concat();
    let found = |name: &str, file: &[u8]| {
        let text = convert(name, file, "txt").ok()?;
        Some(String::from_utf8(text).unwrap())
    };
    assert_eq!(found("a.bin", &late).as_deref(), Some("Found\n"));
    assert_eq!(found("a.pdf", without).as_deref(), Some("Found\n"));
    assert_eq!(found("a.bin", without), None);
}

#[test]
fn page_breaks_are_marked_on_request() {
    let mut file = make::File::new();
    file.object("<< /Type /Catalog /Pages 2 0 R >>");
    file.object("<< /Type /Pages /Kids [3 0 R 5 0 R] /Count 2 /MediaBox [0 0 612 792] /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>");
    for (own, text) in [(4, "First page."), (6, "Second page.")] {
        file.object(format!(
            "<< /Type /Page /Parent 2 0 R /Contents {own} 0 R >>"
        ));
        file.stream("", format!("BT /F 10 Tf 100 700 Td ({text}) Tj ET"));
    }
    let file = file.finish();
    let marked = [("pages", "marked")];
    let expected = "<!-- page 1 -->\nFirst page.\n\u{c}<!-- page 2 -->\nSecond page.\n";
    let (text, _) = convert_with("a.pdf", &file, "txt", "medium", &marked).unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), expected);
    let (text, _) = convert_with("a.pdf", &file, "md", "medium", &marked).unwrap();
    let text = String::from_utf8(text).unwrap();
    let words: Vec<&str> = text.split_whitespace().collect();
    let expected = "<!-- page 1 --> First page. <!-- page 2 --> Second page.";
    assert_eq!(words.join(" "), expected);
}

#[test]
fn tightly_spaced_rows_stay_separate() {
    let rows = lines(&[
        ("11:00", 10.0, 50.0, 700.0),
        ("first", 10.0, 150.0, 698.0),
        ("11:05", 10.0, 50.0, 696.0),
        ("11:10", 10.0, 50.0, 692.0),
    ]);
    let result = convert("a.pdf", &make::with_content("", &rows), "txt").unwrap();
    let text = String::from_utf8(result).unwrap();
    for word in ["11:00", "11:05", "11:10", "first"] {
        assert!(text.split_whitespace().any(|found| found == word), "{text}");
    }
}
