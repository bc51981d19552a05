//! Ornaments of letters: kinds of underlines, emphasis marks, and lines around text, in every format that has them.

use crate::{
    harness::{convert, directory, drawn, has},
    zips,
};
use std::fs;

/// A Word document with a paragraph for each of these run properties.
fn document(runs: &[&str]) -> Vec<u8> {
    let paragraph = |run: &&str| {
        format!(
            "<w:p><w:r><w:rPr>{run}<w:sz w:val=\"48\"/></w:rPr><w:t>two words</w:t></w:r></w:p>"
        )
    };
    zips::word_document(&runs.iter().map(paragraph).collect::<String>())
}

const RUNS: [&str; 5] = [
    "<w:u w:val=\"double\" w:color=\"C00000\"/>",
    "<w:u w:val=\"wave\"/>",
    "<w:u w:val=\"words\"/>",
    "<w:em w:val=\"dot\"/>",
    "<w:bdr w:val=\"single\" w:sz=\"8\" w:space=\"1\" w:color=\"0000FF\"/>",
];

#[test]
fn word_processor_formats_keep_ornaments() {
    let file = document(&RUNS);
    for through in ["docx", "odt", "rtf"] {
        let between = convert("a.docx", &file, through).unwrap();
        let back = convert(&format!("a.{through}"), &between, "docx").unwrap();
        let parts = zips::entries(&back).into_iter();
        let mut parts = parts.filter(|(name, _)| name == "word/document.xml");
        let back = String::from_utf8(parts.next().unwrap().1)
            .unwrap()
            .to_lowercase();
        for run in RUNS {
            let run = run.to_lowercase();
            assert!(back.contains(&run), "{through}: {run}: {back}");
        }
    }
}

#[test]
fn html_has_ornaments() {
    let page = String::from_utf8(convert("a.docx", &document(&RUNS), "html").unwrap()).unwrap();
    for part in [
        "<u style=\"text-decoration: underline double #c00000",
        "<u style=\"text-decoration: underline wavy",
        "text-emphasis: filled dot",
        "border: 1pt solid #0000ff",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

#[test]
fn ornaments_are_drawn() {
    if !has("pdftoppm") {
        return;
    }
    let at = directory("ornaments");
    let inked = |run: &str| {
        let file = at.join("a.pdf");
        fs::write(&file, convert("a.docx", &document(&[run]), "pdf").unwrap()).unwrap();
        let pixels = drawn(&file, "72");
        let is_dark = |pixel: &image::Rgb<u8>| pixel.0.iter().any(|part| *part < 128);
        pixels.pixels().filter(|pixel| is_dark(pixel)).count()
    };
    let plain = inked("");
    let single = inked("<w:u w:val=\"single\"/>");
    let [double, wave, words, dots, border] = RUNS.map(inked);
    let wants = [
        ("a line", single > plain + 50),
        ("two lines", double > single + 50),
        ("a wave", wave > plain + 50),
        ("a gap between words", words > plain + 50 && words < single),
        ("dots", dots > plain + 20),
        ("a frame", border > plain + 200),
    ];
    for (what, is) in wants {
        assert!(
            is,
            "{what}: {plain} {single} {double} {wave} {words} {dots} {border}"
        );
    }
    let _ = fs::remove_dir_all(at);
}

#[test]
fn html_underlines_keep_their_kind() {
    #[track_caller]
    fn check(page: &str, expected: &str) {
        let made = convert("a.html", page.as_bytes(), "docx").unwrap();
        let parts = zips::entries(&made).into_iter();
        let mut parts = parts.filter(|(name, _)| name == "word/document.xml");
        let made = String::from_utf8(parts.next().unwrap().1).unwrap();
        assert!(made.contains(expected), "{expected}: {made}");
    }
    check("<p><u>a</u></p>", "<w:u w:val=\"single\"/>");
    check(
        "<p><span style='text-decoration: underline double #f00'>a</span></p>",
        "<w:u w:val=\"double\" w:color=\"FF0000\"/>",
    );
    check(
        "<style>u {text-decoration: underline wavy}</style><p><u>a</u></p>",
        "<w:u w:val=\"wave\"/>",
    );
    check(
        "<style>i {text-decoration: underline dotted blue}</style><p><i>a</i></p>",
        "<w:u w:val=\"dotted\" w:color=\"0000FF\"/>",
    );
}
