//! Archives other than ZIP, and comics. Python's `tarfile`, `gzip` and `zipfile` make and read the archives.

use crate::{
    archive::{hex, names, unzip, zip},
    harness::{Directory, convert, converted, epubcheck, fixture, has, output, png, python, scene},
};
use serde_json::json;

/// A tape archive of these files. `format` is a format of `tarfile`, and `mode` is the mode in which the archive is
/// opened. A name that begins with `->` becomes a link to a file outside of the archive.
fn tar(format: &str, mode: &str, files: &[(&str, &[u8])]) -> Vec<u8> {
    let list: Vec<_> = files
        .iter()
        .map(|(name, bytes)| json!([name, hex(bytes)]))
        .collect();
    let script = "import io, json, sys, tarfile\n\
        out = io.BytesIO()\n\
        format, mode, files = json.load(sys.stdin)\n\
        with tarfile.open(fileobj=out, mode=mode, format=getattr(tarfile, format)) as archive:\n\
        \x20   for name, text in files:\n\
        \x20       data = bytes.fromhex(text)\n\
        \x20       info = tarfile.TarInfo(name.removeprefix('->'))\n\
        \x20       info.size = len(data)\n\
        \x20       if name.endswith('/'): info.type = tarfile.DIRTYPE\n\
        \x20       if name.startswith('->'):\n\
        \x20           info.type, info.linkname, info.size = tarfile.SYMTYPE, '/etc/passwd', 0\n\
        \x20       archive.addfile(info, io.BytesIO(data))\n\
        sys.stdout.buffer.write(out.getvalue())";
    python(script, json!([format, mode, list]).to_string().as_bytes())
}

/// A file compressed with gzip, whose header contains this name.
fn gzip(name: &str, bytes: &[u8]) -> Vec<u8> {
    let script = "import gzip, io, json, sys\n\
        out = io.BytesIO()\n\
        name, text = json.load(sys.stdin)\n\
        with gzip.GzipFile(name, 'wb', fileobj=out, mtime=0) as file: file.write(bytes.fromhex(text))\n\
        sys.stdout.buffer.write(out.getvalue())";
    python(script, json!([name, hex(bytes)]).to_string().as_bytes())
}

#[test]
fn files_of_tape_archives_are_converted_as_those_of_zip() {
    if !has("python3") {
        return;
    }
    #[track_caller]
    fn check(format: &str, mode: &str, called: &str) {
        let picture = png(scene(20, 10));
        let long = format!("{}/grün.png", "long folder name".repeat(12));
        let files: [(&str, &[u8]); 6] = [
            ("folder/", b""),
            ("folder/b 10.png", &picture),
            ("folder/b 2.png", &picture),
            ("../../up.png", &picture),
            (&long, &picture),
            ("._b.png", b"litter"),
        ];
        // The oldest format cannot store long names.
        let files = &files[..if format == "USTAR_FORMAT" { 4 } else { 6 }];
        let (result, notes) = convert(called, &tar(format, mode, files), "bmp", &[]).unwrap();
        assert!(notes.is_archive());
        assert_eq!(notes.0, Vec::<String>::new());
        let mut expected = vec!["up.bmp", "folder/b 2.bmp", "folder/b 10.bmp"];
        let renamed = long.replace(".png", ".bmp");
        if files.len() > 4 {
            expected.push(&renamed);
        }
        assert_eq!(names(&result), expected, "{format} {mode}");
    }
    for format in ["USTAR_FORMAT", "GNU_FORMAT", "PAX_FORMAT"] {
        check(format, "w", "a.tar");
        check(format, "w:gz", "a.tar.gz");
        check(format, "w:gz", "a.tgz");
        check(format, "w:xz", "a.tar.xz");
        check(format, "w", "no name");
    }
}

#[test]
fn links_are_left_out_with_a_note() {
    if !has("python3") {
        return;
    }
    let files: [(&str, &[u8]); 3] = [("a.txt", b"words"), ("->b.txt", b""), ("->c.txt", b"")];
    let (result, notes) = convert("a.tar", &tar("GNU_FORMAT", "w", &files), "html", &[]).unwrap();
    assert_eq!(names(&result), ["a.html"]);
    assert_eq!(notes.0, ["2 links in the archive were left out."]);
    let links = tar("GNU_FORMAT", "w", &files[1..]);
    let error = convert("a.tar", &links, "html", &[]).unwrap_err();
    assert!(error.message().contains("no files"), "{error}");
}

