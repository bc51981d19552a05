//! Inline content of pages: targets of links that have no text, and letters whose case a style sheet changes.

#![cfg(feature = "pdf")]

use crate::{harness::convert_with, styled::places};

/// Notes about a page whose links lead to these targets.
fn notes(targets: &[&str], body: &str) -> Vec<String> {
    let link = |target: &&str| format!("<a href='#{target}'>link</a> ");
    let links: String = targets.iter().map(link).collect();
    let page = format!("<!DOCTYPE html><p>{links}</p>{body}");
    let (_, notes) = convert_with("a.html", page.as_bytes(), "pdf", "medium", &[]).unwrap();
    notes.0
}

#[test]
fn targets_without_text_are_those_of_the_next_block() {
    #[track_caller]
    fn check(targets: &[&str], body: &str) {
        assert_eq!(notes(targets, body), Vec::<String>::new(), "{body}");
    }
    check(&["x"], "<p>a</p><a name=x></a><p>b");
    check(&["x", "y"], "<a id=x></a> <a name=y></a><p>b");
    check(&["x"], "<p>a</p><a name=x></a>");
    check(&["x"], "<a name=x><h2>a</h2></a>");
    check(&["x"], "<p>a</p><a name=x></a><table><tr><td>b</table>");
    check(
        &["x"],
        "<p>a</p><a name=x></a><div style='float: left'>b</div><p>c",
    );
    assert_eq!(notes(&["z"], "<a name=x></a><p>b").len(), 1);
}

#[test]
fn elements_do_not_divide_words() {
    let Some(places) =
        places("<p style='text-transform: capitalize'>f<b>oo</b> b<i>a</i>r <b>o</b>ne<br>two")
    else {
        return;
    };
    let letters: String = places.iter().map(|(word, ..)| word.as_str()).collect();
    assert_eq!(letters, "FooBarOneTwo");
}
