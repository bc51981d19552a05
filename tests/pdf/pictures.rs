//! Pictures of pages, compared with poppler's, and their sizes.

use crate::{
    harness::{Picture, all, convert_with, directory, fixture, has},
    make,
};
use std::{fs, process::Command};

/// Limit on the difference of a page from poppler's, as a share of full scale. Letters differ only at their edges.
const MAX: f64 = 0.02;

#[test]
fn pages_look_like_those_of_poppler() {
    if !has("pdftoppm") {
        return;
    }
    let at = directory("pages");
    for (name, bytes) in all() {
        let path = at.join(&name);
        fs::write(&path, &bytes).unwrap();
        let theirs = Command::new("pdftoppm")
            .args(["-r", "150", "-cropbox", "-f", "1", "-l", "1"])
            .arg(&path)
            .output()
            .unwrap();
        let (ours, _) = convert_with(&name, &bytes, "ppm", "medium", &[]).unwrap();
        let difference = Picture::of(&ours).difference(&Picture::of(&theirs.stdout));
        assert!(difference <= MAX, "{name}: {difference:.4}");
    }
}

#[track_caller]
fn check_size(entries: &str, fields: &[(&str, &str)], expected: (usize, usize)) {
    let file = make::with_content(entries, "");
    let (ppm, _) = convert_with("a.pdf", &file, "ppm", "medium", fields).unwrap();
    let picture = Picture::of(&ppm);
    assert_eq!((picture.width, picture.height), expected, "{entries}");
    assert!(picture.pixels.iter().all(|sample| *sample == 255));
}

#[test]
fn sizes_follow_boxes_rotation_units_and_options() {
    check_size("", &[], (1275, 1650));
    check_size("", &[("dpi", "72")], (612, 792));
    check_size("/Rotate 90", &[("dpi", "72")], (792, 612));
    check_size("/Rotate -90", &[("dpi", "72")], (792, 612));
    check_size("/CropBox [100 100 200 300]", &[("dpi", "72")], (100, 200));
    check_size("/UserUnit 2", &[("dpi", "36")], (612, 792));
    check_size("", &[("width", "306")], (306, 396));
    check_size("", &[("width", "100"), ("height", "100")], (77, 100));
    let fill = [("width", "100"), ("height", "100"), ("fit", "fill")];
    check_size("", &fill, (100, 100));
    let cover = [("width", "50"), ("height", "100"), ("fit", "cover")];
    check_size("", &cover, (50, 100));
    check_size(
        "/MediaBox [0 0 14400000 14400000]",
        &[("width", "90")],
        (90, 90),
    );
}

#[test]
fn drawn_content_is_at_its_position() {
    // A red square in the lower left corner of the unrotated page.
    let content = "1 0 0 rg 0 0 100 100 re f";
    #[track_caller]
    fn check(entries: &str, content: &str, red: (usize, usize)) {
        let entries = format!("/MediaBox [0 0 200 200] {entries}");
        let file = make::with_content(&entries, content);
        let fields = [("dpi", "72")];
        let (ppm, _) = convert_with("a.pdf", &file, "ppm", "medium", &fields).unwrap();
        let picture = Picture::of(&ppm);
        for place in [(50, 50), (150, 50), (50, 150), (150, 150)] {
            let expected = if place == red { [255, 0, 0] } else { [255; 3] };
            assert_eq!(
                picture.pixel(place.0, place.1),
                expected,
                "{entries} {place:?}"
            );
        }
    }
    check("", content, (50, 150));
    check("/Rotate 90", content, (50, 50));
    check("/Rotate 180", content, (150, 50));
    check("/Rotate 270", content, (150, 150));
}

#[test]
fn a_page_is_chosen_and_the_others_are_noted() {
    let mut file = make::File::new();
    file.object("<< /Type /Catalog /Pages 2 0 R >>");
    file.object("<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>");
    file.object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 20] >>");
    file.object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 30 40] >>");
    let file = file.finish();
    let convert = |page: &[(&str, &str)]| {
        let fields = [page, &[("dpi", "72")]].concat();
        convert_with("a.pdf", &file, "ppm", "medium", &fields)
    };
    let (first, notes) = convert(&[]).unwrap();
    assert_eq!(Picture::of(&first).width, 10);
    assert!(
        notes.0[0].starts_with("Page 1 of 2 was converted"),
        "{notes:?}"
    );
    let (second, notes) = convert(&[("page", "2")]).unwrap();
    assert_eq!(Picture::of(&second).width, 30);
    assert!(notes.0.is_empty());
    let err = convert(&[("page", "3")]).unwrap_err();
    assert_eq!(err.message(), "page is 3; the file has 2 pages");
}

#[test]
fn every_picture_can_be_written() {
    let file = make::with_content("/MediaBox [0 0 20 20]", "0 0 1 rg 5 5 10 10 re f");
    let from = convertd::registry::by_name("pdf").unwrap();
    let targets = convertd::registry::targets_of(from);
    let pictures = targets.filter(|to| to.category == convertd::format::Category::Image);
    let names: Vec<_> = pictures.map(|to| to.name).collect();
    assert!(names.len() >= 12, "{names:?}");
    for name in names {
        let (result, _) = convert_with("a.pdf", &file, name, "low", &[("dpi", "72")]).unwrap();
        assert!(!result.is_empty(), "{name}");
    }
}

