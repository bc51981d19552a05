//! PDF/A from existing PDF files: violations that are repaired, and violations that are reported.

use crate::{
    harness::{convert, convert_with, directory, has as has_program, output_of},
    make::File,
};
use std::fs;

fn archived(file: &[u8], part: &str) -> (Vec<u8>, String) {
    let options = [("pdf_a", part)];
    let (bytes, notes) = convert_with("a.pdf", file, "pdf", "high", &options).unwrap();
    (bytes, notes.0.join("\n"))
}

fn has(file: &[u8], text: &str) -> bool {
    file.windows(text.len()).any(|part| part == text.as_bytes())
}

/// A document whose fonts are embedded.
fn report() -> Vec<u8> {
    convert(
        "a.md",
        "# A title\n\nWords, [a link](https://example.org/).\n".as_bytes(),
        "pdf",
    )
    .unwrap()
}

/// A file of one page, with these entries in its catalogue and its page, this content, and further objects from number
/// 5 on.
fn file(catalog: &str, page: &str, content: &str, others: &[&str]) -> Vec<u8> {
    let mut file = File::new();
    file.object(format!("<< /Type /Catalog /Pages 2 0 R {catalog} >>"));
    file.object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
    file.object(format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R {page} >>"
    ));
    file.stream("", content);
    for other in others {
        file.object(other);
    }
    file.finish()
}

#[test]
fn violations_are_repaired() {
    let (made, notes) = archived(&report(), "true");
    assert!(notes.contains("PDF/A-2b"), "{notes}");
    // Metadata streams are never compressed.
    assert!(has(
        &made,
        "<pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>"
    ));
    assert!(has(&made, "<pdfuaid:part>1</pdfuaid:part>"));
    let scripts = file(
        "/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> /AA << /WC << /S /JavaScript /JS (2) >> >>",
        "/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /Launch /F (x) >> >>]",
        "0 0 1 rg 10 10 50 50 re f",
        &[],
    );
    let (made, notes) = archived(&scripts, "3");
    assert!(notes.contains("PDF/A-3b"), "{notes}");
    if has_program("qpdf") {
        let path = directory("archival").join("scripts.pdf");
        fs::write(&path, &made).unwrap();
        let path = path.to_str().unwrap();
        let plain = output_of("qpdf", &["--qdf", "--object-streams=disable", path, "-"]);
        assert!(plain.contains("/OutputIntents"), "{plain}");
        assert!(
            !plain.contains("JavaScript") && !plain.contains("Launch"),
            "{plain}"
        );
    }
    let again = archived(&made, "3");
    assert!(again.1.contains("PDF/A-3b"), "{}", again.1);
}

#[test]
fn irreparable_violations_are_named_and_prevent_the_claim() {
    #[track_caller]
    fn check(file: &[u8], says: &str) {
        let (made, notes) = archived(file, "true");
        assert!(
            notes.contains("could not be made PDF/A") && notes.contains(says),
            "{notes}"
        );
        assert!(!has(&made, "pdfaid"));
    }
    let font =
        "/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>";
    check(
        &file("", font, "BT /F 10 Tf 20 20 Td (x) Tj ET", &[]),
        "the font Helvetica that is not embedded",
    );
    check(
        &file("", "", "0 0 0 1 k 10 10 50 50 re f", &[]),
        "colours in CMYK",
    );
    check(
        &file(
            "",
            "/Annots [<< /Type /Annot /Subtype /Movie /Rect [0 0 9 9] >>]",
            "",
            &[],
        ),
        "an annotation of the kind Movie",
    );
    check(
        &file(
            "",
            "/Annots [<< /Type /Annot /Subtype /Square /Rect [0 0 9 9] >>]",
            "",
            &[],
        ),
        "comments (Square) without an appearance",
    );
}

#[test]
fn pdf_a_and_encryption_exclude_each_other() {
    let options = [("pdf_a", "true"), ("encrypt", "secret")];
    let refused = convert_with("a.pdf", &report(), "pdf", "high", &options).unwrap_err();
    assert!(
        refused.to_string().contains("pdf_a and encrypt"),
        "{refused}"
    );
}
