//! Pages of HTML that are large where others are small: each part is laid out once, or not at all.

#![cfg(feature = "pdf")]

use super::{Any, Refused, check_to};
use crate::harness::directory;

#[test]
fn a_page_that_becomes_no_picture_is_not_laid_out_to_its_end() {
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
    // What is hidden does not count.
    let page = format!(
        "<!DOCTYPE html><div style='width: 1px; max-height: 50px; overflow: hidden'>{}",
        "a ".repeat(5_000)
    );
    check_to(&at, "hidden.html", page.as_bytes(), "png", 400, Any);
}

#[test]
fn cells_are_placed_in_one_pass() {
    let at = directory("cells");
    let row = format!("<table><tr>{}", "<td>a".repeat(105_000));
    check_to(&at, "row.html", row.as_bytes(), "jpg", 600, Any);
    // A long row and many short ones have borders together, each as far as it has cells.
    let borders = format!(
        "<table style='border-collapse: collapse'><tr>{}{}",
        "<td>a".repeat(20_000),
        "<tr><td>b".repeat(20_000)
    );
    check_to(&at, "borders.html", borders.as_bytes(), "pdf", 600, Any);
}

#[test]
fn cells_that_push_one_another_have_an_end() {
    let at = directory("spans");
    let spans = format!(
        "<table border=1>{}",
        "<tr><td rowspan=65000>a<td>b".repeat(20_000)
    );
    check_to(&at, "spans.html", spans.as_bytes(), "pdf", 1000, Any);
}

#[test]
fn a_long_word_that_runs_downwards_is_drawn_once() {
    let at = directory("downwards");
    let word = format!(
        "<!DOCTYPE html><p style='writing-mode: vertical-rl; text-orientation: upright'>{}",
        "a".repeat(50_000)
    );
    check_to(&at, "word.html", word.as_bytes(), "pdf", 400, Any);
}
