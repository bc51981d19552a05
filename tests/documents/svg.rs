//! SVG drawings inside HTML pages: each is a picture of the document, wherever it is.

use crate::{
    harness::{convert, convert_with},
    zips::{book_of, entries},
};
use base64::{Engine, engine::general_purpose::STANDARD};

/// A page with a drawing, as people write it for browsers.
const PAGE: &str = r##"<!DOCTYPE html><html lang=en><body>
<h1>Sales <svg width=10 height=10><circle cx=5 cy=5 r=5></svg></h1>
<p>before <a href="https://example.org/"><svg viewBox="0 0 40 20" style="width: 2in">
<title>A chart</title><desc>It rises.</desc>
<defs><linearGradient id=g><stop stop-color=red /><stop offset=1 stop-color=blue /></linearGradient></defs>
<rect width=40 height=20 fill=url(#g)><use href="#g"/><script>alert(1)</script>
</svg></a> after</p>
<p>no end <svg width=1 height=1><path d="M0,0h1v1z">
<p>more</p>
</body></html>"##;

fn page(body: &str) -> (String, Vec<String>) {
    let (page, notes) = convert_with("page.html", body.as_bytes(), "html", "high", &[]).unwrap();
    (String::from_utf8(page).unwrap(), notes.0)
}

/// The SVG files in the `data:` URLs of a text.
fn drawings(text: &str) -> Vec<String> {
    let urls = text.split("data:image/svg+xml;base64,").skip(1);
    let files = urls.map(|rest| {
        let end = rest.find(['"', ')', ' ', '\n']).unwrap_or(rest.len());
        String::from_utf8(STANDARD.decode(&rest[..end]).unwrap()).unwrap()
    });
    files.collect()
}

#[test]
fn inline_drawings_become_pictures_in_place() {
    let (html, notes) = page(PAGE);
    let (_, body) = html.split_once("<body>").unwrap();
    let mut plain = String::new();
    for (number, piece) in body.split("src=\"").enumerate() {
        plain += match number {
            0 => piece,
            _ => piece[piece.find('"').unwrap() + 1..].trim_start(),
        };
    }
    assert_eq!(
        plain.split("</body>").next().unwrap().trim(),
        "<h1 id=\"sales\">Sales <img alt=\"\" width=\"10\" height=\"10\" /></h1>\n\
         <p>before <a href=\"https://example.org/\"><img alt=\"A chart: It rises.\" \
         width=\"192\" height=\"96\" /></a> after</p>\n\
         <p>no end <img alt=\"\" width=\"1\" height=\"1\" /></p>\n<p>more</p>"
    );
    assert_eq!(drawings(&html).len(), 3);
    assert_eq!(notes, [""; 0]);
}

#[test]
fn inline_drawings_are_kept_in_every_format() {
    let (html, _) = page(PAGE);
    let expected = drawings(&html);
    let file = |to: &str| {
        convert_with("page.html", PAGE.as_bytes(), to, "high", &[])
            .unwrap()
            .0
    };
    let md = String::from_utf8(file("md")).unwrap();
    assert_eq!(drawings(&md), expected, "{md}");
    for to in ["odt", "epub"] {
        let found = entries(&file(to)).into_iter();
        let mut found: Vec<_> = found
            .filter(|(name, _)| name.ends_with(".svg"))
            .map(|(_, file)| String::from_utf8(file).unwrap())
            .collect();
        let mut expected = expected.clone();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{to}");
    }
    // Formats without such pictures get pixels, or the words of the drawing.
    for to in ["docx", "rtf"] {
        let back = convert(&format!("page.{to}"), &file(to), "txt").unwrap();
        let text = String::from_utf8(back).unwrap();
        assert!(text.contains("A chart: It rises."), "{to}: {text}");
    }
}

#[cfg(feature = "svg")]
#[test]
fn inline_drawings_look_like_svg_files() {
    let (html, _) = page(PAGE);
    let chart = drawings(&html).remove(1);
    let file = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 20' width='2in'>\
                <linearGradient id='g'><stop stop-color='red'/><stop offset='1' stop-color='blue'/></linearGradient>\
                <rect width='40' height='20' fill='url(#g)'/></svg>";
    let drawn = |file: &str| convert("a.svg", file.as_bytes(), "png").unwrap();
    assert!(drawn(&chart) == drawn(file), "{chart}");
}

#[test]
fn an_svg_wrapped_cover_stays_a_picture() {
    let cover = |inside: &str| {
        let chapter = format!(
            "<svg:svg xmlns:svg=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 600 800\">{inside}</svg:svg>"
        );
        let book = convert("book.epub", &book_of(&chapter), "html").unwrap();
        String::from_utf8(book).unwrap()
    };
    let image = "<svg:image width=\"600\" height=\"800\" xlink:href=\"cover.jpg\"/>";
    let html = cover(image);
    assert_eq!(html.matches("<img").count(), 1, "{html}");
    assert!(drawings(&html).is_empty(), "{html}");
    // With an element above the picture, there are two pictures.
    let html = cover(&format!("{image}<svg:text>Title</svg:text>"));
    assert_eq!(html.matches("<img").count(), 2, "{html}");
    assert_eq!(drawings(&html).len(), 1, "{html}");
}

#[test]
fn hidden_drawings_become_no_pictures() {
    #[track_caller]
    fn check(body: &str, expected: &[&str]) {
        let (html, notes) = page(&format!("<!DOCTYPE html><body><p>a {body} b</p>"));
        assert!(!html.contains("<img"), "{html}");
        assert!(html.contains("<p>a b</p>"), "{html}");
        assert_eq!(notes, expected, "{body}");
    }
    let path = "<path d='M0,0h1v1z'/>";
    check(&format!("<svg style='display: none'>{path}</svg>"), &[]);
    check(&format!("<span hidden><svg>{path}</svg></span>"), &[]);
    check(&format!("<svg><symbol id=a>{path}</symbol></svg>"), &[]);
    check(
        &format!("<svg aria-hidden=true>{path}</svg>"),
        &["An SVG drawing that the page marks as decoration was left out."],
    );
    check(
        "<svg><use href='icons.svg#a'></use></svg>",
        &[
            "An SVG drawing in the page was left out, or a part of it: it is too large, or refers to missing parts.",
        ],
    );
}
