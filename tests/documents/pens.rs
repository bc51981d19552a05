//! Decorations of text in Word: highlight colours, and line spacing.

use crate::{
    harness::{convert, convert_with, directory, drawn, has, output_of},
    zips::word_document,
};
use std::fs;

#[test]
fn highlights_keep_their_colours() {
    let run = |properties: &str| format!("<w:r><w:rPr>{properties}</w:rPr><w:t>marked</w:t></w:r>");
    let pen = |name: &str| run(&format!("<w:highlight w:val='{name}'/>"));
    let shaded = "<w:highlight w:val='yellow'/><w:shd w:val='clear' w:fill='123456'/>";
    let body = format!(
        "<w:p>{}{}{}{}</w:p>",
        pen("cyan"),
        pen("darkRed"),
        pen("none"),
        run(shaded)
    );
    let file = word_document(&body);
    let rtf = "{\\rtf1{\\colortbl;\\red0\\green255\\blue255;\\red128\\green0\\blue0;}{\\highlight1 marked}{\\highlight2 marked}{\\highlight0 marked}}";
    let docx = convert("a.rtf", rtf.as_bytes(), "docx").unwrap();
    for (name, file) in [("a.docx", &file), ("a.docx", &docx)] {
        // The colours are also kept if the document is converted to DOCX once more.
        let again = convert(name, file, "docx").unwrap();
        for file in [file, &again] {
            let html = String::from_utf8(convert(name, file, "html").unwrap()).unwrap();
            for part in ["<mark>", "#00ffff", "#800000"] {
                assert!(html.contains(part), "{part}: {html}");
            }
        }
    }
    if !has("pdftoppm") {
        return;
    }
    let path = directory("pens").join("a.pdf");
    fs::write(&path, convert("a.docx", &file, "pdf").unwrap()).unwrap();
    let page = drawn(&path, "150");
    let seen = |colour: [u8; 3]| page.pixels().filter(|dot| dot.0 == colour).count() > 50;
    assert!(seen([0, 255, 255]) && seen([128, 0, 0]));
    // A highlight hides the shading below it.
    assert!(!seen([0x12, 0x34, 0x56]));
}

#[test]
fn paragraph_borders_keep_their_distance() {
    if !has("pdftotext") {
        return;
    }
    let place = |space: u32| {
        let side = |name: &str| format!("<w:{name} w:val='single' w:sz='8' w:space='{space}'/>");
        let body = format!(
            "<w:p><w:pPr><w:pBdr>{}{}</w:pBdr></w:pPr><w:r><w:t>framed</w:t></w:r></w:p><w:p><w:r><w:t>below</w:t></w:r></w:p>",
            side("top"),
            side("bottom")
        );
        let file = directory(&format!("lines-{space}")).join("a.pdf");
        fs::write(
            &file,
            convert("a.docx", &word_document(&body), "pdf").unwrap(),
        )
        .unwrap();
        let words = output_of("pdftotext", &["-bbox", &file.display().to_string(), "-"]);
        let (_, rest) = words.split_once("framed").unwrap();
        let (_, rest) = rest.split_once("yMin=\"").unwrap();
        rest.split('"').next().unwrap().parse::<f64>().unwrap()
    };
    let difference = place(20) - place(2);
    assert!((difference - 36.0).abs() < 0.5, "{difference}");
}

#[test]
fn line_spacing_below_the_last_line_may_leave_the_page() {
    // Two lines of double height need 41 points of text and gaps, and 14 points below the last line, on a page with
    // room for 45.
    let pages = |properties: &str| {
        let line = format!(
            "<w:p><w:pPr>{properties}<w:spacing w:before='0' w:after='0' w:line='480' w:lineRule='auto'/></w:pPr><w:r><w:rPr><w:rFonts w:ascii='Arial'/><w:sz w:val='24'/></w:rPr><w:t>line</w:t></w:r></w:p>"
        );
        let page = "<w:sectPr><w:pgSz w:w='6000' w:h='2340'/><w:pgMar w:top='720' w:right='720' w:bottom='720' w:left='720' w:header='0' w:footer='0'/></w:sectPr>";
        let pdf = convert(
            "a.docx",
            &word_document(&format!("{line}{line}{page}")),
            "pdf",
        )
        .unwrap();
        let text = convert("a.pdf", &pdf, "txt").unwrap();
        (
            String::from_utf8(text).unwrap().matches("line").count(),
            pages_of(&pdf),
        )
    };
    assert_eq!(pages(""), (2, 1));
    // If the paragraphs are shaded, the shading below the last line must be on the page as well.
    let shaded = "<w:shd w:val='clear' w:fill='FFFF00'/>";
    assert_eq!(pages(shaded), (2, 2));
}

/// Number of pages of a PDF.
fn pages_of(pdf: &[u8]) -> usize {
    let marked = [("pages", "marked")];
    let (text, _) = convert_with("a.pdf", pdf, "txt", "medium", &marked).unwrap();
    String::from_utf8(text)
        .unwrap()
        .matches("<!-- page ")
        .count()
}
