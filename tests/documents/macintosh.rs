//! Documents with pictures of Macintosh programs.

use crate::harness::convert;

#[path = "../support/pict.rs"]
mod pict;

#[test]
fn pict_pictures_in_rtf_are_drawn() {
    let digits: String = pict::pict()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let rtf = format!(
        "{{\\rtf1\\ansi before {{\\pict\\macpict\\picw100\\pich50\\picwgoal2000\\pichgoal1000 {digits}}} behind\\par}}"
    );
    let html = String::from_utf8(convert("a.rtf", rtf.as_bytes(), "html").unwrap()).unwrap();
    for part in ["before", "data:image/svg+xml;base64,", "behind"] {
        assert!(html.contains(part), "{part}: {html}");
    }
    // Text in a picture is text on the page. Formats without drawings get pixels.
    let pdf = convert("a.rtf", rtf.as_bytes(), "pdf").unwrap();
    let text = String::from_utf8(convert("a.pdf", &pdf, "txt").unwrap()).unwrap();
    assert!(text.contains("Drawn"), "{text}");
    let docx = convert("a.rtf", rtf.as_bytes(), "docx").unwrap();
    let html = String::from_utf8(convert("a.docx", &docx, "html").unwrap()).unwrap();
    assert!(html.contains("data:image/png;base64,"), "{html}");
}
