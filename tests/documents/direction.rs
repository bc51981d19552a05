//! Directions of text in pages: overrides, isolates and paragraphs whose text decides. Each page looks like another one
//! whose letters are in the order in which they are to be seen.

use crate::harness::{convert, directory, drawn, has};
use std::{fs, panic::Location};

/// The first page of a PDF of text in a font whose letters have one width.
fn picture(name: &str, body: &str) -> image::RgbImage {
    let page = format!("<body style='font: 20px Courier New; margin: 0'>{body}");
    let at = directory(name);
    let file = at.join("a.pdf");
    fs::write(&file, convert("a.html", page.as_bytes(), "pdf").unwrap()).unwrap();
    let picture = drawn(&file, "40");
    let _ = fs::remove_dir_all(at);
    picture
}

#[track_caller]
fn check(body: &str, same: &str) {
    if has("pdftoppm") {
        let name = format!("direction-{}", Location::caller().line());
        let equal = picture(&name, body) == picture(&name, same);
        assert!(equal, "{body} is not {same}");
    }
}

#[test]
fn overrides_order_letters_by_their_direction_alone() {
    check("<bdo dir=rtl>abc</bdo> d", "cba d");
    check("d <bdo dir=rtl>abc <b>ef</b></bdo> g", "d <b>fe</b> cba g");
    check(
        "<span style='unicode-bidi: bidi-override; direction: rtl'>abc</span>",
        "cba",
    );
    check(
        "<p style='unicode-bidi: bidi-override'>\u{5d0}\u{5d1}\u{5d2}",
        "<p><bdo dir=ltr>\u{5d0}\u{5d1}\u{5d2}</bdo>",
    );
    check(
        "<p dir=rtl style='unicode-bidi: bidi-override'>abc",
        "<p style='text-align: right'>cba",
    );
}

#[test]
fn isolates_keep_their_order() {
    // Without an isolate, the number would be left of the letters.
    check(
        "<p dir=rtl>\u{5d0} <bdi>a-1</bdi>",
        "<p dir=rtl>\u{5d0} \u{2066}a-1\u{2069}",
    );
    check(
        "<p><span dir=rtl>\u{5d0}\u{5d1}</span> 1 b",
        "<p>\u{2067}\u{5d0}\u{5d1}\u{2069} 1 b",
    );
}

#[test]
fn the_text_of_a_plaintext_block_decides() {
    for block in ["<p dir=auto>", "<p style='unicode-bidi: plaintext'>"] {
        check(
            &format!("{block}\u{5d0}\u{5d1}, c"),
            "<p dir=rtl>\u{5d0}\u{5d1}, c",
        );
        check(&format!("{block}c, \u{5d0}"), "<p>c, \u{5d0}");
    }
}