#[test]
fn a_tape_archive_that_is_cut_off_gives_what_is_whole() {
    if !has("python3") {
        return;
    }
    let files: [(&str, &[u8]); 2] = [("a.txt", b"words"), ("b.txt", &[b'x'; 4000])];
    let whole = tar("USTAR_FORMAT", "w", &files);
    let (result, notes) = convert("a.tar", &whole[..3000], "html", &[]).unwrap();
    assert_eq!(names(&result), ["a.html"]);
    assert!(
        notes.0[0].contains("damaged or cut off after a.txt"),
        "{notes:?}"
    );
    // The header after the first file gets a wrong checksum.
    let mut damaged = whole.clone();
    damaged[1024] ^= 1;
    let (_, notes) = convert("a.tar", &damaged, "html", &[]).unwrap();
    assert!(
        notes.0[0].contains("damaged or cut off after a.txt"),
        "{notes:?}"
    );
    // The header of the first file states more bytes than the archive has.
    let error = convert("a.tar", &whole[..514], "html", &[]).unwrap_err();
    assert!(error.message().contains("cut off"), "{error}");
}

#[test]
fn a_file_packed_alone_is_the_result_itself() {
    if !has("python3") {
        return;
    }
    #[track_caller]
    fn check(inner: &str, called: &str) {
        let packed = gzip(inner, b"name,count\npears,2\n");
        let (result, notes) = convert(called, &packed, "html", &[]).unwrap();
        assert!(!notes.is_archive());
        let page = String::from_utf8(result).unwrap();
        assert!(page.contains("<td>pears"), "{page}");
    }
    check("a.csv", "b.gz");
    // If the header contains no name, the name of the archive tells the format.
    check("", "a.csv.gz");
    let error = convert("a.gz", &gzip("", b"words"), "html", &[]).unwrap_err();
    assert!(error.message().contains("matches no supported"), "{error}");
    let inner = gzip("a.zip", &zip(&[("a.txt", b"words")]));
    let error = convert("a.gz", &inner, "html", &[]).unwrap_err();
    assert!(error.message().contains("are not opened"), "{error}");
    // Several members of a gzip file are the parts of one file.
    let two = [gzip("a.txt", b"first "), gzip("", b"second")].concat();
    assert!(converted("a.gz", &two, "txt", &[]).starts_with(b"first second"));
}

/// Zeros after the last member are padding, as on tapes.
#[test]
fn bytes_behind_a_gzip_file_are_noted() {
    if !has("python3") {
        return;
    }
    #[track_caller]
    fn check(packed: &[u8], behind: &[u8], notes: &[&str]) {
        let file = [packed, behind].concat();
        let (result, found) = convert("a.gz", &file, "txt", &[]).unwrap();
        assert!(String::from_utf8(result).unwrap().contains("words"));
        assert_eq!(found.0, notes);
    }
    let note = "7 bytes after the end of the compressed data were ignored.";
    let packed = gzip("a.txt", b"words");
    check(&packed, b"garbage", &[note]);
    check(&packed, &[0; 512], &[]);
    check(&packed, b"", &[]);
}

#[test]
fn damaged_gzip_is_refused_with_the_reason() {
    if !has("python3") {
        return;
    }
    let whole = gzip("a.txt", &b"some words ".repeat(1000));
    let error = |bytes: &[u8]| convert("a.gz", bytes, "html", &[]).unwrap_err().to_string();
    for end in [4, 12, 30, whole.len() - 3] {
        assert!(error(&whole[..end]).contains("not a readable gz"), "{end}");
    }
    let mut wrong = whole.clone();
    let at = wrong.len() - 8;
    wrong[at] ^= 1;
    assert!(error(&wrong).contains("checksum"));
    // The file unpacks to more than a gigabyte of zeros.
    let script = "import sys, zlib\n\
        packer = zlib.compressobj(9, wbits=31)\n\
        out = sys.stdout.buffer\n\
        for _ in range(1100): out.write(packer.compress(bytes(1 << 20)))\n\
        out.write(packer.flush())";
    assert!(error(&python(script, b"")).contains("bytes, the limit"));
}

