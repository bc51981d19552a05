//! All pages of a file at once: a TIFF with all of them, or an archive of pictures. Each is the same as if it were
//! requested by its number.

use crate::{
    harness::{Picture, Ran, convert_with, directory, fixture, has, output_of, run},
    make,
};
use std::{fs, path::Path, process::Command};

/// Options for all pages at 72 dots per inch.
const ALL: &[&str] = &["--option", "page=all", "--option", "dpi=72"];

/// A file with this many pages. Each has a different grey, and is ten points wider than the one before.
fn pages(count: usize) -> Vec<u8> {
    let mut file = make::File::new();
    file.object("<< /Type /Catalog /Pages 2 0 R >>");
    let kids: String = (0..count)
        .map(|at| format!("{} 0 R ", 3 + 2 * at))
        .collect();
    file.object(format!("<< /Type /Pages /Kids [{kids}] /Count {count} >>"));
    for at in 0..count {
        let (width, content) = (200 + 10 * at, 4 + 2 * at);
        file.object(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} 300] /Contents {content} 0 R >>"
        ));
        let grey = at as f64 / count as f64;
        file.stream("", format!("{grey} g 0 0 900 900 re f"));
    }
    file.finish()
}

/// The pages that the program has written as numbered files, in order.
fn numbered(at: &Path, to: &str) -> Vec<Vec<u8>> {
    (1..)
        .map_while(|number| fs::read(at.join(format!("result-{number}.{to}"))).ok())
        .collect()
}

/// The files that the program writes: a TIFF under the given name, or in other formats a file for each page.
#[track_caller]
fn made(at: &Path, bytes: &[u8], to: &str) -> (Vec<Vec<u8>>, Ran) {
    let mut ran = run(at, "a.pdf", bytes, to, ALL);
    assert_eq!(ran.code, Some(0), "{}", ran.said);
    assert!(!ran.said.contains("archive"), "{}", ran.said);
    assert!(!at.join("result.zip").exists());
    let whole = ran.result.take();
    assert_eq!(whole.is_some(), to == "tiff");
    let files = whole.into_iter().chain(numbered(at, to)).collect();
    (files, ran)
}

/// Names and contents of an archive in order, as `unzip` finds them.
fn unzipped(at: &Path, archive: &[u8]) -> Vec<(String, Vec<u8>)> {
    let path = at.join("pages.zip");
    fs::write(&path, archive).unwrap();
    let path = path.display().to_string();
    let names = output_of("unzip", &["-Z1", &path]);
    let file = |name: &str| {
        let mut unzip = Command::new("unzip");
        unzip.args(["-p", &path, name]).output().unwrap().stdout
    };
    names
        .lines()
        .map(|name| (name.to_owned(), file(name)))
        .collect()
}

#[test]
fn an_archive_contains_each_page_as_converted_alone() {
    if !has("unzip") {
        return;
    }
    let at = directory("archive");
    for (name, file, count) in [
        ("grey", pages(11), 11),
        ("one", pages(1), 1),
        (
            "office",
            fixture("office.pdf"),
            count_of(&at, &fixture("office.pdf")),
        ),
    ] {
        let fields = [("page", "all"), ("dpi", "72")];
        let (archive, notes) = convert_with("a.pdf", &file, "png", "medium", &fields).unwrap();
        assert!(notes.is_archive());
        let found = unzipped(&at, &archive);
        assert_eq!(found.len(), count, "{name}");
        // On the command line, the same pages are separate files.
        let (written, _) = made(&directory(&format!("archive-{name}")), &file, "png");
        assert_eq!(written.len(), count, "{name}");
        for (number, ((entry, picture), written)) in (1..).zip(found.into_iter().zip(written)) {
            assert_eq!(entry, format!("page-{number:03}.png"));
            let page = number.to_string();
            let fields = [("page", &*page), ("dpi", "72")];
            let (alone, _) = convert_with("a.pdf", &file, "png", "medium", &fields).unwrap();
            assert!(picture == alone, "page {page} of {name}");
            assert!(written == alone, "file {page} of {name}");
        }
    }
}

