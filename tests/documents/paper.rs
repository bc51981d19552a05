//! Properties of pages: borders, columns, headers and footers, as poppler finds them in a PDF.

use crate::{
    harness::{convert, directory, has, output_of},
    zips,
};
use std::fs;

/// A Word document on this paper, with this body and these properties of the last section.
fn word(body: &str, section: &str) -> Vec<u8> {
    let body = format!("<w:body>{body}<w:sectPr>{PAPER}{section}</w:sectPr></w:body>");
    let xml = zips::word_xml("document", &body);
    zips::word()
        .packed("word/document.xml", xml.as_bytes())
        .finish()
}

/// A page of 400 by 400 points, in which the text area is the middle 200.
const PAPER: &str = "<w:pgSz w:w=\"8000\" w:h=\"8000\"/><w:pgMar w:top=\"2000\" w:bottom=\"2000\" w:left=\"2000\" \
                     w:right=\"2000\" w:header=\"720\" w:footer=\"720\"/>";

/// The words of a PDF, each with its page from 0, its left and its upper edge in points.
fn words(name: &str, pdf: &[u8]) -> Vec<(String, usize, f64, f64)> {
    let at = directory(name);
    let file = at.join("page.pdf");
    fs::write(&file, pdf).unwrap();
    let listed = output_of("pdftotext", &["-bbox", &file.display().to_string(), "-"]);
    let _ = fs::remove_dir_all(at);
    let (mut words, mut page) = (Vec::new(), 0);
    for line in listed.lines() {
        page += usize::from(line.contains("<page "));
        let edge = |name: &str| {
            let (_, rest) = line.split_once(&format!("{name}=\""))?;
            rest.split('"').next()?.parse::<f64>().ok()
        };
        if let (Some(x), Some(y)) = (edge("xMin"), edge("yMin")) {
            let (_, word) = line.split_once('>').unwrap();
            let word = word.split('<').next().unwrap_or_default();
            words.push((word.to_owned(), page - 1, x, y));
        }
    }
    words
}

/// A page of a PDF in grey, with one dot per point.
struct Dots {
    width: usize,
    dots: Vec<u8>,
}

impl Dots {
    fn of(name: &str, pdf: &[u8], page: usize) -> Self {
        let at = directory(name);
        let (file, root) = (at.join("page.pdf"), at.join("page"));
        fs::write(&file, pdf).unwrap();
        let (file, root) = (file.display().to_string(), root.display().to_string());
        let number = page.to_string();
        let arguments = [
            "-gray",
            "-r",
            "72",
            "-singlefile",
            "-f",
            &number,
            &file,
            &root,
        ];
        output_of("pdftoppm", &arguments);
        let bytes = fs::read(format!("{root}.pgm")).unwrap();
        let _ = fs::remove_dir_all(at);
        let head = bytes
            .splitn(4, |byte| *byte == b'\n')
            .take(3)
            .map(<[u8]>::len);
        let start = head.sum::<usize>() + 3;
        let width = (bytes.len() - start).isqrt();
        Self {
            width,
            dots: bytes[start..].to_vec(),
        }
    }

    /// Checks whether there is ink at most one point from a position.
    #[track_caller]
    fn check(&self, (x, y): (usize, usize), expected: bool) {
        let near = (y - 1..=y + 1).flat_map(|y| (x - 1..=x + 1).map(move |x| (x, y)));
        let mut dots = near.map(|(x, y)| self.dots[y * self.width + x]);
        assert_eq!(dots.any(|dot| dot < 200), expected, "at {x}, {y}");
    }
}

#[test]
fn pages_have_their_borders() {
    if !has("pdftoppm") {
        return;
    }
    let sides = ["top", "left", "bottom", "right"]
        .map(|side| format!("<w:{side} w:val=\"single\" w:sz=\"16\" w:space=\"20\"/>"));
    let sides = sides.concat();
    let text = "<w:p/>";
    let draw = |attributes: &str, page: usize| {
        let section = format!("<w:pgBorders {attributes}>{sides}</w:pgBorders>");
        let body = format!("{text}<w:p><w:r><w:br w:type=\"page\"/></w:r></w:p>{text}");
        let pdf = convert("borders.docx", &word(&body, &section), "pdf").unwrap();
        Dots::of("borders", &pdf, page)
    };
    // The borders are 20 points from the edges of the page; the text begins at 100.
    let of_page = draw("w:offsetFrom=\"page\"", 1);
    for (place, expected) in [
        ((21, 200), true),
        ((200, 21), true),
        ((379, 200), true),
        ((200, 379), true),
        ((79, 200), false),
    ] {
        of_page.check(place, expected);
    }
    let of_text = draw("", 2);
    for (place, expected) in [
        ((79, 200), true),
        ((200, 79), true),
        ((321, 200), true),
        ((200, 321), true),
        ((21, 200), false),
    ] {
        of_text.check(place, expected);
    }
    draw("w:display=\"firstPage\"", 1).check((79, 200), true);
    draw("w:display=\"firstPage\"", 2).check((79, 200), false);
    draw("w:display=\"notFirstPage\"", 1).check((79, 200), false);
}

