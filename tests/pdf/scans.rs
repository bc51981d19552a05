//! Scanned pages: they are recognised and get a text layer, and poppler must find the words at their positions. The
//! expected words are those of the file that the scan was drawn from.

#![cfg(feature = "ocr")]

use crate::{
    harness::{convert, convert_with, directory, has, output_of},
    make::{page, with_content},
};
use std::fs;

/// Words of a page with their boxes in points: left, top, right, bottom.
type Words = Vec<(String, [f64; 4])>;

/// A page of 612 × 792 points with a heading and two paragraphs.
fn typeset() -> Vec<u8> {
    let lines = [
        (20.0, 72.0, 700.0, "Annual survey"),
        (
            12.0,
            72.0,
            660.0,
            "The harbour was dredged in March and opened again in May.",
        ),
        (
            12.0,
            72.0,
            644.0,
            "Ships of up to 90 metres can berth at any tide since then.",
        ),
        (
            12.0,
            72.0,
            628.0,
            "Costs were 1,250 below the estimate of the year before.",
        ),
        (
            12.0,
            72.0,
            590.0,
            "Visitors came by train, by bicycle and on foot; few by car.",
        ),
        (
            12.0,
            72.0,
            574.0,
            "The new bridge over the river will be finished next summer.",
        ),
    ];
    let mut content = String::new();
    for (size, x, y, text) in lines {
        content += &format!("BT /F {size} Tf {x} {y} Td ({text}) Tj ET\n");
    }
    with_content("", &content)
}

/// A page drawn in grey: its width, height and samples.
fn drawn(file: &[u8], dpi: u32) -> (usize, usize, Vec<u8>) {
    let dpi = dpi.to_string();
    let (pgm, _) = convert_with("page.pdf", file, "pgm", "high", &[("dpi", &dpi)]).unwrap();
    let mut fields = Vec::new();
    let mut at = 0;
    while fields.len() < 4 {
        let end = at + pgm[at..].iter().position(u8::is_ascii_whitespace).unwrap();
        fields.push(std::str::from_utf8(&pgm[at..end]).unwrap().to_owned());
        at = end + 1;
    }
    assert_eq!(fields[0], "P5");
    (
        fields[1].parse().unwrap(),
        fields[2].parse().unwrap(),
        pgm[at..].to_vec(),
    )
}

/// A PDF with one page. The page has these further entries; its content draws this picture as `/I`.
fn scan(
    entries: &str,
    content: &str,
    (width, height, samples): &(usize, usize, Vec<u8>),
) -> Vec<u8> {
    let entries = format!("/Resources << /XObject << /I 5 0 R >> >> {entries}");
    let dict = format!(
        "/Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace /DeviceGray /BitsPerComponent 8"
    );
    page(&entries)
        .stream("", content)
        .stream(&dict, samples)
        .finish()
}

/// The words of the first page as poppler finds them. Positions are those on the displayed page.
fn words(file: &[u8]) -> Words {
    let path = directory("scans").join(format!("words-{:?}.pdf", std::thread::current().id()));
    fs::write(&path, file).unwrap();
    let text = output_of(
        "pdftotext",
        &["-bbox", "-cropbox", path.to_str().unwrap(), "-"],
    );
    let number = |line: &str, name: &str| -> f64 {
        let from = line.find(name).unwrap() + name.len() + 2;
        line[from..].split('"').next().unwrap().parse().unwrap()
    };
    let lines = text.lines().filter(|line| line.contains("<word "));
    lines
        .map(|line| {
            let place = ["xMin", "yMin", "xMax", "yMax"].map(|name| number(line, name));
            let text = line.split_once('>').unwrap().1;
            (text.split("</word>").next().unwrap().to_owned(), place)
        })
        .collect()
}

