//! Fills of shapes and pages in OpenDocument texts.

#![cfg(feature = "presentation")]

use crate::{
    harness::{convert, directory, drawn, has, output_of},
    zips::Zip,
};
use std::fs;

/// An OpenDocument text with these styles, automatic styles and paragraphs.
fn odt(styles: &str, automatic: &str, text: &str) -> Vec<u8> {
    let names = ["office", "style", "text", "drawing"];
    let urls = names.map(|name| {
        let short = if name == "drawing" { "draw" } else { name };
        format!("xmlns:{short}='urn:oasis:names:tc:opendocument:xmlns:{name}:1.0'")
    });
    let open = format!(
        "{} xmlns:fo='urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0' xmlns:svg='urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0' xmlns:xlink='http://www.w3.org/1999/xlink'",
        urls.join(" ")
    );
    let styles = format!("<office:document-styles {open}>{styles}</office:document-styles>");
    let content = format!(
        "<office:document-content {open}><office:automatic-styles>{automatic}</office:automatic-styles><office:body><office:text>{text}</office:text></office:body></office:document-content>"
    );
    let picture = "<svg xmlns='http://www.w3.org/2000/svg' width='30' height='10'><rect width='30' height='10' fill='#c00'/></svg>";
    Zip::default()
        .stored("mimetype", b"application/vnd.oasis.opendocument.text")
        .stored("content.xml", content.as_bytes())
        .stored("styles.xml", styles.as_bytes())
        .stored("Pictures/p.svg", picture.as_bytes())
        .finish()
}

/// A page with the drawing of a rectangle, whose style has these properties, and with these definitions.
fn rectangle(properties: &str, definitions: &str) -> String {
    let file = odt(
        &format!("<office:styles>{definitions}</office:styles>"),
        &format!(
            "<style:style style:name='g' style:family='graphic'><style:graphic-properties {properties}/></style:style>"
        ),
        "<text:p><draw:rect draw:style-name='g' text:anchor-type='paragraph' svg:width='4cm' svg:height='2cm'/></text:p>",
    );
    String::from_utf8(convert("a.odt", &file, "html").unwrap()).unwrap()
}

#[test]
fn shapes_are_filled_with_gradients_pictures_and_hatches() {
    #[track_caller]
    fn check(properties: &str, definitions: &str, parts: &[&str]) {
        let page = rectangle(properties, definitions);
        for part in parts {
            assert!(page.contains(part), "{part}: {page}");
        }
    }
    let gradient = "<draw:gradient draw:name='fade' draw:style='linear' draw:start-color='#ff0000' draw:end-color='#0000ff' draw:angle='0'/>";
    let filled = "draw:fill='gradient' draw:fill-gradient-name='fade' draw:fill-color='#00ff00' draw:stroke='none'";
    check(filled, gradient, &["<linearGradient", "#ff0000", "#0000ff"]);
    // A missing gradient is replaced by the colour in the same style.
    check(filled, "", &["#00ff00"]);
    let picture = "<draw:fill-image draw:name='tiles' xlink:href='Pictures/p.svg'/>";
    let filled = "draw:fill='bitmap' draw:fill-image-name='tiles' draw:stroke='none'";
    check(filled, picture, &["<image", "data:image/svg+xml;base64,"]);
    let hatch = "<draw:hatch draw:name='lines' draw:color='#008000'/>";
    let filled = "draw:fill='hatch' draw:fill-hatch-name='lines' draw:stroke='none'";
    check(filled, hatch, &["#008000"]);
    let dashes = "<draw:stroke-dash draw:name='dots' draw:dots1='1' draw:dots1-length='100%'/>";
    let stroked =
        "draw:fill='none' draw:stroke='dash' draw:stroke-dash='dots' svg:stroke-width='1mm'";
    check(stroked, dashes, &["stroke-dasharray"]);
}

