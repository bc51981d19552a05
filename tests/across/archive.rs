//! Archives: each file is converted, or all pictures become one PDF. Python's `zipfile` makes and reads the archives.

use crate::harness::{Directory, convert, fixture, has, output, png, python, scene};
use convertd::{error::Result, job::Notes};
use serde_json::{Value, json};

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// An archive of these files, compressed by Python's `zipfile`.
pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    zip_by("ZIP_DEFLATED", files)
}

fn zip_by(method: &str, files: &[(&str, &[u8])]) -> Vec<u8> {
    let list: Vec<Value> = files
        .iter()
        .map(|(name, bytes)| json!([name, hex(bytes)]))
        .collect();
    let script = "import io, json, sys, warnings, zipfile\n\
        warnings.simplefilter('ignore')\n\
        out = io.BytesIO()\n\
        method, files = json.load(sys.stdin)\n\
        with zipfile.ZipFile(out, 'w', getattr(zipfile, method)) as archive:\n\
        \x20   for name, text in files:\n\
        \x20       archive.writestr(name, bytes.fromhex(text))\n\
        sys.stdout.buffer.write(out.getvalue())";
    python(script, json!([method, list]).to_string().as_bytes())
}

/// An archive whose files are not compressed, as in this program's own bundles.
fn stored(files: &[(&str, &[u8])]) -> Vec<u8> {
    zip_by("ZIP_STORED", files)
}

/// The names and contents of an archive, as Python reads them.
pub(crate) fn unzip(archive: &[u8]) -> Vec<(String, Vec<u8>)> {
    let script = "import io, json, sys, zipfile\n\
        archive = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))\n\
        assert archive.testzip() is None\n\
        print(json.dumps([[i.filename, list(archive.read(i))] for i in archive.infolist()]))";
    serde_json::from_slice(&python(script, archive)).unwrap()
}

pub(crate) fn names(archive: &[u8]) -> Vec<String> {
    unzip(archive).into_iter().map(|(name, _)| name).collect()
}

fn converted(
    files: &[(&str, &[u8])],
    to: &str,
    fields: &[(&str, &str)],
) -> Result<(Vec<u8>, Notes)> {
    convert("a.zip", &zip(files), to, fields)
}

#[test]
fn each_file_is_converted_and_keeps_its_place() {
    if !has("python3") {
        return;
    }
    let picture = png(scene(20, 10));
    let (result, notes) = converted(
        &[
            ("b/", b""),
            ("b/grün 2.png", &picture),
            ("b/grün 10.png", &picture),
            ("a.tar.png", &picture),
            ("__MACOSX/._a.png", b"litter"),
            ("b/.DS_Store", b"litter"),
        ],
        "bmp",
        &[("width", "10")],
    )
    .unwrap();
    assert!(notes.is_archive());
    assert_eq!(notes.0, Vec::<String>::new());
    let files = unzip(&result);
    let found: Vec<_> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(found, ["a.tar.bmp", "b/grün 2.bmp", "b/grün 10.bmp"]);
    for (name, bytes) in files {
        let picture = image::load_from_memory(&bytes).unwrap();
        assert_eq!((picture.width(), picture.height()), (10, 5), "{name}");
    }
}

#[test]
fn an_iwork_document_becomes_its_preview() {
    if !has("python3") {
        return;
    }
    let picture = png(scene(20, 10));
    let (preview, _) = convert("a.png", &picture, "jpg", &[]).unwrap();
    let parts: [(&str, &[u8]); 3] = [
        ("Index/Document.iwa", b"\0\x10packed"),
        ("Data/photo.png", &picture),
        ("preview.jpg", &preview),
    ];
    let (pdf, notes) = converted(&parts, "pdf", &[]).unwrap();
    assert!(pdf.starts_with(b"%PDF-") && !notes.is_archive());
    assert!(
        notes.0[0].contains("only the preview picture stored in it"),
        "{notes:?}"
    );
    let (pages, _) = convert("a.md", b"# All of it\n", "pdf", &[]).unwrap();
    let parts: [(&str, &[u8]); 3] = [
        ("index.apxl", b"<?xml version='1.0'?><x/>"),
        ("QuickLook/Preview.pdf", &pages),
        ("QuickLook/Thumbnail.jpg", &preview),
    ];
    let (pdf, notes) = converted(&parts, "pdf", &[]).unwrap();
    assert!(notes.0[0].contains("the preview stored in it"), "{notes:?}");
    let (text, _) = convert("a.pdf", &pdf, "txt", &[]).unwrap();
    assert!(String::from_utf8(text).unwrap().contains("All of it"));
    // This package has no preview. Its settings are not a text that can be converted, and its content has the old
    // format.
    let parts: [(&str, &[u8]); 2] = [
        (
            "buildVersionHistory.plist",
            b"<?xml version='1.0'?><plist/>",
        ),
        ("index.xml", b"<?xml version='1.0'?><x/>"),
    ];
    for to in ["txt", "csv"] {
        let error = converted(&parts, to, &[]).unwrap_err();
        assert!(error.message().contains("before 2013"), "{error}");
    }
    let error = converted(&parts, "pdf", &[]).unwrap_err();
    assert!(error.message().contains("has no preview"), "{error}");
}

