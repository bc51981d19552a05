//! Editing of PDF pages: selected, rotated, split, merged and encrypted, as qpdf and poppler read the results.

use crate::{
    harness::{all, convert, convert_with, directory, has, output_of},
    make::{self, File},
    zips,
};
use std::{fs, path::PathBuf};

/// A report of several pages with a title, links, footnotes, tags and an outline.
fn report(pages: usize) -> Vec<u8> {
    let mut text = String::from("---\ntitle: Report\nlang: en\n---\n\n");
    for page in 1..=pages {
        text += &format!(
            "# Chapter {page}\n\nWords of chapter {page}. [First](#chapter-1), [last](#chapter-{pages}), [out](https://example.org/).\n\n"
        );
        text += &"Some more words for this page, which is to be full.\n\n".repeat(26);
    }
    convert("report.md", text.as_bytes(), "pdf").unwrap()
}

/// The edited file, and the notes.
fn edited(name: &str, file: &[u8], options: &[(&str, &str)]) -> (Vec<u8>, Vec<String>) {
    let (bytes, notes) = convert_with(name, file, "pdf", "high", options).unwrap();
    (bytes, notes.0)
}

fn saved(name: &str, file: &[u8]) -> PathBuf {
    let path = directory("edit").join(name);
    fs::write(&path, file).unwrap();
    path
}

/// The output of a program for a file.
fn said(program: &str, before: &[&str], file: &[u8], after: &[&str]) -> String {
    let path = saved(&format!("{program}-{:x}.pdf", file.len()), file);
    let path = path.to_str().unwrap();
    let arguments: Vec<&str> = before
        .iter()
        .copied()
        .chain([path])
        .chain(after.iter().copied())
        .collect();
    output_of(program, &arguments)
}

/// The text of each page.
fn texts(file: &[u8]) -> Vec<String> {
    let text = said("pdftotext", &[], file, &["-"]);
    let mut pages: Vec<String> = text
        .split('\u{c}')
        .map(|page| page.trim().to_owned())
        .collect();
    pages.pop();
    pages
}

#[track_caller]
fn sound(file: &[u8]) {
    let text = said("qpdf", &["--check"], file, &[]);
    assert!(
        text.contains("No syntax or stream encoding errors"),
        "{text}"
    );
}

#[test]
fn rewritten_files_keep_everything() {
    if !has("qpdf") || !has("pdftotext") {
        return;
    }
    for (name, file) in all() {
        let (written, _) = edited(&name, &file, &[]);
        sound(&written);
        assert_eq!(texts(&written), texts(&file), "{name}");
        let (again, _) = edited(&name, &file, &[]);
        assert!(again == written, "{name}: not the same bytes");
    }
}