/// Checks that the words are the same in the same order. At most one in fifty may be misread, or be more than three
/// points from its expected position, which is shifted and scaled first.
#[track_caller]
fn same_words(found: &Words, truth: &Words, (dx, dy, scale): (f64, f64, f64), name: &str) {
    let text = |words: &Words| {
        words
            .iter()
            .map(|(word, _)| word.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        text(found).len(),
        text(truth).len(),
        "{name}: {:?}",
        text(found)
    );
    let mut wrong = Vec::new();
    for ((word, place), (other, truth)) in found.iter().zip(truth) {
        let x = [truth[0], truth[2]].map(|x| x * scale + dx);
        let middle = (truth[1] + truth[3]) / 2.0 * scale + dy;
        let is_there = (place[0] - x[0]).abs() < 3.0
            && (place[2] - x[1]).abs() < 3.0
            && ((place[1] + place[3]) / 2.0 - middle).abs() < 3.0;
        if word != other || !is_there {
            wrong.push(format!("{word} {place:?} instead of {other} {truth:?}"));
        }
    }
    assert!(wrong.len() * 50 <= truth.len(), "{name}: {wrong:?}");
}

#[track_caller]
fn sound(file: &[u8]) {
    let path = directory("scans").join(format!("sound-{:?}.pdf", std::thread::current().id()));
    fs::write(&path, file).unwrap();
    let text = output_of("qpdf", &["--check", path.to_str().unwrap()]);
    assert!(
        text.contains("No syntax or stream encoding errors"),
        "{text}"
    );
}

fn lacks_tools() -> bool {
    !has("qpdf") || !has("pdftotext")
}

#[test]
fn recognised_words_are_at_their_positions() {
    if lacks_tools() {
        return;
    }
    let source = typeset();
    let truth = words(&source);
    let picture = drawn(&source, 200);
    #[track_caller]
    fn check(name: &str, file: &[u8], truth: &Words, place: (f64, f64, f64)) {
        let (made, notes) =
            convert_with("scan.pdf", file, "pdf", "medium", &[("ocr", "auto")]).unwrap();
        sound(&made);
        assert!(
            notes
                .0
                .iter()
                .any(|note| note.starts_with("Page 1 was read by OCR")),
            "{notes:?}"
        );
        same_words(&words(&made), truth, place, name);
        // The visible page does not change, and neither do the bytes of the picture.
        assert_eq!(drawn(&made, 50).2, drawn(file, 50).2, "{name}");
        assert!(
            made.len() < file.len() + 20_000,
            "{name}: {} of {}",
            made.len(),
            file.len()
        );
        // A page with a text layer is not recognised again.
        let (again, _) =
            convert_with("scan.pdf", &made, "pdf", "medium", &[("ocr", "auto")]).unwrap();
        assert_eq!(words(&again), words(&made), "{name}");
    }
    let whole = "q 612 0 0 792 0 0 cm /I Do Q";
    let same = (0.0, 0.0, 1.0);
    check("plain", &scan("", whole, &picture), &truth, same);
    let shifted = "q 612 0 0 792 100 -50 cm /I Do Q";
    check(
        "shifted",
        &scan("/MediaBox [100 -50 712 742]", shifted, &picture),
        &truth,
        same,
    );
    let turned = "0 612 -792 0 792 0 cm /I Do";
    check(
        "turned",
        &scan("/MediaBox [0 0 792 612] /Rotate 90", turned, &picture),
        &truth,
        same,
    );
    let upside = "-612 0 0 -792 612 792 cm /I Do";
    check(
        "on its head",
        &scan("/Rotate 180", upside, &picture),
        &truth,
        same,
    );
    let left = "0 -612 792 0 0 612 cm /I Do";
    check(
        "turned left",
        &scan("/MediaBox [0 0 792 612] /Rotate -90", left, &picture),
        &truth,
        same,
    );
    let cropped = (-36.0, -72.0, 1.0);
    check(
        "cropped",
        &scan("/CropBox [36 36 600 720]", whole, &picture),
        &truth,
        cropped,
    );
    let half = "q 306 0 0 396 0 0 cm /I Do Q";
    check(
        "large units",
        &scan("/MediaBox [0 0 306 396] /UserUnit 2", half, &picture),
        &truth,
        (0.0, 0.0, 0.5),
    );
    let open = "Q q 2 0 0 2 0 0 cm q 306 0 0 396 0 0 cm /I Do";
    check("unbalanced", &scan("", open, &picture), &truth, same);
    let twice = "q 612 0 0 792 0 0 cm /I Do Q q 0 0 612 400 re W n 612 0 0 792 0 0 cm /I Do Q";
    check("twice", &scan("", twice, &picture), &truth, same);
}

#[test]
fn existing_text_layers_are_replaced_on_request() {
    if lacks_tools() {
        return;
    }
    let source = typeset();
    let picture = drawn(&source, 200);
    let content = "q 612 0 0 792 0 0 cm /I Do Q BT 3 Tr /F 12 Tf 72 660 Td (Teh harbonr w4s dr3dged in Narch) Tj ET";
    let fonts = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> >>";
    let resources = format!("/Resources << {fonts} /XObject << /I 5 0 R >> >>");
    let dict = format!(
        "/Type /XObject /Subtype /Image /Width {} /Height {} /ColorSpace /DeviceGray /BitsPerComponent 8",
        picture.0, picture.1
    );
    let file = page(&resources)
        .stream("", content)
        .stream(&dict, &picture.2)
        .finish();
    let text = |options: &[(&str, &str)]| {
        let (made, _) = convert_with("scan.pdf", &file, "pdf", "medium", options).unwrap();
        sound(&made);
        words(&made)
            .into_iter()
            .map(|(word, _)| word)
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(text(&[("ocr", "auto")]), "Teh harbonr w4s dr3dged in Narch");
    let read = text(&[("ocr", "redo")]);
    assert!(read.contains("The harbour was dredged in March"), "{read}");
    assert!(!read.contains("harbonr"), "{read}");
}

#[test]
fn scans_become_documents() {
    let picture = drawn(&typeset(), 200);
    let file = scan("", "q 612 0 0 792 0 0 cm /I Do Q", &picture);
    let (txt, notes) = convert_with("scan.pdf", &file, "txt", "medium", &[]).unwrap();
    let txt = String::from_utf8(txt).unwrap();
    assert!(
        txt.contains("The harbour was dredged in March and opened again in May.\n"),
        "{txt}"
    );
    assert!(
        notes
            .0
            .iter()
            .any(|note| note.starts_with("Page 1 was read by OCR, with a confidence of")),
        "{notes:?}"
    );
    let md = String::from_utf8(convert("scan.pdf", &file, "md").unwrap()).unwrap();
    assert!(md.contains("# Annual survey\n"), "{md}");
    // The option can turn recognition off.
    let error = convert_with("scan.pdf", &file, "txt", "medium", &[("ocr", "off")]).unwrap_err();
    assert!(
        error.message().contains("pictures without text"),
        "{}",
        error.message()
    );
}

#[test]
fn pages_are_turned_upright_and_straightened() {
    if lacks_tools() {
        return;
    }
    let source = typeset();
    let picture = drawn(&source, 200);
    // The page is sideways: on the displayed page, text runs from bottom to top.
    let side = "0 612 -792 0 792 0 cm /I Do";
    let file = scan("/MediaBox [0 0 792 612]", side, &picture);
    let options = [("ocr", "auto"), ("upright", "true")];
    let (made, notes) = convert_with("scan.pdf", &file, "pdf", "medium", &options).unwrap();
    sound(&made);
    assert!(
        notes
            .0
            .iter()
            .any(|note| note == "A page was turned upright."),
        "{notes:?}"
    );
    same_words(&words(&made), &words(&source), (0.0, 0.0, 1.0), "upright");
    // The page is rotated by two degrees.
    let (sin, cos) = 2f64.to_radians().sin_cos();
    let askew = format!("{cos} {sin} {} {cos} 0 0 cm 612 0 0 792 0 0 cm /I Do", -sin);
    let file = scan("", &askew, &picture);
    let options = [("ocr", "auto"), ("deskew", "true")];
    let (made, notes) = convert_with("scan.pdf", &file, "pdf", "medium", &options).unwrap();
    sound(&made);
    assert!(
        notes
            .0
            .iter()
            .any(|note| note == "A page was straightened."),
        "{notes:?}"
    );
    let found = words(&made);
    let first = found.iter().find(|(word, _)| word == "The").unwrap().1;
    let last = found.iter().find(|(word, _)| word == "May.").unwrap().1;
    assert!((first[1] - last[1]).abs() < 1.5, "{first:?} {last:?}");
}

#[test]
fn invisible_content_is_not_read() {
    let picture = drawn(&typeset(), 200);
    // A black bar covers the second line of text.
    let content = "q 612 0 0 792 0 0 cm /I Do Q 0 g 60 640 500 16 re f";
    let file = scan("", content, &picture);
    let txt = String::from_utf8(convert("scan.pdf", &file, "txt").unwrap()).unwrap();
    assert!(
        txt.contains("The harbour was dredged") && !txt.contains("Ships"),
        "{txt}"
    );
}

#[test]
fn pictures_become_text_and_searchable_pages() {
    if lacks_tools() {
        return;
    }
    let source = typeset();
    let (png, _) = convert_with("page.pdf", &source, "png", "high", &[("dpi", "200")]).unwrap();
    let txt = String::from_utf8(convert("page.png", &png, "txt").unwrap()).unwrap();
    assert!(
        txt.contains("Costs were 1,250 below the estimate of the year before.\n"),
        "{txt}"
    );
    let html = String::from_utf8(convert("page.png", &png, "html").unwrap()).unwrap();
    assert!(html.contains("Annual survey</h1>"), "{html}");
    let (made, _) = convert_with("page.png", &png, "pdf", "medium", &[("ocr", "true")]).unwrap();
    sound(&made);
    same_words(&words(&made), &words(&source), (0.0, 0.0, 1.0), "picture");
    let (plain, _) = convert_with("page.png", &png, "pdf", "medium", &[]).unwrap();
    assert_eq!(words(&plain), []);
}

#[test]
fn words_are_listed_with_their_places() {
    let source = typeset();
    let (png, _) = convert_with("page.pdf", &source, "png", "high", &[("dpi", "200")]).unwrap();
    let (width, height, samples) = drawn(&source, 200);
    let pdf = scan(
        "",
        "q 612 0 0 792 0 0 cm /I Do Q",
        &(width, height, samples),
    );
    for (name, file) in [
        ("page.png", &png),
        ("scan.pdf", &pdf),
        ("page.pdf", &source),
    ] {
        let hocr = String::from_utf8(convert(name, file, "hocr").unwrap()).unwrap();
        assert!(
            hocr.contains(">harbour</span>") && hocr.contains("class=\"ocrx_word\""),
            "{name}: {hocr}"
        );
        let alto = String::from_utf8(convert(name, file, "alto").unwrap()).unwrap();
        assert!(alto.contains("CONTENT=\"harbour\""), "{name}: {alto}");
    }
}

/// A file of `tests/data/djvu`.
#[cfg(feature = "djvu")]
fn djvu(name: &str) -> Vec<u8> {
    fs::read(format!(
        "{}/tests/data/djvu/{name}",
        env!("CARGO_MANIFEST_DIR")
    ))
    .unwrap()
}

#[cfg(feature = "djvu")]
#[test]
fn djvu_text_is_kept_and_other_pages_are_recognised() {
    #[track_caller]
    fn check(name: &str, fields: &[(&str, &str)], expected: &str, read: bool) {
        let (txt, notes) = convert_with(name, &djvu(name), "txt", "medium", fields).unwrap();
        let txt = String::from_utf8(txt).unwrap();
        let words: Vec<&str> = txt.split_whitespace().collect();
        assert_eq!(words.join(" "), expected, "{name}");
        let is_read = notes.0.iter().any(|note| note.contains("read by OCR"));
        assert_eq!(is_read, read, "{name}: {notes:?}");
    }
    check("letters.djvu", &[], "Some words on a page of shapes", false);
    check("turned.djvu", &[], "Some words on a page of shapes", false);
    check("colours.djvu", &[], "Red and blue", false);
    check(
        "pages.djvu",
        &[],
        "Some words on a page of shapes words Some page",
        true,
    );
    check("pages.djvu", &[("page", "2")], "words Some page", true);
    check(
        "letters.djvu",
        &[("crop", "420x70+0+0")],
        "Some words on a",
        false,
    );
    let hocr =
        String::from_utf8(convert("a.djvu", &djvu("letters.djvu"), "hocr").unwrap()).unwrap();
    assert!(
        hocr.contains("bbox 0 0 420 150") && hocr.contains(">shapes</span>"),
        "{hocr}"
    );
}

#[cfg(feature = "djvu")]
#[test]
fn djvu_words_are_at_their_visible_positions() {
    if lacks_tools() {
        return;
    }
    let texts = |words: Words| words.into_iter().map(|(word, _)| word).collect::<Vec<_>>();
    let expected = ["Some", "words", "on", "a", "page", "of", "shapes"];
    let (made, notes) = convert_with("a.djvu", &djvu("pages.djvu"), "pdf", "medium", &[]).unwrap();
    assert!(notes.0.is_empty(), "{notes:?}");
    sound(&made);
    let found = words(&made);
    // 150 dots are 72 points, and "Some" begins 20 pixels from the left.
    assert!(
        (found[0].1[0] - 20.0 * 72.0 / 150.0).abs() < 1.0,
        "{found:?}"
    );
    assert_eq!(texts(found), expected);
    let (turned, _) = convert_with("a.djvu", &djvu("turned.djvu"), "pdf", "medium", &[]).unwrap();
    same_words(&words(&turned), &words(&made), (0.0, 0.0, 1.0), "turned");
    let redo = [("ocr", "redo")];
    let (read, notes) =
        convert_with("a.djvu", &djvu("letters.djvu"), "pdf", "medium", &redo).unwrap();
    assert!(notes.0[0].contains("read by OCR"), "{notes:?}");
    assert!(texts(words(&read)).contains(&"shapes".to_owned()));
}