#[test]
fn a_page_range_becomes_an_archive() {
    if !has("unzip") {
        return;
    }
    let at = directory("range");
    let file = pages(11);
    #[track_caller]
    fn check(at: &Path, file: &[u8], range: &str, expected: &[usize]) {
        let fields = [("page", range), ("width", "50")];
        let (archive, notes) = convert_with("a.pdf", file, "png", "low", &fields).unwrap();
        assert!(notes.is_archive(), "{range}");
        let found = unzipped(at, &archive);
        let names: Vec<String> = found.into_iter().map(|(name, _)| name).collect();
        let expected: Vec<String> = expected
            .iter()
            .map(|number| format!("page-{number:03}.png"))
            .collect();
        assert_eq!(names, expected, "{range}");
    }
    check(&at, &file, "2-4", &[2, 3, 4]);
    check(&at, &file, "3-3", &[3]);
    check(&at, &file, "10-", &[10, 11]);
    // A range may end beyond the last page, so that a program can ask for pages before it knows how many there are.
    check(&at, &file, "9-60", &[9, 10, 11]);
    // On the command line, they are files with these numbers.
    let at = directory("range-files");
    let ran = run(&at, "a.pdf", &file, "png", &["--option", "page=4-5"]);
    assert_eq!(ran.code, Some(0), "{}", ran.said);
    let is_there = |number: usize| at.join(format!("result-{number}.png")).exists();
    let written: Vec<usize> = (1..=11).filter(|number| is_there(*number)).collect();
    assert_eq!(written, [4, 5]);
    let fields = [("page", "2-4"), ("dpi", "36")];
    let (tiff, _) = convert_with("a.pdf", &file, "tiff", "low", &fields).unwrap();
    assert_eq!(directories(&tiff), 3);
    let fields = [("page", "12-20")];
    let error = convert_with("a.pdf", &file, "png", "low", &fields).unwrap_err();
    assert!(
        error
            .message()
            .contains("page is 12; the file has 11 pages"),
        "{error}"
    );
}

/// Number of pages that poppler counts. Without poppler, the pages are counted after a conversion to tiff.
fn count_of(at: &Path, file: &[u8]) -> usize {
    if !has("pdfinfo") {
        return convert_with(
            "a.pdf",
            file,
            "tiff",
            "low",
            &[("page", "all"), ("dpi", "36")],
        )
        .map(|(tiff, _)| directories(&tiff))
        .unwrap();
    }
    let path = at.join("counted.pdf");
    fs::write(&path, file).unwrap();
    let said = output_of("pdfinfo", &[&path.display().to_string()]);
    let line = said.lines().find_map(|line| line.strip_prefix("Pages:"));
    line.unwrap().trim().parse().unwrap()
}

/// The number of directories that are chained in a little-endian TIFF file.
fn directories(tiff: &[u8]) -> usize {
    let long = |at: usize| u32::from_le_bytes(tiff[at..at + 4].try_into().unwrap()) as usize;
    let (mut count, mut at) = (0, long(4));
    while at != 0 {
        count += 1;
        at = long(at + 2 + 12 * usize::from(u16::from_le_bytes([tiff[at], tiff[at + 1]])));
    }
    count
}