#[test]
fn pictures_state_the_resolution_in_which_pages_are_drawn() {
    #[track_caller]
    fn check(fields: &[(&str, &str)], expected: [u8; 5]) {
        let file = make::with_content("/MediaBox [0 0 20 20]", "");
        let (jpg, _) = convert_with("a.pdf", &file, "jpg", "low", fields).unwrap();
        // The unit and two numbers in the header of JFIF.
        assert_eq!(jpg[13..18], expected, "{fields:?}");
    }
    check(&[], [1, 0, 150, 0, 150]);
    check(&[("dpi", "72")], [1, 0, 72, 0, 72]);
    check(&[("width", "9")], [0, 0, 1, 0, 1]);
}

/// A page of 200 × 100 points, with a red square of 20 points whose left and upper edges are 10 points from those of
/// the page.
fn marked() -> Vec<u8> {
    make::with_content(
        "/MediaBox [0 0 200 100]",
        "0 0 1 rg 0 0 200 100 re f 1 0 0 rg 10 70 20 20 re f",
    )
}

#[test]
fn pages_are_cropped_and_turned_like_other_pictures() {
    const RED: [u8; 3] = [255, 0, 0];
    const BLUE: [u8; 3] = [0, 0, 255];
    // Checks the size of the result, a point inside the square, and one outside of it.
    #[track_caller]
    fn check(
        fields: &[(&str, &str)],
        size: (usize, usize),
        within: (usize, usize),
        beside: (usize, usize),
    ) {
        let fields = [fields, &[("dpi", "72")]].concat();
        let (ppm, notes) = convert_with("a.pdf", &marked(), "ppm", "medium", &fields).unwrap();
        let picture = Picture::of(&ppm);
        assert_eq!((picture.width, picture.height), size, "{fields:?}");
        assert_eq!(picture.pixel(within.0, within.1), RED, "{fields:?}");
        assert_eq!(picture.pixel(beside.0, beside.1), BLUE, "{fields:?}");
        assert_eq!(notes.0, [""; 0]);
    }
    check(&[], (200, 100), (12, 12), (8, 8));
    check(&[("crop", "50x30+9+9")], (50, 30), (1, 1), (0, 0));
    check(&[("rotate", "90")], (100, 200), (88, 12), (12, 12));
    check(&[("rotate", "180")], (200, 100), (188, 88), (12, 12));
    let (turned, cropped) = (("rotate", "270"), ("crop", "40x40+0+160"));
    check(&[turned, cropped], (40, 40), (12, 28), (30, 4));
    check(
        &[("crop", "100x50+0+0"), ("width", "200")],
        (200, 100),
        (40, 40),
        (80, 80),
    );
    let beyond = [("crop", "150x50+100+0"), ("dpi", "72")];
    let error = convert_with("a.pdf", &marked(), "png", "medium", &beyond).unwrap_err();
    assert_eq!(
        error.message(),
        "crop is 150x50+100+0; it must lie within the picture, which has 200 × 100 pixels"
    );
}

#[test]
fn page_pictures_fit_a_byte_limit() {
    let file = fixture("office.pdf");
    let jpg =
        |fields: &[(&str, &str)]| convert_with("a.pdf", &file, "jpg", "high", fields).unwrap();
    let (free, _) = jpg(&[]);
    let most = free.len() / 2;
    let (small, notes) = jpg(&[("max_size", &most.to_string())]);
    assert!(small.len() <= most, "{} of {most}", small.len());
    assert!(small.len() > most * 7 / 10, "{} of {most}", small.len());
    assert!(
        notes.0.iter().any(|note| note.starts_with("Quality ")),
        "{notes:?}"
    );
}

#[test]
fn annotations_that_are_not_drawn_are_noted() {
    #[track_caller]
    fn check(annotation: &str, is_told: bool) {
        let mut file = make::page("/MediaBox [0 0 200 200] /Annots [5 0 R]");
        file.stream("", "");
        file.object(format!(
            "<< /Type /Annot /Subtype {annotation} /Rect [50 50 150 150] /C [1 1 0] >>"
        ));
        file.stream(
            "/Type /XObject /Subtype /Form /BBox [0 0 9 9]",
            "0 0 9 9 re f",
        );
        for (to, page) in [("png", "1"), ("png", "all"), ("tiff", "all")] {
            let fields = [("dpi", "36"), ("page", page)];
            let (_, notes) = convert_with("a.pdf", &file.finish(), to, "low", &fields).unwrap();
            let told = notes.0.iter().any(|note| note.contains("highlights"));
            assert_eq!(told, is_told, "{annotation} {to} {page}: {notes:?}");
        }
    }
    check("/Highlight /QuadPoints [50 150 150 150 50 50 150 50]", true);
    check("/Square", true);
    check("/Square /F 2", false);
    check("/Square /AP << /N 6 0 R >>", false);
    check("/Link", false);
}