#[test]
fn columns_before_a_continuous_section_are_balanced() {
    if !has("pdftotext") || !has("pdftoppm") {
        return;
    }
    let line = |word: &str, more: &str| {
        format!(
            "<w:p><w:pPr><w:spacing w:after=\"0\"/>{more}</w:pPr><w:r><w:t>{word}</w:t></w:r></w:p>"
        )
    };
    let columns = |kind: &str| {
        format!(
            "<w:sectPr>{kind}{PAPER}<w:cols w:num=\"2\" w:space=\"400\" w:sep=\"1\"/></w:sectPr>"
        )
    };
    let mut body: String = (1..6).map(|n| line(&format!("w{n}"), "")).collect();
    body += &line("w6", &columns(""));
    body += &line("below", "");
    let pdf = convert(
        "columns.docx",
        &word(&body, "<w:type w:val=\"continuous\"/>"),
        "pdf",
    );
    let pdf = pdf.unwrap();
    let words = words("columns", &pdf);
    let place = |name: &str| {
        let found = words.iter().find(|(word, ..)| word == name).unwrap();
        (found.1, found.2.round() as i32, found.3)
    };
    let (first, fourth, below) = (place("w1"), place("w4"), place("below"));
    assert_eq!((first.0, first.1), (0, 100));
    assert_eq!((fourth.0, fourth.1), (0, 210));
    assert!((first.2 - fourth.2).abs() < 0.1, "{words:?}");
    assert_eq!((below.0, below.1), (0, 100));
    assert!(
        below.2 > place("w3").2 && below.2 < place("w3").2 + 20.0,
        "{words:?}"
    );
    // The line between columns is as long as the columns.
    let dots = Dots::of("columns-line", &pdf, 1);
    dots.check((200, 110), true);
    dots.check((200, 170), false);
}

#[test]
fn rtf_headers_and_footers_are_on_their_pages() {
    if !has("pdftotext") {
        return;
    }
    let rtf = "{\\rtf1\\ansi\\paperw8000\\paperh8000\\margl2000\\margr2000\\margt2000\\margb2000\\facingp\
               \\sectd\\titlepg\\headery720\\footery720{\\headerf\\pard first\\par}{\\headerl\\pard left\\par}\
               {\\headerr\\pard right\\par}{\\footerr\\pard page {\\field{\\*\\fldinst PAGE}{\\fldrslt 9}}\\par}\
               {\\footerl\\pard{\\trowd\\cellx2000\\cellx4000\\intbl in\\cell tables\\cell\\row}\\pard\\par}\
               \\pard one\\par\\page two\\par\\page three\\par}";
    let pdf = convert("margins.rtf", rtf.as_bytes(), "pdf").unwrap();
    let words = words("rtf-margins", &pdf);
    let page_of = |name: &str| {
        let found = words.iter().filter(|(word, ..)| word == name);
        found.map(|(_, page, _, y)| (*page, *y)).collect::<Vec<_>>()
    };
    for (word, page, is_head) in [
        ("first", 0, true),
        ("left", 1, true),
        ("right", 2, true),
        ("page", 2, false),
        ("3", 2, false),
        ("tables", 1, false),
    ] {
        let places = page_of(word);
        assert_eq!(places.len(), 1, "{word}: {words:?}");
        assert_eq!(places[0].0, page, "{word}");
        assert_eq!(places[0].1 < 100.0, is_head, "{word}: {words:?}");
    }
    assert_eq!(page_of("three")[0].0, 2);
    // The document's header is not part of a plain text.
    let text = convert("margins.rtf", rtf.as_bytes(), "txt").unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(!text.contains("left") && text.contains("three"), "{text}");
    // It is kept in other formats.
    let docx = convert("margins.rtf", rtf.as_bytes(), "docx").unwrap();
    let again = convert("margins.docx", &docx, "pdf").unwrap();
    let again = self::words("rtf-docx-margins", &again);
    assert!(
        again
            .iter()
            .any(|(word, page, ..)| word == "left" && *page == 1),
        "{again:?}"
    );
}

#[test]
fn headings_and_cards_stay_together_at_the_end_of_a_page() {
    if !has("pdftotext") {
        return;
    }
    let styles = "<style>@page { size: 300px 400px; margin: 0 } body, h3, p { margin: 0; font: 16px/20px Arial } .row { display: flex }</style>";
    #[track_caller]
    fn check(name: &str, content: &str, expected: &[&str]) {
        let pdf = convert("a.html", content.as_bytes(), "pdf").unwrap();
        let words = words(name, &pdf);
        let second = words.iter().filter(|(_, page, ..)| *page == 1);
        let second: Vec<&str> = second.map(|(word, ..)| &**word).collect();
        assert_eq!(second, expected, "{words:?}");
    }
    // The content begins 30 px above the end of the page.
    let at_end = |content: &str| format!("{styles}<div style='height: 370px'>top</div>{content}");
    check(
        "heading-at-end",
        &at_end("<h3>Head</h3><p>text</p>"),
        &["Head", "text"],
    );
    check(
        "heading-of-card-at-end",
        &at_end("<div><h3>Head</h3><p>text</p></div>"),
        &["Head", "text"],
    );
    // The heading of a card would fit, and may be followed by a break, but a low row stays whole.
    let card = |head: &str, text: &str| {
        format!("<div><h3 style='break-after: auto'>{head}</h3><p>{text}</p></div>")
    };
    let (one, two) = (card("one", "two"), card("a", "b"));
    check(
        "cards-at-end",
        &at_end(&format!("<div class=row>{one}{two}</div>")),
        &["one", "a", "two", "b"],
    );
}
