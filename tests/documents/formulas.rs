//! Formulas on pages: they are set as mathematics whatever format they come from, and are read aloud as sentences.

use crate::{
    harness::{convert, directory, has, output_of},
    zips,
};
use std::fs;

const TEX: &str = r"\frac{a+b}{2}";

/// A Word document with a formula in a paragraph of its own, and one within a line.
fn word() -> Vec<u8> {
    let fraction = "<m:oMath xmlns:m=\"http://schemas.openxmlformats.org/officeDocument/2006/math\"><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath>";
    let body = format!(
        "<w:body><w:p>{fraction}</w:p><w:p><w:r><w:t>mean </w:t></w:r>{fraction}</w:p></w:body>"
    );
    zips::word()
        .packed(
            "word/document.xml",
            zips::word_xml("document", &body).as_bytes(),
        )
        .finish()
}

#[test]
fn formulas_are_typeset() {
    #[track_caller]
    fn check(name: &str, bytes: &[u8]) {
        let pdf = convert(name, bytes, "pdf").unwrap();
        if !has("pdftotext") {
            return;
        }
        let at = directory("formulas");
        let file = at.join("page.pdf");
        fs::write(&file, &pdf).unwrap();
        let path = file.display().to_string();
        let text = output_of("pdftotext", &["-layout", &path, "-"]);
        // Poppler also finds spaces where signs are only set apart.
        assert!(text.replace(' ', "").contains("a+b"), "{name}: {text}");
        assert!(!text.contains("frac"), "{name}: {text}");
        let tags = output_of("pdfinfo", &["-struct-text", &path]);
        assert!(tags.contains("Formula"), "{name}: {tags}");
        let _ = fs::remove_dir_all(at);
    }
    let source = format!("$${TEX}$$\n\nmean ${TEX}$\n");
    check("a.md", source.as_bytes());
    check("a.docx", &word());
    for through in ["docx", "odt"] {
        let between = convert("a.md", source.as_bytes(), through).unwrap();
        check(&format!("a.{through}"), &between);
    }
}

#[test]
fn displayed_formulas_are_centred_with_numerators_above() {
    if !has("pdftotext") {
        return;
    }
    let pdf = convert("a.docx", &word(), "pdf").unwrap();
    let lefts = crate::layout::places("formulas-x", "xMin", &pdf);
    let tops = crate::layout::places("formulas-y", "yMin", &pdf);
    // The page is 612 points wide, or 595. The displayed formula is centred, the other one is at the left.
    let is_shown = |left: f64| (left - 299.0).abs() < 20.0;
    let tall = |shown: bool| {
        let top = |begin: char| {
            let mut words = lefts.iter().zip(&tops);
            let found =
                words.find(|((word, left), _)| word.starts_with(begin) && is_shown(*left) == shown);
            found.unwrap_or_else(|| panic!("{begin}: {lefts:?}")).1.1
        };
        top('2') - top('a')
    };
    assert!(tall(true) > 8.0, "{tops:?}");
    // A fraction within a line is smaller.
    assert!(tall(false) < tall(true) && tall(false) > 3.0, "{tops:?}");
}

#[test]
fn unknown_tex_is_kept_as_source() {
    let (_, notes) =
        crate::harness::convert_with("a.md", b"$\\unknowncommand{a}$\n", "pdf", "medium", &[])
            .unwrap();
    assert!(
        notes.0.iter().any(|note| note.contains("TeX source")),
        "{notes:?}"
    );
}

#[test]
fn formulas_in_the_instructions_of_fields_are_hidden() {
    let formula = |letter: &str| {
        format!(
            "<m:oMath xmlns:m=\"http://schemas.openxmlformats.org/officeDocument/2006/math\"><m:r><m:t>{letter}</m:t></m:r></m:oMath>"
        )
    };
    let mark = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let body = format!(
        "<w:body><w:p>{}<w:r><w:instrText> IF 1 = 1 </w:instrText></w:r>{}{}{}{}</w:p><w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>{}</w:p></w:body>",
        mark("begin"),
        formula("x"),
        mark("separate"),
        formula("y"),
        mark("end"),
        formula("z"),
    );
    let file = zips::word()
        .packed(
            "word/document.xml",
            zips::word_xml("document", &body).as_bytes(),
        )
        .finish();
    let made = String::from_utf8(convert("a.docx", &file, "md").unwrap()).unwrap();
    assert_eq!(made.trim(), "$y$\n\n$z$");
}
