//! Pictures of a Markdown text: as data: links, or as files of an archive with the text.

use crate::{harness::convert_with, zips};

const PICTURE: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// A page with two pictures; the first occurs twice, the second is a drawing.
fn page() -> String {
    format!(
        "<h1>T</h1><p><img src='{PICTURE}' alt=a> <img src='{PICTURE}' alt=b></p><svg width=9 height=9><path d='M0 0h9v9z'/></svg>"
    )
}

/// The files of the archive for these fields, and the text.
#[track_caller]
fn files(fields: &[(&str, &str)]) -> (Vec<String>, String) {
    let fields = [&[("pictures", "zip")], fields].concat();
    let made = convert_with("a.html", page().as_bytes(), "md", "low", &fields);
    let (made, notes) = made.unwrap_or_else(|err| panic!("{}", err.message()));
    assert!(notes.is_archive());
    let entries = zips::entries(&made);
    let text = String::from_utf8(entries[0].1.clone()).unwrap();
    (entries.into_iter().map(|(name, _)| name).collect(), text)
}

#[test]
fn pictures_are_written_as_files_beside_the_text() {
    let (names, text) = files(&[]);
    assert!(names[0].ends_with(".md"), "{names:?}");
    assert_eq!(names[1..], ["media/image1.png", "media/image2.svg"]);
    assert!(
        text.contains("![a](media/image1.png) ![b](media/image1.png)"),
        "{text}"
    );
    assert!(text.contains("media/image2.svg"), "{text}");
    assert!(!text.contains("data:"), "{text}");
}

#[test]
fn picture_folders_stay_inside_the_archive() {
    let (names, text) = files(&[("pictures_folder", "../my pictures")]);
    assert_eq!(names[1], "my pictures/image1.png");
    assert!(text.contains("](../my%20pictures/image1.png)"), "{text}");
    let (names, _) = files(&[("pictures_folder", "/etc/../x")]);
    assert_eq!(names[1], "etc/x/image1.png");
}

#[test]
fn pictures_are_embedded_by_default() {
    for fields in [&[][..], &[("pictures", "embed")]] {
        let made = convert_with("a.html", page().as_bytes(), "md", "medium", fields);
        let (made, notes) = made.unwrap_or_else(|err| panic!("{}", err.message()));
        assert!(!notes.is_archive());
        let text = String::from_utf8(made).unwrap();
        assert!(text.contains(&format!("![a]({PICTURE})")), "{text}");
    }
}