#[test]
fn pages_are_picked_in_any_order() {
    if !has("qpdf") || !has("pdftotext") {
        return;
    }
    let file = report(6);
    let before = texts(&file);
    assert!(before.len() >= 6);
    #[track_caller]
    fn check(file: &[u8], before: &[String], list: &str, expected: &[usize]) {
        let (written, _) = edited("report.pdf", file, &[("pages", list)]);
        sound(&written);
        let expected: Vec<String> = expected
            .iter()
            .map(|page| before[page - 1].clone())
            .collect();
        assert_eq!(texts(&written), expected, "{list}");
    }
    check(&file, &before, "3,1-2", &[3, 1, 2]);
    check(&file, &before, "2-1", &[2, 1]);
    check(&file, &before, "1,1", &[1, 1]);
    let (written, notes) = edited("report.pdf", &file, &[("pages", "2-3")]);
    // Links and outline entries to chapters that are gone are removed; links to URLs stay.
    assert!(
        notes
            .iter()
            .any(|note| note.contains("pages that are not in the result")),
        "{notes:?}"
    );
    let json = said("qpdf", &["--json"], &written, &[]);
    assert_eq!(json.matches("Chapter 1").count(), 0);
    assert!(json.contains("u:Chapter 2") && json.contains("https://example.org/"));
    assert!(json.contains("/StructTreeRoot") && written.len() < file.len());
    for (list, expected) in [
        ("7-", "page 7"),
        ("1-999999999", "page 999999999"),
        ("x", "such as 3,1-2,5-"),
    ] {
        let few = report(1);
        let error =
            convert_with("report.pdf", &few, "pdf", "high", &[("pages", list)]).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn bookmarks_replace_those_of_the_file() {
    if !has("qpdf") {
        return;
    }
    let file = report(3);
    let list = r#"[{"title":"Größe","page":2,"children":[{"title":"Inner","page":3}]},{"title":"Last","page":1}]"#;
    let (written, _) = edited(
        "report.pdf",
        &file,
        &[("bookmarks", list), ("pages", "1-3")],
    );
    sound(&written);
    let json = said("qpdf", &["--json", "--json-key=outlines"], &written, &[]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let told = |entry: &serde_json::Value| {
        let (title, page) = (&entry["title"], &entry["destpageposfrom1"]);
        format!("{title} {page} {}", entry["kids"].as_array().unwrap().len())
    };
    let outlines = json["outlines"].as_array().unwrap();
    let all: Vec<String> = outlines.iter().map(told).collect();
    assert_eq!(all, ["\"Größe\" 2 1", "\"Last\" 1 0"]);
    assert_eq!(told(&outlines[0]["kids"][0]), "\"Inner\" 3 0");
    let (written, _) = edited("report.pdf", &file, &[("bookmarks", "[]")]);
    let json = said("qpdf", &["--json", "--json-key=outlines"], &written, &[]);
    assert!(json.contains("\"outlines\": []"), "{json}");
    for (fields, expected) in [
        (&[("bookmarks", "{}")][..], "must be a list"),
        (
            &[("bookmarks", r#"[{"title":"A","page":400}]"#)][..],
            "page from 1 to",
        ),
        (&[("bookmarks", "[]"), ("split", "1")][..], "exclude"),
    ] {
        let error = convert_with("report.pdf", &file, "pdf", "high", fields).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn pages_are_rotated() {
    if !has("pdfinfo") {
        return;
    }
    let file = report(1);
    let turned = edited("report.pdf", &file, &[("rotate", "90")]).0;
    assert!(said("pdfinfo", &[], &turned, &[]).contains("Page rot:        90"));
    let turned = edited("report.pdf", &turned, &[("rotate", "270")]).0;
    assert!(said("pdfinfo", &[], &turned, &[]).contains("Page rot:        0"));
    #[track_caller]
    fn check(fields: &[(&str, &str)], expected: [&str; 4]) {
        let turned = edited("report.pdf", &report(4), fields).0;
        let said = said("pdfinfo", &["-f", "1", "-l", "4"], &turned, &[]);
        let angles = said.lines().filter(|line| line.contains(" rot:"));
        let angles: Vec<_> = angles
            .filter_map(|line| line.split_whitespace().last())
            .collect();
        assert_eq!(angles[..4], expected, "{fields:?}");
    }
    check(
        &[("rotate_pages", "2:90,3-4:180")],
        ["0", "90", "180", "180"],
    );
    let usual = [("rotate", "270"), ("rotate_pages", "1,3:90")];
    check(&usual, ["270", "0", "90", "0"]);
    // The numbers are those of the source, wherever its pages go.
    let moved = [("rotate_pages", "4:90"), ("pages", "4,1-3")];
    check(&moved, ["90", "0", "0", "0"]);
    let wrong = [("rotate_pages", "1:45")];
    let error = convert_with("report.pdf", &report(1), "pdf", "high", &wrong).unwrap_err();
    assert!(
        error.message().starts_with("rotate_pages has the angle"),
        "{error}"
    );
}

#[test]
fn files_are_split_and_merged() {
    if !has("qpdf") || !has("pdftotext") {
        return;
    }
    let file = report(5);
    let before = texts(&file);
    let (parts, notes) =
        convert_with("report.pdf", &file, "pdf", "high", &[("split", "2")]).unwrap();
    assert!(notes.is_archive());
    // The parts are an archive, which can be merged again.
    let (whole, notes) =
        convert_with("parts.zip", &parts, "pdf", "high", &[("merge", "true")]).unwrap();
    assert!(!notes.is_archive(), "{:?}", notes.0);
    sound(&whole);
    assert_eq!(texts(&whole), before);
    let json = said("qpdf", &["--json"], &whole, &[]);
    assert!(json.contains("u:part-001") && json.contains("u:Chapter 5"));
    assert!(json.contains("/StructTreeRoot"));
}

#[test]
fn each_part_keeps_the_objects_of_its_pages() {
    if !has("qpdf") || !has("pdftotext") {
        return;
    }
    let file = report(6);
    let before = texts(&file);
    let split = |together: &str| {
        let (archive, _) = edited("report.pdf", &file, &[("split", together)]);
        let parts = zips::entries(&archive).into_iter();
        parts.map(|(_, part)| part).collect::<Vec<_>>()
    };
    let parts = split("1");
    assert_eq!(parts.len(), before.len());
    for (part, words) in parts.iter().zip(&before) {
        sound(part);
        assert_eq!(&texts(part), std::slice::from_ref(words));
        let json = said("qpdf", &["--json"], part, &[]);
        assert!(json.contains("/StructTreeRoot"));
        for chapter in 1..=6 {
            let is_here = words.contains(&format!("Chapter {chapter}\n"));
            let title = format!("\"u:Chapter {chapter}\"");
            assert_eq!(
                json.contains(&title),
                is_here,
                "chapter {chapter} of {words}"
            );
        }
    }
    // A part does not depend on the parts before it.
    let whole = split("100");
    assert_eq!(whole.len(), 1);
    assert_eq!(texts(&whole[0]), before);
    let options = [("pages", "2")];
    let (alone, _) = convert_with("report.pdf", &file, "pdf", "high", &options).unwrap();
    assert!(alone == parts[1], "not the same bytes");
}

#[test]
fn cyclic_structures_are_cut() {
    // A node of the page tree that contains itself, and an entry that refers to the tree.
    let mut file = File::new();
    file.object("<< /Type /Catalog /Pages 2 0 R /Old 2 0 R >>");
    file.object("<< /Type /Pages /Kids [3 0 R 2 0 R] /Count 2 >>");
    file.object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R >>");
    file.stream("", "0 0 1 rg 10 10 50 50 re f");
    let file = file.finish();
    for quality in ["medium", "high"] {
        let (made, _) = convert_with("a.pdf", &file, "pdf", quality, &[]).unwrap();
        assert!(made != file, "{quality}");
        if has("qpdf") {
            sound(&made);
            let json = said("qpdf", &["--json"], &made, &[]);
            assert!(
                !json.contains("/Own") && json.matches("/Kids").count() == 1,
                "{json}"
            );
        }
    }
}

#[test]
fn lost_pages_are_noted() {
    // The pages come before their contents, as in files for the web.
    let mut file = File::new();
    file.object("<< /Type /Catalog /Pages 2 0 R >>");
    file.object("<< /Type /Pages /Kids [3 0 R 4 0 R 7 0 R] /Count 3 >>");
    for content in [5, 6] {
        file.object(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents {content} 0 R >>"
        ));
    }
    file.stream("", "0 0 1 rg 10 10 50 50 re f");
    let end = file
        .finish()
        .windows(9)
        .position(|word| word == b"endstream")
        .unwrap();
    file.stream("", "0 0 1 rg 10 10 50 50 re f");
    file.object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>");
    let whole = file.finish();
    for to in ["pdf", "png"] {
        let (_, notes) = convert_with("a.pdf", &whole, to, "high", &[]).unwrap();
        assert!(
            notes.0.iter().all(|note| !note.contains("cut off")),
            "{notes:?}"
        );
        // One page is missing, and the content of another.
        let cut = &whole[..end + "endstream\nendobj\n".len()];
        let (_, notes) = convert_with("a.pdf", cut, to, "high", &[]).unwrap();
        let expected = "The file is cut off: 2 pages, or their contents, are missing.";
        assert!(notes.0.iter().any(|note| note == expected), "{notes:?}");
    }
}

#[test]
fn files_are_encrypted_and_decrypted() {
    if !has("qpdf") || !has("pdftotext") {
        return;
    }
    let file = report(2);
    let before = texts(&file);
    let (locked, _) = edited("report.pdf", &file, &[("encrypt", "pässword")]);
    let shown = said(
        "qpdf",
        &["--password=pässword", "--show-encryption"],
        &locked,
        &[],
    );
    assert!(
        shown.contains("R = 6") && shown.contains("AESv3"),
        "{shown}"
    );
    let text = said("qpdf", &["--password=pässword", "--check"], &locked, &[]);
    assert!(
        text.contains("No syntax or stream encoding errors"),
        "{text}"
    );
    for (password, expected) in [
        (None, "send it in the field password"),
        (Some("wrong"), "the field password is wrong"),
    ] {
        let options: Vec<(&str, &str)> = password
            .map(|word| ("password", word))
            .into_iter()
            .collect();
        let error = convert_with("report.pdf", &locked, "pdf", "high", &options).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
    // The option exists for every target.
    let (text, _) = convert_with(
        "report.pdf",
        &locked,
        "txt",
        "high",
        &[("password", "pässword")],
    )
    .unwrap();
    assert!(
        String::from_utf8(text)
            .unwrap()
            .contains("Words of chapter 2")
    );
    let (opened, _) = edited("report.pdf", &locked, &[("password", "pässword")]);
    sound(&opened);
    assert_eq!(texts(&opened), before);
    let (restricted, _) = edited("report.pdf", &file, &[("permissions", "print")]);
    let shown = said("qpdf", &["--show-encryption"], &restricted, &[]);
    assert!(
        shown.contains("extract for any purpose: not allowed"),
        "{shown}"
    );
    assert!(shown.contains("print high resolution: allowed"), "{shown}");
    let error = convert_with(
        "report.pdf",
        &file,
        "pdf",
        "high",
        &[("permissions", "dance")],
    )
    .unwrap_err();
    assert!(error.to_string().contains("permissions must be"), "{error}");
}

#[test]
fn titles_are_set() {
    if !has("pdfinfo") {
        return;
    }
    let (written, _) = edited("report.pdf", &report(1), &[("title", "Größe & <more>")]);
    let text = said("pdfinfo", &[], &written, &[]);
    assert!(text.contains("Größe & <more>"), "{text}");
    let xmp = said("pdfinfo", &["-meta"], &written, &[]);
    assert!(xmp.contains("Größe &amp; &lt;more&gt;"), "{xmp}");
}

#[test]
fn numbers_and_stamps_are_upright() {
    if !has("qpdf") || !has("pdftotext") {
        return;
    }
    let file = report(2);
    for turned in ["0", "90", "180", "270"] {
        let options = [
            ("rotate", turned),
            ("numbers", "true"),
            ("stamp", "Entwurf 草 ß"),
        ];
        let (written, _) = edited("report.pdf", &file, &options);
        sound(&written);
        // The number is upright, centred at the bottom, whatever the rotation of the page.
        let boxes = said(
            "pdftotext",
            &["-bbox", "-f", "2", "-l", "2"],
            &written,
            &["-"],
        );
        let words: Vec<&str> = boxes
            .lines()
            .filter(|line| line.contains(">2</word>"))
            .collect();
        let is_foot = |line: &&str| {
            let number = |key: &str| -> f64 {
                let at = line.find(key).unwrap() + key.len() + 2;
                line[at..].split('"').next().unwrap().parse().unwrap()
            };
            let (wide, high) = if matches!(turned, "90" | "270") {
                (842.0, 595.0)
            } else {
                (595.0, 842.0)
            };
            (number("xMin") - wide / 2.0).abs() < 6.0 && high - number("yMax") < 30.0
        };
        assert!(words.iter().any(is_foot), "{turned}: {words:?}");
        // Rotated letters are separate words for poppler.
        assert!(boxes.contains('ß'), "{turned}: {boxes}");
    }
}

#[test]
fn fields_and_comments_are_flattened() {
    if !has("qpdf") || !has("pdftotext") {
        return;
    }
    let mut form = File::new();
    form.object("<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R 7 0 R] /DA (/Helv 0 Tf 0 g) >> >>");
    form.object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
    form.object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Annots [5 0 R 7 0 R 8 0 R 9 0 R] >>");
    form.stream("", "q 0.5 0 0 0.5 0 0 cm");
    form.object("<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /V (Filled) /Rect [20 120 180 140] /AP << /N 6 0 R >> >>");
    form.stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 80 10] /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>",
        "BT /F 8 Tf 2 2 Td (Filled) Tj ET",
    );
    // A field without an appearance, a hidden stamp, and a link.
    form.object(
        "<< /Type /Annot /Subtype /Widget /FT /Tx /T (b) /V (Plain) /Rect [20 60 180 80] >>",
    );
    form.object("<< /Type /Annot /Subtype /Stamp /F 2 /Rect [20 20 180 40] /AP << /N 6 0 R >> >>");
    form.object("<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://example.org/) >> >>");
    let (flat, _) = edited("form.pdf", &form.finish(), &[("flatten", "true")]);
    sound(&flat);
    let json = said("qpdf", &["--json"], &flat, &[]);
    assert!(
        !json.contains("/AcroForm")
            && !json.contains("/Widget")
            && json.contains("https://example.org/")
    );
    let boxes = said("pdftotext", &["-bbox"], &flat, &["-"]);
    assert_eq!(boxes.matches("Filled").count(), 1, "{boxes}");
    assert!(boxes.contains("Plain"), "{boxes}");
    // The page leaves its graphics state changed, and the bounding box of the appearance is half as large as the field.
    let filled = boxes.lines().find(|line| line.contains("Filled")).unwrap();
    assert!(filled.contains("xMin=\"24."), "{filled}");
}

#[test]
fn quality_reduces_the_pixels_of_pictures() {
    if !has("pdfimages") || !has("qpdf") {
        return;
    }
    // A picture with 600 pixels per inch, with a mask of the same size.
    let mut file = make::page("/Resources << /XObject << /I 5 0 R >> >>");
    file.stream("", "q 72 0 0 72 100 500 cm /I Do Q");
    let own = "/Type /XObject /Subtype /Image /Width 600 /Height 600 /BitsPerComponent 8";
    let samples: Vec<u8> = (0..600 * 600 * 3_u32)
        .map(|at| (at.wrapping_mul(7919) >> 9) as u8)
        .collect();
    file.stream(
        &format!("{own} /ColorSpace /DeviceRGB /SMask 6 0 R"),
        &samples,
    );
    let mask: Vec<u8> = (0..600 * 600_u32).map(|at| (at / 1500) as u8).collect();
    file.stream(&format!("{own} /ColorSpace /DeviceGray"), &mask);
    let file = file.finish();
    for (quality, side) in [("low", "110"), ("medium", "200"), ("high", "600")] {
        let (written, notes) = convert_with("a.pdf", &file, "pdf", quality, &[]).unwrap();
        sound(&written);
        let list = said("pdfimages", &["-list"], &written, &[]);
        let sides: Vec<&str> = list
            .lines()
            .skip(2)
            .filter_map(|line| line.split_whitespace().nth(3))
            .collect();
        assert_eq!(sides, [side, side], "{quality}: {list}");
        assert_eq!(
            notes.0.iter().any(|note| note.contains("reduced to")),
            side != "600",
            "{notes:?}"
        );
    }
}

#[test]
fn files_that_would_grow_are_kept_unchanged() {
    let file = make::with_content("", "BT /F 10 Tf 100 700 Td (A) Tj ET");
    let (packed, _) = edited("a.pdf", &file, &[]);
    assert!(packed.len() <= file.len());
    let (again, notes) = edited("a.pdf", &packed, &[]);
    assert!(again == packed, "{notes:?}");
}
