//! Pages of HTML as a browser sets them: where breaks are, and what a picture of a page is.

#![cfg(feature = "pdf")]

use crate::harness::{convert, convert_with, data};

/// The text of each page that a page of HTML is printed on, on paper of A4 whose content is 1047 px high.
fn pages(name: &str, bytes: &[u8], fields: &[(&str, &str)]) -> Vec<String> {
    let (pdf, _) = convert_with(name, bytes, "pdf", "medium", fields).unwrap();
    let marked = [("pages", "marked")];
    let (text, _) = convert_with("page.pdf", &pdf, "txt", "medium", &marked).unwrap();
    let text = String::from_utf8(text).unwrap();
    let pages = text.split("<!-- page ").skip(1);
    pages
        .map(|page| {
            let (_, text) = page.split_once("-->").unwrap();
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        })
        .collect()
}

#[track_caller]
fn check(body: &str, expected: &[&str]) {
    let page = format!(
        "<!DOCTYPE html><style>body {{ margin: 0; font: 16px/20px serif }}</style><body>{body}"
    );
    assert_eq!(pages("page.html", page.as_bytes(), &[]), expected, "{body}");
}

/// So many lines, by their numbers.
fn lines(count: usize) -> String {
    let lines: Vec<String> = (1..=count).map(|line| line.to_string()).collect();
    lines.join("<br>")
}

#[test]
fn breaks_are_where_styles_ask_for_them() {
    check(
        "<p>a<p style='break-before: page'>b<p style='page-break-after: always'>c<p>d",
        &["a", "b c", "d"],
    );
    // What must not be parted moves to the next page.
    check(
        "<div style='height: 1000px'>a</div><div style='break-inside: avoid'><p>b<p>c</div>",
        &["a", "b c"],
    );
    check(
        "<div style='height: 1000px'>a</div><p style='break-after: avoid; margin: 0'>b<p>c",
        &["a", "b c"],
    );
}

#[test]
fn two_lines_stay_together_at_the_ends_of_pages() {
    // Five lines have room: of six, four and two are set.
    let room = 1047 - 5 * 20 - 5;
    check(
        &format!(
            "<div style='height: {room}px'>a</div><div>{}</div>",
            lines(6)
        ),
        &["a 1 2 3 4", "5 6"],
    );
}

#[test]
fn padding_stays_with_the_last_lines() {
    // As Chromium 156 sets them: the padding of a block takes its last two lines along, that of a cell its whole row.
    let room = 1047 - 6 * 20 - 10;
    check(
        &format!(
            "<div style='height: {room}px'>a</div><div style='padding-bottom: 40px'>{}</div>b",
            lines(6)
        ),
        &["a 1 2 3 4", "5 6 b"],
    );
    check(
        &format!(
            "<div style='height: {room}px'>a</div><table cellspacing=0><tr><td style='padding: 0 0 40px'>{}</table>b",
            lines(6)
        ),
        &["a", "1 2 3 4 5 6 b"],
    );
}

#[test]
fn heads_of_tables_are_on_every_page() {
    let rows: String = (1..=3)
        .map(|row| format!("<tr><td style='height: 600px'>{row}"))
        .collect();
    check(
        &format!("<table><thead><tr><th>H<tbody>{rows}</table>"),
        &["H 1", "H 2", "H 3"],
    );
}

#[test]
fn a_page_becomes_a_picture_as_high_as_its_content() {
    let page =
        "<!DOCTYPE html><body style='margin: 0; background: #0f0'><div style='height: 30px'></div>";
    let size = |png: &[u8]| {
        let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
        (number(16), number(20))
    };
    let png = convert("page.html", page.as_bytes(), "png").unwrap();
    assert_eq!(size(&png), (800, 30));
    let fields = [("width", "320"), ("dpi", "192")];
    let (png, _) = convert_with("page.html", page.as_bytes(), "png", "medium", &fields).unwrap();
    assert_eq!(size(&png), (640, 60));
    // Queries of media see a screen as wide as the window.
    let page = "<!DOCTYPE html><style>body { margin: 0 } div { height: 10px }
        @media screen and (max-width: 400px) { div { height: 20px } } @media print { div { height: 90px } }
        </style><div></div>";
    let png = convert("page.html", page.as_bytes(), "png").unwrap();
    assert_eq!(size(&png), (800, 10));
    let (png, _) = convert_with(
        "page.html",
        page.as_bytes(),
        "png",
        "medium",
        &[("width", "400")],
    )
    .unwrap();
    assert_eq!(size(&png), (400, 20));
}

#[test]
fn books_keep_their_styles_and_their_chapters_begin_pages() {
    let book = data("report-epub2.epub");
    let styled = pages("book.epub", &book, &[]);
    let plain = pages("book.epub", &book, &[("styles", "ignore")]);
    let words = |pages: &[String]| {
        pages
            .iter()
            .map(|page| page.split(' ').count())
            .sum::<usize>()
    };
    assert!(!styled.is_empty() && !plain.is_empty());
    let (styled, plain) = (words(&styled), words(&plain));
    assert!(styled * 10 > plain * 9, "{styled} of {plain} words");
}
