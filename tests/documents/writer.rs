//! Paragraphs of OpenDocument as LibreOffice sets them: the expected positions are those in its PDFs of the same files.

use crate::{
    harness::{convert, convert_with, has},
    layout::places,
};

/// A flat document on a page 12 cm wide with margins of 1.5 cm, with these styles and this body.
fn text(styles: &str, body: &str) -> Vec<u8> {
    let space = "urn:oasis:names:tc:opendocument:xmlns";
    format!(
        "<office:document xmlns:office=\"{space}:office:1.0\" xmlns:text=\"{space}:text:1.0\" \
         xmlns:style=\"{space}:style:1.0\" xmlns:fo=\"{space}:xsl-fo-compatible:1.0\" xmlns:draw=\"{space}:drawing:1.0\" \
         xmlns:svg=\"{space}:svg-compatible:1.0\" office:mimetype=\"application/vnd.oasis.opendocument.text\">\
         <office:styles><style:default-style style:family=\"paragraph\"><style:text-properties \
         fo:font-family=\"Liberation Serif\" fo:font-size=\"12pt\"/></style:default-style>\
         <draw:fill-image draw:name=\"red\"><office:binary-data>iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAA\nDElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC</office:binary-data></draw:fill-image></office:styles>\
         <office:automatic-styles><style:page-layout style:name=\"pm\"><style:page-layout-properties \
         fo:page-width=\"12cm\" fo:page-height=\"24cm\" fo:margin=\"1.5cm\"/></style:page-layout>{styles}</office:automatic-styles>\
         <office:master-styles><style:master-page style:name=\"Standard\" style:page-layout-name=\"pm\"/></office:master-styles>\
         <office:body><office:text>{body}</office:text></office:body></office:document>"
    )
    .into_bytes()
}

fn style(name: &str, properties: &str) -> String {
    format!(
        "<style:style style:name=\"{name}\" style:family=\"paragraph\"><style:paragraph-properties {properties}/></style:style>"
    )
}

/// Checks the positions of some words: to the right of the margin, and below the first word.
#[track_caller]
fn check(name: &str, file: &[u8], expected: &[(&str, f64, f64)]) {
    if !has("pdftotext") {
        return;
    }
    let pdf = convert("a.fodt", file, "pdf").unwrap();
    let (across, down) = (places(name, "xMin", &pdf), places(name, "yMin", &pdf));
    for (word, x, y) in expected {
        let at = across.iter().position(|(known, _)| known == word).unwrap();
        let found = (across[at].1 - 42.52, down[at].1 - down[0].1);
        let differs = (found.0 - x).abs() > 0.6 || (found.1 - y).abs() > 0.8;
        assert!(!differs, "{word} at {found:?}");
    }
}

#[test]
fn text_keeps_its_padding_inside_borders() {
    let styles = style("A", "fo:padding=\"0.4cm\" fo:border=\"1pt solid #ff0000\"")
        + &style(
            "B",
            "fo:padding=\"0.2cm\" fo:border=\"1pt solid #0000ff\" style:join-border=\"false\"",
        );
    let body = "<text:p>First</text:p><text:p text:style-name=\"A\">one</text:p><text:p text:style-name=\"A\">joined</text:p>\
                <text:p>between</text:p><text:p text:style-name=\"B\">two</text:p><text:p text:style-name=\"B\">apart</text:p>";
    let expected = [
        ("one", 12.4, 26.2),
        ("joined", 12.4, 40.0),
        ("between", 0.0, 66.1),
        ("two", 6.7, 86.6),
        ("apart", 6.7, 113.7),
    ];
    check("writer-borders", &text(&styles, body), &expected);
    // The positions are the same after the document has been written again.
    let odt = convert("a.fodt", &text(&styles, body), "odt").unwrap();
    let pdf = |name: &str, file: &[u8]| convert(name, file, "pdf").unwrap();
    let first = pdf("a.fodt", &text(&styles, body));
    if has("pdftotext") {
        let again = places("writer-again", "xMin", &pdf("a.odt", &odt));
        assert_eq!(again, places("writer-once", "xMin", &first));
    }
}

#[test]
fn line_height_follows_the_style() {
    let styles = style("A", "fo:line-height=\"150%\"")
        + &style("B", "fo:line-height=\"80%\"")
        + &style("C", "fo:line-height=\"0.8cm\"");
    let body = "<text:p>First</text:p><text:p text:style-name=\"A\">one</text:p><text:p text:style-name=\"B\">less</text:p>\
                <text:p text:style-name=\"C\">fixed</text:p><text:p>Last</text:p>";
    let expected = [
        ("one", 0.0, 13.8),
        ("less", 0.0, 31.7),
        ("fixed", 0.0, 52.6),
        ("Last", 0.0, 68.2),
    ];
    check("writer-lines", &text(&styles, body), &expected);
}

#[test]
fn flat_file_shapes_have_picture_fills_and_noted_shadows() {
    let styles = "<style:style style:name=\"G\" style:family=\"graphic\"><style:graphic-properties draw:fill=\"bitmap\" \
                  draw:fill-image-name=\"red\" draw:stroke=\"none\" draw:shadow=\"visible\"/></style:style>";
    let body = "<text:p>a<draw:rect draw:style-name=\"G\" text:anchor-type=\"as-char\" svg:width=\"2cm\" svg:height=\"1cm\"/></text:p>";
    let (html, notes) = convert_with("a.fodt", &text(styles, body), "html", "medium", &[]).unwrap();
    let html = String::from_utf8(html).unwrap();
    assert!(html.contains("data:image/png;base64,iVBOR"), "{html}");
    assert!(format!("{notes:?}").contains("shadow"), "{notes:?}");
}