#[test]
fn an_archive_of_stored_documents_is_an_archive() {
    if !has("python3") {
        return;
    }
    #[track_caller]
    fn check(of: &[u8], from: &str, inner: &str, to: &str) {
        let (file, _) = convert(from, of, inner, &[]).unwrap();
        let name = format!("a.{inner}");
        // The inner archive is alone, or follows another file. In both cases, the directory of the outer archive
        // follows that of the inner one.
        for files in [
            &[(&*name, &*file)][..],
            &[("first.txt", &b"words"[..]), (&*name, &*file)],
        ] {
            let archive = stored(files);
            for called in ["a.zip", "a", &*format!("a.{inner}")] {
                let (result, notes) = convert(called, &archive, to, &[]).unwrap();
                assert!(notes.is_archive(), "{called} of {inner}");
                let made = names(&result);
                assert!(made.contains(&format!("a.{to}")), "{called}: {made:?}");
            }
        }
    }
    for inner in ["docx", "odt", "epub"] {
        check(b"# Title\n\nwords\n", "a.md", inner, "html");
    }
    for inner in ["xlsx", "ods"] {
        check(b"a,b\n1,2\n", "a.csv", inner, "json");
    }
}

#[test]
fn each_result_has_the_title_of_its_file() {
    if !has("python3") {
        return;
    }
    let files: [(&str, &[u8]); 2] = [("in/first.csv", b"a,b\n1,2\n"), ("other.txt", b"words")];
    let (result, _) = converted(&files, "html", &[]).unwrap();
    let titles = unzip(&result).into_iter().map(|(_, page)| {
        let page = String::from_utf8(page).unwrap();
        let (_, rest) = page.split_once("<title>").unwrap();
        rest.split_once('<').unwrap().0.to_owned()
    });
    assert_eq!(titles.collect::<Vec<_>>(), ["first", "other"]);
}

#[test]
fn files_that_cannot_be_converted_are_named() {
    if !has("python3") {
        return;
    }
    let picture = png(scene(20, 10));
    let inner = zip(&[("x.png", &picture)]);
    let (result, notes) = converted(
        &[
            ("good.png", &picture),
            ("cut.png", &picture[..picture.len() / 2]),
            ("text.docx", b"no document"),
            ("inner.zip", &inner),
            ("empty.png", b""),
        ],
        "jpg",
        &[],
    )
    .unwrap();
    assert_eq!(names(&result), ["good.jpg"]);
    assert_eq!(notes.0.len(), 4, "{notes:?}");
    for (name, why) in [
        ("cut.png", "png"),
        ("text.docx", "matches no supported format"),
        ("inner.zip", "are not opened"),
        ("empty.png", "empty"),
    ] {
        let remark = notes.0.iter().find(|note| note.starts_with(name));
        assert!(
            remark.is_some_and(|remark| remark.contains(why)),
            "{notes:?}"
        );
    }
    let error = converted(&[("a.txt", b"")], "jpg", &[]).unwrap_err();
    assert!(
        error.message().contains("nothing in the archive"),
        "{error}"
    );
    let error = convert("a.zip", &zip(&[]), "jpg", &[]).unwrap_err();
    assert!(error.message().contains("no files"), "{error}");
}

#[test]
fn names_stay_within_the_archive_and_are_unique() {
    if !has("python3") {
        return;
    }
    let picture = png(scene(4, 4));
    let files = [
        "../../x.png",
        "/y.png",
        "C:\\z.png",
        "Y.png",
        "d/con?.png",
        "x.png",
    ];
    let files = files.map(|name| (name, picture.as_slice()));
    let (result, _) = converted(&files, "bmp", &[]).unwrap();
    let mut found = names(&result);
    found.sort();
    assert_eq!(
        found,
        [
            "C_/z.bmp",
            "Y.bmp",
            "d/con_.bmp",
            "x (2).bmp",
            "x.bmp",
            "y (2).bmp"
        ]
    );
}

#[test]
fn documents_that_are_archives_stay_what_they_are() {
    let docx = fixture("documents/letter.docx");
    let (text, notes) = convert("letter.docx", &docx, "txt", &[]).unwrap();
    assert!(!notes.is_archive() && !text.starts_with(b"PK"));
    // This is an Office package of an unknown kind. Its extension does not make it an archive.
    if has("python3") {
        let other = zip(&[
            ("[Content_Types].xml", b"<Types/>"),
            ("a/b.png", &png(scene(4, 4))),
        ]);
        let error = convert("a.zip", &other, "png", &[]).unwrap_err();
        assert!(
            error.message().contains("which cannot be converted"),
            "{error}"
        );
    }
}

