//! Words with their pronunciation above: kept between formats of word processors and pages, and drawn above the word.

use crate::{
    harness::{convert, directory, has, output_of},
    zips,
};
use std::fs;

/// A Word document with the ruby text `above` over its first word, `base`.
fn document() -> Vec<u8> {
    zips::word_document(
        "<w:p><w:r><w:ruby><w:rubyPr><w:hps w:val=\"24\"/></w:rubyPr><w:rt><w:r><w:t>above</w:t></w:r></w:rt>\
         <w:rubyBase><w:r><w:rPr><w:b/><w:sz w:val=\"48\"/></w:rPr><w:t>base</w:t></w:r></w:rubyBase></w:ruby></w:r>\
         <w:r><w:t xml:space=\"preserve\"> after</w:t></w:r></w:p>",
    )
}

#[test]
fn ruby_survives_round_trips() {
    let file = document();
    for through in ["docx", "odt", "rtf", "html"] {
        let between = convert("a.docx", &file, through).unwrap();
        let page = convert(&format!("a.{through}"), &between, "html").unwrap();
        let page = String::from_utf8(page).unwrap();
        let word = "<ruby>base<rp>(</rp><rt>above</rt><rp>)</rp></ruby>";
        assert!(page.contains(word), "{through}: {page}");
        assert!(page.contains(" after"), "{through}: {page}");
    }
    for to in ["md", "txt"] {
        let text = String::from_utf8(convert("a.docx", &file, to).unwrap()).unwrap();
        assert!(text.contains("base(above)"), "{to}: {text}");
    }
}

#[test]
fn html_has_ruby_elements() {
    #[track_caller]
    fn check(ruby: &str, expected: &str) {
        let page = format!("<p>in <ruby>{ruby}</ruby> out</p>");
        let text = String::from_utf8(convert("a.html", page.as_bytes(), "txt").unwrap()).unwrap();
        assert_eq!(text.trim(), expected, "{ruby}");
    }
    check("a<rp>(</rp><rt>b</rt><rp>)</rp>", "in a(b) out");
    check("a<rt>b</rt>c<rt>d</rt>", "in a(b)c(d) out");
    check("<rb>a</rb><rt>b<rp>)", "in a(b) out");
    check(
        "<rb>a</rb> <rb>c</rb> <rtc><rt>b</rt><rt>d</rt></rtc>",
        "in a(b)c(d) out",
    );
    check("a", "in a out");
    check("Tom<rt>t</rt> Sawyer<rt>s</rt>", "in Tom(t) Sawyer(s) out");
    check(
        "<rb>a</rb><rt>b</rt> <rb>c</rb><rt>d</rt>",
        "in a(b) c(d) out",
    );
    check("漢<rt>b</rt>\n字<rt>d</rt>", "in 漢(b)字(d) out");
    // Scripts and styles are not text, and a picture is not part of the base text.
    check("a<script>no</script><rt>b</rt>", "in a(b) out");
    check(
        "a<style>no</style><rt>b<template>no</template></rt>",
        "in a(b) out",
    );
    check("a<br>c<rt>b</rt>", "in a c(b) out");
    check(
        "a<rt>b</rt><img alt='p' src='data:,'>c<rt>d</rt>",
        "in a(b)[p]c(d) out",
    );
}

#[test]
fn pages_have_the_spaces_between_bases() {
    /// Checks the room between the two words of a line.
    #[track_caller]
    fn check(ruby: &str, is_spaced: bool) {
        let page = format!("<body style='font: 20px Arial'><ruby>{ruby}</ruby>");
        let at = directory("ruby-spaces");
        let path = at.join("a.pdf");
        fs::write(&path, convert("a.html", page.as_bytes(), "pdf").unwrap()).unwrap();
        let words = output_of("pdftotext", &["-bbox", &path.display().to_string(), "-"]);
        let _ = fs::remove_dir_all(at);
        let edge = |word: &str, name: &str| {
            let end = format!(">{word}</word>");
            let line = words.lines().find(|line| line.ends_with(&end));
            let (_, value) = line.and_then(|line| line.split_once(name)).unwrap();
            value.split('"').nth(1).unwrap().parse::<f64>().unwrap()
        };
        let room = edge("Sawyer", "xMin") - edge("Tom", "xMax");
        assert_eq!(room > 3.0, is_spaced, "{ruby}: {room}");
    }
    if !has("pdftotext") {
        return;
    }
    check("Tom<rt>t</rt> Sawyer<rt>s</rt>", true);
    check("<rb>Tom</rb><rt>t</rt> <rb>Sawyer</rb><rt>s</rt>", true);
    check("Tom<rt>t</rt> Sawyer", true);
    check("Tom<rt>t</rt>Sawyer<rt>s</rt>", false);
}

#[test]
fn ruby_text_is_above_its_base() {
    if !has("pdftotext") {
        return;
    }
    let at = directory("ruby");
    let path = at.join("a.pdf");
    fs::write(&path, convert("a.docx", &document(), "pdf").unwrap()).unwrap();
    let words = output_of("pdftotext", &["-bbox", &path.display().to_string(), "-"]);
    let _ = fs::remove_dir_all(at);
    let place = |word: &str| {
        let line = words
            .lines()
            .find(|line| line.contains(&format!(">{word}<")));
        let line = line.unwrap_or_else(|| panic!("{word}: {words}"));
        let value = |name: &str| -> f32 {
            let (_, after) = line.split_once(name).unwrap();
            after.split('"').nth(1).unwrap().parse().unwrap()
        };
        [value("xMin"), value("xMax"), value("yMin"), value("yMax")]
    };
    let (base, above) = (place("base"), place("above"));
    assert!(above[3] < base[3] - 12.0, "above: {above:?} {base:?}");
    assert!(
        above[0] > base[0] - 2.0 && above[1] < base[1] + 2.0,
        "{above:?} {base:?}"
    );
    assert!(
        above[3] - above[2] < 0.7 * (base[3] - base[2]),
        "{above:?} {base:?}"
    );
}
