//! What people see of Excel's binary workbooks: fonts within texts, pictures, shapes.

use crate::harness::{convert_with, data, text};

#[test]
fn an_xls_shows_fonts_within_texts_and_pictures() {
    let (html, _) = convert_with("looks.xls", &data("looks.xls"), "html", &[]).unwrap();
    let html = text(html);
    let (before, after) = html.split_once(">red<").expect("the run is there");
    assert!(
        before.contains("plain ") && after.contains(" end"),
        "{html}"
    );
    let (_, run) = before.rsplit_once('<').unwrap();
    assert!(run.contains("#ff0000") && run.contains("Arial"), "{run}");
    assert!(html.contains("src=\"data:image/png;base64,"), "{html}");
    let (pdf, _) = convert_with("looks.xls", &data("looks.xls"), "pdf", &[]).unwrap();
    assert!(pdf.windows(6).any(|window| window == b"/Image"));
}