#[test]
fn a_tiff_contains_all_pages_in_order() {
    if !has("tiffinfo") {
        return;
    }
    let at = directory("tiff");
    for count in [1, 7] {
        let file = pages(count);
        for quality in ["low", "medium", "high"] {
            let fields = [("page", "all"), ("dpi", "72")];
            let (tiff, notes) = convert_with("a.pdf", &file, "tiff", quality, &fields).unwrap();
            assert!(!notes.is_archive() && notes.0.is_empty(), "{notes:?}");
            assert_eq!(directories(&tiff), count);
            let path = at.join("all.tiff");
            fs::write(&path, &tiff).unwrap();
            let said = output_of("tiffinfo", &[&path.display().to_string()]);
            let sizes: Vec<&str> = said
                .lines()
                .filter_map(|line| line.trim().strip_prefix("Image Width: "))
                .collect();
            assert_eq!(sizes.len(), count, "{said}");
            for (number, size) in sizes.iter().enumerate() {
                let expected = format!("{} Image Length: 300", 200 + 10 * number);
                assert_eq!(*size, expected);
                // Each equals the page that is converted alone and read back.
                let page = (number + 1).to_string();
                let fields = [("page", &*page)];
                let (read, _) = convert_with("a.tiff", &tiff, "ppm", "low", &fields).unwrap();
                let fields = [("page", &*page), ("dpi", "72")];
                let (alone, _) = convert_with("a.pdf", &file, "ppm", "low", &fields).unwrap();
                assert_eq!(Picture::of(&read).difference(&Picture::of(&alone)), 0.0);
            }
        }
    }
    // The command line makes the same file, under the given name.
    let (files, _) = made(&at, &pages(3), "tiff");
    assert_eq!(files.len(), 1);
    assert_eq!(directories(&files[0]), 3);
}

#[test]
fn memory_does_not_grow_with_the_number_of_pages() {
    for to in ["png", "tiff"] {
        let peak = |count: usize| {
            let at = directory(&format!("many-{to}-{count}"));
            let (files, ran) = made(&at, &pages(count), to);
            assert_eq!(files.len(), if to == "tiff" { 1 } else { count });
            ran.peak
        };
        let more = peak(80).saturating_sub(peak(8)) >> 20;
        assert!(more < 32, "{to}: {more} MiB more for ten times the pages");
    }
}

#[test]
fn size_options_apply_to_every_page() {
    if !has("unzip") {
        return;
    }
    let at = directory("sized");
    let fields = [("page", "all"), ("width", "50")];
    let (archive, notes) = convert_with("a.pdf", &pages(3), "ppm", "low", &fields).unwrap();
    assert!(notes.is_archive());
    for (name, picture) in unzipped(&at, &archive) {
        assert_eq!(Picture::of(&picture).width, 50, "{name}");
    }
}

#[test]
fn pages_that_cannot_be_drawn_are_named() {
    // Each form draws the next one ten times, with a depth of forty.
    let mut file = make::File::new();
    file.object("<< /Type /Catalog /Pages 2 0 R >>");
    file.object("<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>");
    file.object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 20 20] >>");
    file.object(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 20 20] /Contents 5 0 R \
         /Resources << /XObject << /X 6 0 R >> >> >>",
    );
    file.stream("", "/X Do");
    for number in 7..47 {
        let entries = format!(
            "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X {number} 0 R >> >>"
        );
        file.stream(&entries, "/X Do ".repeat(10));
    }
    file.stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 9 9]",
        "0 0 9 9 re f",
    );
    let multiplied = file.finish();
    // A page whose content is not what its dictionary states.
    let mut file = make::page("");
    file.stream("/Filter /FlateDecode", "this is not compressed");
    let broken = file.finish();
    let at = directory("damaged");
    for to in ["png", "tiff"] {
        let ran = run(&at, "a.pdf", &multiplied, to, ALL);
        assert_eq!(ran.code, Some(1));
        assert!(
            ran.said.contains("page 2 contains too many"),
            "{}",
            ran.said
        );
        assert!(ran.result.is_none() && numbered(&at, to).is_empty());
        // The page exists, without its unreadable content.
        let (files, ran) = made(&at, &broken, to);
        assert_eq!(files.len(), 1);
        assert!(!ran.said.contains("crashed"), "{}", ran.said);
    }
}

#[test]
fn invalid_page_options_are_refused() {
    for wrong in ["0", "every", "-1", "3-1", "1,3"] {
        let fields = [("page", wrong)];
        let err = convert_with("a.pdf", &pages(2), "png", "low", &fields).unwrap_err();
        let says = "it must be a whole number of 1 or more, a range (3-7 or 5-), or all";
        assert!(err.message().contains(says), "{err}");
    }
}