#[test]
fn page_backgrounds_and_borders_are_drawn() {
    if !has("pdftoppm") || !has("pdftotext") {
        return;
    }
    // 10 cm by 10 cm, with 20 dots per centimetre.
    let styles = "<office:automatic-styles><style:page-layout style:name='l'><style:page-layout-properties fo:page-width='10cm' fo:page-height='10cm' fo:margin='1cm' fo:padding='1cm' fo:border='2mm solid #0000ff' fo:background-color='#ffff00'/></style:page-layout></office:automatic-styles><office:master-styles><style:master-page style:name='Standard' style:page-layout-name='l'/></office:master-styles>";
    let file = odt(styles, "", "<text:p>Words</text:p>");
    let path = directory("page-background").join("a.pdf");
    fs::write(&path, convert("a.odt", &file, "pdf").unwrap()).unwrap();
    let page = drawn(&path, "50.8");
    let dot = |x, y| page.get_pixel(x, y).0;
    assert_eq!(dot(5, 5), [255, 255, 0]);
    assert_eq!(dot(22, 100), [0, 0, 255]);
    assert_eq!(dot(100, 100), [255, 255, 0]);
    // The text begins behind the margin, the border and the padding: at 2.2 cm, or 62.4 points.
    let words = output_of("pdftotext", &["-bbox", &path.display().to_string(), "-"]);
    let (_, word) = words.split_once("xMin=\"").unwrap();
    let left: f64 = word.split('"').next().unwrap().parse().unwrap();
    assert!((62.0..64.0).contains(&left), "{left}");
}

/// Number of white dots on a page.
fn white(name: &str, file: &[u8], folder: &str) -> usize {
    let path = directory(folder).join("a.pdf");
    fs::write(&path, convert(name, file, "pdf").unwrap()).unwrap();
    let page = drawn(&path, "50.8");
    // Only dots with dark ones at the left and the right count: those of letters in a dark shape.
    let (width, height) = page.dimensions();
    let is = |x, y, dark: bool| {
        page.get_pixel(x, y)
            .0
            .iter()
            .all(|part| (*part < 90) == dark)
    };
    let rows = (0..height).filter(|y| (0..width).any(|x| is(x, *y, true)));
    rows.map(|y| {
        let dark: Vec<u32> = (0..width).filter(|x| is(*x, y, true)).collect();
        let (first, last) = (dark[0], dark[dark.len() - 1]);
        (first..last)
            .filter(|x| page.get_pixel(*x, y).0[0] > 160)
            .count()
    })
    .sum()
}

#[test]
fn automatic_text_is_white_on_dark_shapes() {
    if !has("pdftoppm") {
        return;
    }
    let style = "<style:style style:name='g' style:family='graphic'><style:graphic-properties draw:fill='solid' draw:fill-color='#101010' draw:stroke='none'/></style:style>\
        <style:style style:name='b' style:family='graphic'><style:graphic-properties fo:background-color='#101010'/></style:style>\
        <style:style style:name='P' style:family='paragraph'><style:text-properties style:use-window-font-color='true' fo:font-size='20pt'/></style:style>";
    let shape = "<text:p><draw:rect draw:style-name='g' text:anchor-type='paragraph' svg:x='1cm' svg:y='1cm' svg:width='6cm' svg:height='3cm'><text:p text:style-name='P'>Words</text:p></draw:rect></text:p>";
    let frame = "<text:p><draw:frame draw:style-name='b' text:anchor-type='paragraph' svg:x='1cm' svg:y='1cm' svg:width='6cm' svg:height='3cm'><draw:text-box><text:p text:style-name='P'>Words</text:p></draw:text-box></draw:frame></text:p>";
    for (what, text) in [("shape", shape), ("frame", frame)] {
        let seen = white("a.odt", &odt("", style, text), what);
        assert!(seen > 30, "{what} in odt: {seen}");
    }
    let rtf = "{\\rtf1\\ansi{\\shp{\\*\\shpinst\\shpleft600\\shptop600\\shpright4600\\shpbottom2600\\shpbxcolumn\\shpbypara\\shpwr3\\shpwrk0{\\sp{\\sn shapeType}{\\sv 1}}{\\sp{\\sn fillColor}{\\sv 1052688}}{\\sp{\\sn fFilled}{\\sv 1}}{\\shptxt\\pard\\plain\\fs40 Words\\par}}}\\par}";
    let seen = white("a.rtf", rtf.as_bytes(), "rtf");
    assert!(seen > 30, "rtf: {seen}");
}