#[test]
fn files_packed_with_xz_and_zstandard_are_read() {
    if !has("xz") || !has("zstd") {
        return;
    }
    #[track_caller]
    fn check(program: &str, arguments: &[&str], text: &[u8]) {
        let directory = Directory::new();
        let path = directory.file("a", text);
        let all = [arguments, &["-k", "-f", &path]].concat();
        output(program, &all);
        let extension = if program == "xz" { "xz" } else { "zst" };
        let packed = std::fs::read(directory.path(&format!("a.{extension}"))).unwrap();
        let called = format!("a.txt.{extension}");
        let made = converted(&called, &packed, "txt", &[]);
        assert!(
            made.trim_ascii() == text.trim_ascii(),
            "{program} {arguments:?}"
        );
        for end in [8, packed.len() / 2, packed.len() - 2] {
            let error = convert(&called, &packed[..end], "txt", &[]).unwrap_err();
            assert!(error.message().contains("not a readable"), "{end}: {error}");
        }
        // In a file without a checksum, damage may change words and stay unnoticed.
        if !arguments.iter().any(|argument| argument.contains("check")) {
            let mut wrong = packed.clone();
            wrong[if program == "xz" { 40 } else { 20 }] ^= 1;
            let error = convert(&called, &wrong, "txt", &[]).unwrap_err();
            assert!(error.message().contains("not a readable"), "{error}");
        }
    }
    let text = b"Some words that come again.\n".repeat(3000);
    check("xz", &["-0"], &text);
    check("xz", &["-9", "--check=none"], &text);
    check("xz", &["--block-size=10000"], &text);
    check("zstd", &["-q", "-1"], &text);
    check(
        "zstd",
        &["-q", "-19", "--no-check", "--no-content-size"],
        &text,
    );
}

#[test]
fn files_packed_with_bzip2_are_read() {
    if !has("python3") {
        return;
    }
    let bzip2 = |bytes: &[u8]| {
        let script =
            "import bz2, sys; sys.stdout.buffer.write(bz2.compress(sys.stdin.buffer.read()))";
        python(script, bytes)
    };
    let text = b"Some words that come again.\n".repeat(3000);
    let (packed, other) = (bzip2(&text), bzip2(b"The end.\n"));
    let read = |file: &[u8]| convert("a.txt.bz2", file, "txt", &[]);
    assert!(read(&packed).unwrap().0.trim_ascii() == text.trim_ascii());
    // Concatenated streams are the parts of one file. Zeros after them are padding.
    let pieces = [&packed[..], &other, b"\0\0padding"].concat();
    assert!(read(&pieces).unwrap().0.ends_with(b"The end.\n"));
    let mut wrong = packed.clone();
    wrong[40] ^= 1;
    for file in [&packed[..20], &packed[..packed.len() - 2], &wrong] {
        let error = read(file).unwrap_err();
        assert!(error.message().contains("not a readable"), "{error}");
    }
    assert!(read(&bzip2(b"")).is_err());
    let files = names(&converted(
        "a.tbz2",
        &tar("PAX_FORMAT", "w:bz2", &[("a.md", b"# A")]),
        "html",
        &[],
    ));
    assert_eq!(files, ["a.html"]);
    // This file has two kilobytes and consists of equal streams. It unpacks to 1.1 GiB.
    let piece = bzip2(&vec![0; 32 << 20]);
    let error = read(&piece.repeat(34)).unwrap_err();
    assert!(error.message().contains("bytes, the limit"), "{error}");
}

/// A test archive that Python's `py7zr` made.
fn seven(name: &str) -> Vec<u8> {
    fixture(&format!("archive/{name}"))
}

#[test]
fn files_of_7z_archives_are_converted_as_those_of_zip() {
    if !has("python3") {
        return;
    }
    for name in ["x86.7z", "ppmd.7z", "bzip2.7z", "copy.7z"] {
        let (result, notes) = convert(name, &seven(name), "html", &[]).unwrap();
        assert!(notes.is_archive());
        let made = unzip(&result);
        let names: Vec<_> = made.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            names,
            ["b/grün 9.html", "b/grün 10.html"],
            "{name}: {notes:?}"
        );
        let text = |at: usize| String::from_utf8_lossy(&made[at].1).into_owned();
        assert_eq!(text(0).matches("Nine</h1>").count(), 500, "{name}");
        assert!(text(1).contains("Ten"), "{name}");
        // A note names the empty file.
        assert!(
            notes.0.iter().any(|note| note.contains("empty.md")),
            "{notes:?}"
        );
    }
    let (result, notes) = convert("a.7z", &seven("link.7z"), "html", &[]).unwrap();
    assert_eq!(names(&result), ["a.html"]);
    assert!(
        notes
            .0
            .contains(&"A link in the archive was left out.".into()),
        "{notes:?}"
    );
    let comic = converted("a.cb7", &seven("comic.cb7"), "cbz", &[]);
    assert_eq!(names(&comic)[..2], ["9.png", "10.png"]);
}

