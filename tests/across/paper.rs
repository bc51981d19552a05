//! Paper size and orientation for every kind of file that can become a PDF. Does not compare content.

use crate::{
    examined::{Pdf, can_examine},
    harness::{convert, fixture, png, scene},
};

const PAGE: &[u8] = b"<style>@page { size: a3 }</style><p>Words</p>";
const DRAWING: &[u8] = b"<svg xmlns='http://www.w3.org/2000/svg' width='90' height='40'><rect width='90' height='40'/></svg>";

/// A small file of each kind: its name and its content.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let made = |to: &str| convert("a.md", b"# One\n\nWords.\n", to, &[]).unwrap().0;
    let table = |to: &str| convert("a.csv", b"a,b\n1,2\n", to, &[]).unwrap().0;
    let mut files = vec![
        ("a.md", b"# One".to_vec()),
        ("a.txt", b"Words".to_vec()),
        ("a.html", PAGE.to_vec()),
        ("a.docx", made("docx")),
        ("a.odt", made("odt")),
        ("a.rtf", made("rtf")),
        ("a.epub", made("epub")),
        ("wide.png", png(scene(200, 100))),
        ("tall.png", png(scene(100, 200))),
    ];
    if cfg!(feature = "spreadsheet") {
        files.push(("a.csv", b"a,b\n1,2\n".to_vec()));
        files.push(("a.xlsx", table("xlsx")));
        files.push(("a.ods", table("ods")));
        files.push(("looks.xls", fixture("spreadsheets/looks.xls")));
        files.push(("looks.xlsb", fixture("spreadsheets/looks.xlsb")));
    }
    if cfg!(feature = "svg") {
        files.push(("a.svg", DRAWING.to_vec()));
    }
    files
}

#[test]
fn paper_has_the_requested_size_and_orientation() {
    if !can_examine() {
        return;
    }
    let files = files();
    #[track_caller]
    fn check(files: &[(&str, Vec<u8>)], fields: &[(&str, &str)], is_right: fn(f64, f64) -> bool) {
        for (name, bytes) in files {
            let (pdf, _) = convert(name, bytes, "pdf", fields).unwrap();
            let (width, height) = Pdf::new(&pdf).size(1);
            assert!(
                is_right(width, height),
                "{name} {fields:?}: {width} x {height}"
            );
        }
    }
    let [landscape, portrait] = [("orientation", "landscape"), ("orientation", "portrait")];
    check(&files, &[landscape], |width, height| width > height);
    check(&files, &[portrait], |width, height| width < height);
    let a5 = ("page_size", "a5");
    check(&files, &[a5, landscape], |width, height| {
        width.round() == 595.0 && height.round() == 420.0
    });
    check(&files, &[a5, portrait], |width, height| {
        width.round() == 420.0 && height.round() == 595.0
    });
}