#[test]
fn documents_in_an_archive_are_converted_one_by_one() {
    if !has("python3") {
        return;
    }
    let (result, notes) = converted(&[("a.md", b"# One"), ("b.md", b"# Two")], "pdf", &[]).unwrap();
    assert!(notes.is_archive());
    assert_eq!(names(&result), ["a.pdf", "b.pdf"]);
    let (result, _) = converted(&[("a.md", b"# One")], "html", &[]).unwrap();
    assert!(String::from_utf8_lossy(&unzip(&result)[0].1).contains("One"));
}

#[test]
fn pictures_become_one_document_in_their_natural_order() {
    if !has("python3") || !has("pdfimages") || !has("qpdf") {
        return;
    }
    let pictures = [10, 20, 30].map(|width| png(scene(width, 8)));
    let (result, notes) = converted(
        &[
            ("page 10.png", &pictures[2]),
            ("page 1.png", &pictures[0]),
            ("notes.md", b"# Text"),
            ("page 2.png", &pictures[1]),
            ("page 3.png", &pictures[1][..60]),
        ],
        "pdf",
        &[("page_size", "a5")],
    )
    .unwrap();
    assert!(!notes.is_archive());
    assert_eq!(notes.0.len(), 2, "{notes:?}");
    let directory = Directory::new();
    let path = directory.file("a.pdf", &result);
    output("qpdf", &["--check", &path]);
    let list = output("pdfimages", &["-list", &path]);
    let widths: Vec<_> = list
        .lines()
        .skip(2)
        .map(|line| line.split_whitespace().nth(3).unwrap())
        .collect();
    assert_eq!(widths, ["10", "20", "30"]);
}

#[test]
fn archives_that_are_too_much_are_refused() {
    if !has("python3") {
        return;
    }
    #[track_caller]
    fn check(script: &str, expected: &str) {
        let script = format!(
            "import io, sys, warnings, zipfile\n\
             warnings.simplefilter('ignore')\n\
             out = io.BytesIO()\n\
             with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as archive:\n\
             \x20   {script}\n\
             sys.stdout.buffer.write(out.getvalue())"
        );
        let error = convert("a.zip", &python(&script, b""), "png", &[]).unwrap_err();
        assert!(error.message().contains(expected), "{error}");
    }
    check(
        "for i in range(100_000): archive.writestr(f'{i}.png', b'x')",
        "10000",
    );
    check(
        "archive.writestr('bomb.png', bytes(600 << 20))",
        "the limit for a file",
    );
    // All entries of the archive's directory refer to the same bytes.
    let one = zip(&[("a.png", &png(scene(4, 4)))]);
    let at = one
        .windows(4)
        .position(|window| window == b"PK\x01\x02")
        .unwrap();
    let end = one
        .windows(4)
        .position(|window| window == b"PK\x05\x06")
        .unwrap();
    let entry = &one[at..end];
    let mut twice = [&one[..end], entry, &one[end..]].concat();
    let tail = twice.len() - 22;
    twice[tail + 12..tail + 16].copy_from_slice(&(2 * entry.len() as u32).to_le_bytes());
    let error = convert("a.zip", &twice, "png", &[]).unwrap_err();
    assert!(error.message().contains("overlap"), "{error}");
}

#[test]
fn a_merged_pdf_contains_every_file() {
    if !has("python3") {
        return;
    }
    let merge = |files: &[(&str, &[u8])], skips: &str| {
        converted(files, "pdf", &[("merge", "true"), ("skip_bad", skips)])
    };
    let good = ("2.txt", &b"two"[..]);
    for bad in [
        ("1.pdf", &b"%PDF-1.4 broken"[..]),
        ("3/three.txt", b""),
        ("3.bin", b"\0\x01\x02"),
        ("10.docx", b"PK\x03\x04"),
    ] {
        let files = [good, bad, ("a.txt", b"last")];
        let error = merge(&files, "false").unwrap_err().to_string();
        assert!(error.starts_with(bad.0), "{error}");
        // The message is about the file in the archive, and not about the archive itself.
        assert!(!error.contains("readable zip"), "{error}");
        let (pdf, notes) = merge(&files, "true").unwrap();
        assert!(pdf.starts_with(b"%PDF-"));
        let start = format!("{}: left out: ", bad.0);
        assert!(
            notes.0.iter().any(|note| note.starts_with(&start)),
            "{:?}",
            notes.0
        );
    }
    assert!(merge(&[good], "false").unwrap().1.0.is_empty());
    // Two files have the name b.xml. The second one does not replace the missing file c.xml.
    let files: [(&str, &[u8]); 3] = [good, ("b.xml", b"<b/>"), ("b.xml", b"<c/>")];
    let attach = "{\"b.xml\": {}, \"c.xml\": {}}";
    let fields = [("merge", "true"), ("attach", attach)];
    let error = converted(&files, "pdf", &fields).unwrap_err();
    assert!(error.message().contains("attach names c.xml"), "{error}");
}