#[test]
fn archives_of_7z_that_are_locked_or_broken_are_refused() {
    #[track_caller]
    fn check(file: &[u8], expected: &str) {
        let error = convert("a.7z", file, "html", &[]).unwrap_err();
        assert!(error.message().contains(expected), "{error}");
    }
    check(&seven("locked.7z"), "is encrypted");
    check(&seven("locked-names.7z"), "is encrypted");
    check(&seven("deflate.7z"), "packed with DEFLATE");
    let whole = seven("all.7z");
    for end in [6, 31, 32, 500, whole.len() - 1] {
        check(&whole[..end], "not a readable");
    }
    // These positions are in the checksum of the header, in the offset, the length and the checksum of the directory,
    // and in the directory itself.
    for at in [8, 12, 20, 28, whole.len() - 20] {
        let mut wrong = whole.clone();
        wrong[at] ^= 0xff;
        check(&wrong, "not a readable");
    }
    // The checksum of one file becomes wrong. The other files are in the same block.
    let mut wrong = whole.clone();
    wrong[60] ^= 1;
    check(&wrong, "is cut off or damaged");
}

/// A comic of three pages with a title. The pages are in the order of the numbers in their names, which differs from
/// alphabetical order.
fn comic(info: &str) -> Vec<u8> {
    let pictures = [10, 20, 30].map(|width| png(scene(width, 8)));
    zip(&[
        ("page 10.png", &pictures[2]),
        ("ComicInfo.xml", info.as_bytes()),
        ("page 1.png", &pictures[0]),
        ("page 2.png", &pictures[1]),
    ])
}

const INFO: &str = "<?xml version='1.0'?><ComicInfo xmlns:xsd='http://www.w3.org/2001/XMLSchema'>\
    <Title>The &lt;End&gt;</Title><Series>Tests</Series><Number>3</Number><Writer>A. Author</Writer>\
    <LanguageISO>en</LanguageISO><Manga>YesAndRightToLeft</Manga></ComicInfo>";

#[test]
fn a_comic_becomes_a_pdf_with_its_title_and_direction() {
    if !has("python3") || !has("pdfinfo") || !has("pdfimages") || !has("qpdf") {
        return;
    }
    for name in ["a.cbz", "a.cbr", "a.zip", "a"] {
        let (pdf, notes) = convert(name, &comic(INFO), "pdf", &[]).unwrap();
        assert_eq!(notes.0, Vec::<String>::new());
        let directory = Directory::new();
        let path = directory.file("a.pdf", &pdf);
        output("qpdf", &["--check", &path]);
        let info = output("pdfinfo", &[&path]);
        assert!(info.contains("Tests 3: The <End>"), "{info}");
        assert!(info.contains("A. Author"), "{info}");
        let list = output("pdfimages", &["-list", &path]);
        let widths = list.lines().skip(2);
        let widths = widths.map(|line| line.split_whitespace().nth(3).unwrap());
        assert!(widths.eq(["10", "20", "30"]), "{list}");
        let plain = directory.path("plain.pdf");
        output(
            "qpdf",
            &["--qdf", "--object-streams=disable", &path, &plain],
        );
        let plain = std::fs::read(&plain).unwrap();
        assert!(plain.windows(4).any(|four| four == b"/R2L"));
    }
}

#[test]
fn a_comic_becomes_a_book_that_is_valid() {
    if !has("python3") {
        return;
    }
    let book = converted("a.cbz", &comic(INFO), "epub", &[]);
    let files = unzip(&book);
    let file = |name: &str| {
        let found = files.iter().find(|(known, _)| known == name);
        String::from_utf8_lossy(&found.unwrap_or_else(|| panic!("no {name}")).1).into_owned()
    };
    let package = file("EPUB/package.opf");
    for part in [
        "pre-paginated",
        "page-progression-direction=\"rtl\"",
        "Tests 3: The &lt;End&gt;",
        "A. Author",
        ">en<",
    ] {
        assert!(package.contains(part), "{part}: {package}");
    }
    assert!(file("EPUB/p0003.xhtml").contains("width=30, height=8"));
    let size = |name: &str| {
        let (_, bytes) = files.iter().find(|(known, _)| known == name).unwrap();
        image::load_from_memory(bytes).unwrap().width()
    };
    assert_eq!(size("EPUB/p0002.png"), 20);
    if let Some(archive) = epubcheck() {
        let directory = Directory::new();
        let path = directory.file("a.epub", &book);
        output("java", &["-jar", archive, "-q", &path]);
    }
    // If the comic states no title, the file name becomes the title.
    let book = converted("My comic.cbz", &comic("<ComicInfo/>"), "epub", &[]);
    let (_, package) = unzip(&book)
        .into_iter()
        .find(|(name, _)| name == "EPUB/package.opf")
        .unwrap();
    assert!(String::from_utf8_lossy(&package).contains("My comic"));
}

