//! Pages as SVG: drawn again they look like the pages, and other programs can read them. File sizes are limited.

use crate::{
    harness::{Picture, all, convert, convert_with, directory, fixture, has, output_of},
    make,
};
use std::fs;

/// Limit on the difference of a page that is drawn through SVG, as a share of full scale.
const MAX: f64 = 0.01;

/// The first page of a file in pixels at 96 dots per inch, which is the default of SVG.
fn drawn(name: &str, bytes: &[u8], fields: &[(&str, &str)]) -> Picture {
    let (ppm, _) = convert_with(name, bytes, "ppm", "medium", fields).unwrap();
    Picture::of(&ppm)
}

#[test]
fn svg_pages_look_like_drawn_pages() {
    for (name, bytes) in all() {
        let (svg, _) = convert_with(&name, &bytes, "svg", "medium", &[]).unwrap();
        let direct = drawn(&name, &bytes, &[("dpi", "96")]);
        let difference = drawn("a.svg", &svg, &[]).difference(&direct);
        assert!(difference <= MAX, "{name}: {difference:.4}");
    }
}

#[test]
fn librsvg_draws_the_same_pages() {
    if !has("vips") {
        return;
    }
    let at = directory("svg");
    let path = |name: &str| at.join(name).display().to_string();
    for (name, bytes) in all() {
        let (svg, _) = convert_with(&name, &bytes, "svg", "medium", &[]).unwrap();
        fs::write(at.join("a.svg"), &svg).unwrap();
        let (from, to) = (path("a.svg[dpi=96]"), path("a.png"));
        output_of("vips", &["flatten", &from, &to, "--background", "255"]);
        let theirs = image::open(at.join("a.png")).unwrap().into_rgb8();
        let theirs = Picture {
            width: theirs.width() as usize,
            height: theirs.height() as usize,
            pixels: theirs.into_raw(),
        };
        let difference = theirs.difference(&drawn(&name, &bytes, &[("dpi", "96")]));
        assert!(difference <= 2.0 * MAX, "{name}: {difference:.4}");
    }
}

#[track_caller]
fn check(entries: &str, content: &str, expected: &[&str]) {
    let file = make::with_content(entries, content);
    let (svg, _) = convert_with("a.pdf", &file, "svg", "medium", &[]).unwrap();
    let svg = String::from_utf8(svg).unwrap();
    for part in expected {
        assert!(svg.contains(part), "{part} is missing in {svg}");
    }
}

#[test]
fn lines_stay_vectors_and_sizes_match_the_page() {
    let line = "2 w 10 20 m 110 20 l S";
    check(
        "",
        line,
        &[r#"width="612pt" height="792pt""#, "M10,20 L110,20"],
    );
    check("/Rotate 90", line, &[r#"width="792pt" height="612pt""#]);
    check(
        "/UserUnit 2",
        line,
        &[r#"viewBox="0 0 612 792" width="1224pt""#],
    );
}

#[test]
fn letters_become_outlines_and_a_note_says_so() {
    let note = |file: &[u8]| {
        let (_, notes) = convert_with("a.pdf", file, "svg", "medium", &[]).unwrap();
        notes.0.iter().any(|note| note.contains("outlines"))
    };
    assert!(note(&convert("a.txt", b"Some words.", "pdf").unwrap()));
    assert!(!note(&make::with_content("", "0 0 9 9 re f")));
}

#[test]
fn all_pages_become_an_archive_of_drawings() {
    let file = fixture("office.pdf");
    let (zip, notes) = convert_with("a.pdf", &file, "svg", "medium", &[("page", "all")]).unwrap();
    assert!(notes.is_archive());
    assert!(zip.windows(12).any(|name| name == b"page-001.svg"));
}

#[test]
fn a_picture_used_a_thousand_times_is_bounded_in_memory() {
    let mut file = make::File::new();
    file.object("<< /Type /Catalog /Pages 2 0 R >>")
        .object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
        .object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>")
        .stream("", "/I Do ".repeat(1000))
        .stream(
            "/Subtype /Image /Width 300 /Height 300 /BitsPerComponent 8 /ColorSpace /DeviceGray",
            vec![7; 90_000],
        );
    let error = convert("a.pdf", &file.finish(), "svg").unwrap_err();
    assert!(error.message().contains("more than 256 MiB"), "{error}");
}

#[test]
fn illustrator_files_are_read_as_pdf() {
    let file = make::with_content("", "0 0 9 9 re f");
    let svg = convert("a.ai", &file, "svg").unwrap();
    assert!(svg.starts_with(b"<svg "));
}
