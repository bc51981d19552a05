//! Shapes of a text of OpenDocument, and what they are filled with.

#![cfg(feature = "presentation")]

use crate::{harness::convert, zips::Zip};

/// The page with the drawing of a rectangle whose style says this, with these definitions.
fn drawn(properties: &str, definitions: &str) -> String {
    let names = ["office", "style", "text", "drawing"];
    let urls = names.map(|name| {
        let short = if name == "drawing" { "draw" } else { name };
        format!("xmlns:{short}='urn:oasis:names:tc:opendocument:xmlns:{name}:1.0'")
    });
    let open = format!(
        "{} xmlns:svg='urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0' xmlns:xlink='http://www.w3.org/1999/xlink'",
        urls.join(" ")
    );
    let styles = format!(
        "<office:document-styles {open}><office:styles>{definitions}</office:styles></office:document-styles>"
    );
    let content = format!(
        "<office:document-content {open}><office:automatic-styles><style:style style:name='g' style:family='graphic'><style:graphic-properties {properties}/></style:style></office:automatic-styles><office:body><office:text><text:p><draw:rect draw:style-name='g' text:anchor-type='paragraph' svg:width='4cm' svg:height='2cm'/></text:p></office:text></office:body></office:document-content>"
    );
    let picture = "<svg xmlns='http://www.w3.org/2000/svg' width='30' height='10'><rect width='30' height='10' fill='#c00'/></svg>";
    let odt = Zip::default()
        .stored("mimetype", b"application/vnd.oasis.opendocument.text")
        .stored("content.xml", content.as_bytes())
        .stored("styles.xml", styles.as_bytes())
        .stored("Pictures/p.svg", picture.as_bytes())
        .finish();
    String::from_utf8(convert("a.odt", &odt, "html").unwrap()).unwrap()
}

#[test]
fn shapes_are_filled_with_gradients_pictures_and_hatches() {
    #[track_caller]
    fn check(properties: &str, definitions: &str, parts: &[&str]) {
        let page = drawn(properties, definitions);
        for part in parts {
            assert!(page.contains(part), "{part}: {page}");
        }
    }
    let gradient = "<draw:gradient draw:name='fade' draw:style='linear' draw:start-color='#ff0000' draw:end-color='#0000ff' draw:angle='0'/>";
    let filled = "draw:fill='gradient' draw:fill-gradient-name='fade' draw:fill-color='#00ff00' draw:stroke='none'";
    check(filled, gradient, &["<linearGradient", "#ff0000", "#0000ff"]);
    // One that is not there is the colour beside it.
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
