//! HTML pages with unusually many or large parts: each part is laid out at most once.

#![cfg(feature = "pdf")]

use super::{Any, Refused, check_to, grows};
use crate::harness::directory;

#[test]
fn layout_stops_when_a_page_is_too_tall_for_a_picture() {
    let at = directory("tall");
    let words = "a ".repeat(500_000);
    for page in [
        format!("<!DOCTYPE html><body style='width: 1px'>{words}"),
        format!("<!DOCTYPE html><div style='width: 1px'><table><tr><td>{words}</table></div>"),
    ] {
        check_to(
            &at,
            "tall.html",
            page.as_bytes(),
            "png",
            400,
            Refused("higher than 65535 px"),
        );
    }
    // Hidden content does not count.
    let page = format!(
        "<!DOCTYPE html><div style='width: 1px; max-height: 50px; overflow: hidden'>{}",
        "a ".repeat(5_000)
    );
    check_to(&at, "hidden.html", page.as_bytes(), "png", 400, Any);
}

#[test]
fn cells_are_placed_in_one_pass() {
    let at = directory("cells");
    let row = |cells: usize| format!("<table><tr>{}", "<td>a".repeat(cells));
    check_to(&at, "row.html", row(105_000).as_bytes(), "jpg", 600, Any);
    grows("row.html", "pdf", 10_000, row);
    // A long row and many short ones with collapsed borders.
    let borders = |cells: usize| {
        format!(
            "<table style='border-collapse: collapse'><tr>{}{}",
            "<td>a".repeat(cells),
            "<tr><td>b".repeat(cells)
        )
    };
    check_to(
        &at,
        "borders.html",
        borders(20_000).as_bytes(),
        "pdf",
        600,
        Any,
    );
    grows("borders.html", "pdf", 2_000, borders);
}

#[test]
fn overlapping_row_spans_are_bounded() {
    let at = directory("spans");
    let spans = |rows: usize| {
        let rows = "<tr><td rowspan=65000>a<td>b".repeat(rows);
        format!("<table border=1>{rows}")
    };
    check_to(
        &at,
        "spans.html",
        spans(20_000).as_bytes(),
        "pdf",
        1000,
        Any,
    );
}

#[test]
fn a_long_vertical_word_is_drawn_once() {
    let at = directory("downwards");
    let word = |letters: usize| {
        format!(
            "<!DOCTYPE html><p style='writing-mode: vertical-rl; text-orientation: upright'>{}",
            "a".repeat(letters)
        )
    };
    check_to(&at, "word.html", word(50_000).as_bytes(), "pdf", 400, Any);
    grows("word.html", "pdf", 5_000, word);
}
