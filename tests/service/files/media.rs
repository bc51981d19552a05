//! Pictures of a text as files of their own (`--extract-media`).

use super::{fails, names, works};
use crate::{harness::TempDir, samples::identify, zips::Zip};
use std::{fs, os::unix::fs::symlink};

/// A text with two pictures, of which one is in a table.
fn illustrated() -> String {
    let png = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    let gif = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
    format!("# Text\n\n![one]({png})\n\n| a |\n|---|\n| ![two]({gif}) |\n")
}

#[test]
fn pictures_of_a_text_are_written_beside_it() {
    let dir = TempDir::new();
    let at = |name: &str| dir.path().join(name);
    fs::write(at("a.md"), illustrated()).unwrap();
    works(dir.path(), "convert a.md a.docx");
    fs::create_dir(at("out")).unwrap();
    works(
        dir.path(),
        "convert a.docx out/b.md --extract-media out/pictures",
    );
    let text = fs::read_to_string(at("out/b.md")).unwrap();
    for (name, kind) in [("image1.png", "png"), ("image2.gif", "gif")] {
        assert!(text.contains(&format!("\"pictures/{name}\"")), "{text}");
        let bytes = fs::read(at("out/pictures").join(name)).unwrap();
        assert_eq!(identify(&bytes), kind);
    }
    assert_eq!(
        names(&at("out")),
        ["b.md", "pictures/image1.png", "pictures/image2.gif"]
    );
    // The links are relative to the directory of the text.
    works(dir.path(), "convert a.docx c.md --extract-media ./out/../d");
    assert!(
        fs::read_to_string(at("c.md"))
            .unwrap()
            .contains("\"d/image1.png\"")
    );
    let absolute = at("e").display().to_string();
    works(
        dir.path(),
        &format!("convert a.docx c.md --force --extract-media {absolute}"),
    );
    let text = fs::read_to_string(at("c.md")).unwrap();
    assert!(
        text.contains(&format!("\"{absolute}/image1.png\"")),
        "{text}"
    );
    assert_eq!(names(&at("e")).len(), 2);
}

#[test]
fn pictures_replace_files_only_by_force_and_never_through_links() {
    let dir = TempDir::new();
    let at = |name: &str| dir.path().join(name);
    fs::write(at("a.md"), illustrated()).unwrap();
    works(dir.path(), "convert a.md a.docx");
    fs::create_dir(at("media")).unwrap();
    fs::write(at("media/image2.gif"), b"mine").unwrap();
    let command = "convert a.docx b.md --extract-media media";
    fails(
        dir.path(),
        command,
        1,
        &["media/image2.gif exists", "--force"],
    );
    assert!(!at("b.md").exists());
    assert_eq!(names(&at("media")), ["image2.gif"]);
    works(dir.path(), &format!("{command} --force"));
    assert_eq!(identify(&fs::read(at("media/image2.gif")).unwrap()), "gif");
    // A link with the name of a picture would lead out of the directory.
    fs::write(at("outside"), b"mine").unwrap();
    fs::remove_file(at("media/image1.png")).unwrap();
    symlink(at("outside"), at("media/image1.png")).unwrap();
    fails(dir.path(), &format!("{command} --force"), 1, &["is a link"]);
    assert_eq!(fs::read(at("outside")).unwrap(), b"mine");
    fails(
        dir.path(),
        "convert a.docx b.html --extract-media media",
        1,
        &["md"],
    );
}

#[test]
fn each_of_several_texts_has_its_own_pictures() {
    let dir = TempDir::new();
    let at = |name: &str| dir.path().join(name);
    for name in ["a.md", "b.md"] {
        fs::write(at(name), illustrated()).unwrap();
        let docx = name.replace("md", "docx");
        works(dir.path(), &format!("convert {name} {docx}"));
    }
    works(
        dir.path(),
        "convert a.docx b.docx --to md --out-dir out --extract-media out/media",
    );
    let all = [
        "a.md",
        "b.md",
        "media/a/image1.png",
        "media/a/image2.gif",
        "media/b/image1.png",
        "media/b/image2.gif",
    ];
    assert_eq!(names(&at("out")), all);
    let text = fs::read_to_string(at("out/b.md")).unwrap();
    assert!(text.contains("\"media/b/image1.png\""), "{text}");
}

#[test]
fn tables_have_no_pictures_and_archives_are_unpacked_first() {
    let dir = TempDir::new();
    let at = |name: &str| dir.path().join(name);
    fs::write(at("table.csv"), "name;price\na;1\nb;2\n").unwrap();
    works(dir.path(), "convert table.csv table.xlsx");
    works(
        dir.path(),
        "convert table.xlsx table.md --extract-media media",
    );
    let text = fs::read_to_string(at("table.md")).unwrap();
    assert!(text.contains("| price |"), "{text}");
    assert!(!at("media").exists());
    let packed = Zip::default().stored("a.md", illustrated().as_bytes());
    fs::write(at("texts.zip"), packed.finish()).unwrap();
    let message = ["unpack the archive first"];
    let command = "convert texts.zip text.md --extract-media media";
    fails(dir.path(), command, 1, &message);
    assert!(!at("text.md").exists() && !at("media").exists());
}