#[test]
fn comics_keep_pages_as_they_are_unless_asked() {
    if !has("python3") {
        return;
    }
    let jpg = converted("a.png", &png(scene(12, 9)), "jpg", &[]);
    let bmp = converted("a.png", &png(scene(12, 9)), "bmp", &[]);
    let pages: [(&str, &[u8]); 4] = [
        ("p10.jpg", &jpg),
        ("p2.bmp", &bmp),
        ("readme.md", b"# words"),
        ("p1.png", &png(scene(12, 9))),
    ];
    for (called, archive) in [
        ("a.cbz", zip(&pages)),
        ("a.zip", zip(&pages)),
        ("a.cbt", tar("USTAR_FORMAT", "w", &pages)),
        ("a.tar.gz", tar("USTAR_FORMAT", "w:gz", &pages)),
    ] {
        let (comic, notes) = convert(called, &archive, "cbz", &[]).unwrap();
        assert!(!notes.is_archive());
        assert_eq!(notes.0.len(), 1, "{notes:?}");
        assert!(notes.0[0].contains("readme.md: left out"), "{notes:?}");
        let files = unzip(&comic);
        let names: Vec<_> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["p1.png", "p2.png", "p10.jpg"], "{called}");
        assert!(files[2].1 == jpg, "{called}: a page was written anew");
        let smaller = converted(called, &archive, "cbz", &[("width", "6")]);
        let smaller = unzip(&smaller);
        assert_eq!(smaller.len(), 3, "{called}");
        for (name, page) in smaller {
            assert_eq!(image::load_from_memory(&page).unwrap().width(), 6, "{name}");
        }
    }
    // The new comic has the metadata of the original one.
    let again = converted("a.cbz", &comic(INFO), "cbz", &[]);
    let kept = unzip(&again);
    let (_, info) = kept
        .iter()
        .find(|(name, _)| name == "ComicInfo.xml")
        .unwrap();
    assert!(*info == INFO.as_bytes());
}

#[test]
fn pictures_and_pages_become_comics() {
    if !has("python3") {
        return;
    }
    let comic = converted("a.png", &png(scene(12, 9)), "cbz", &[]);
    assert_eq!(names(&comic), ["page.png"]);
    let pdf = converted(
        "a.md",
        b"# One\n\n<div style='page-break-after:always'></div>\n\ntwo\n",
        "pdf",
        &[],
    );
    if cfg!(feature = "pdf") {
        let (comic, notes) = convert("a.pdf", &pdf, "cbz", &[("dpi", "40")]).unwrap();
        assert!(!notes.is_archive());
        assert_eq!(names(&comic), ["page-001.jpg", "page-002.jpg"]);
        for (_, page) in unzip(&comic) {
            assert!(image::load_from_memory(&page).unwrap().width() > 100);
        }
    }
    let error = convert("a.cbz", &zip(&[("a.png", b"no picture")]), "cbz", &[]).unwrap_err();
    assert!(
        error.message().contains("nothing in the archive"),
        "{error}"
    );
}

#[test]
fn pages_that_a_comic_leaves_out_are_not_shown() {
    if !has("python3") || !has("pdfimages") {
        return;
    }
    let info = "<ComicInfo><Pages><Page Image='1' Type='Deleted'/></Pages></ComicInfo>";
    let directory = Directory::new();
    let pdf = converted("a.cbz", &comic(info), "pdf", &[]);
    let path = directory.file("a.pdf", &pdf);
    assert_eq!(
        output("pdfimages", &["-list", &path]).lines().count(),
        2 + 2
    );
    let book = converted("a.cbz", &comic(info), "epub", &[]);
    let pages = names(&book)
        .into_iter()
        .filter(|name| name.ends_with(".png"));
    assert_eq!(pages.count(), 2);
}
