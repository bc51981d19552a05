//! Pages of Rich Text as Word lays them out, and formatting that survives being written again.

use crate::{
    harness::{convert, has},
    layout::places,
};

/// A file with this text in Times New Roman, with red and green in its colour table.
fn rich(text: &str) -> Vec<u8> {
    format!(
        "{{\\rtf1\\ansi\\deff0{{\\fonttbl{{\\f0 Times New Roman;}}}}{{\\colortbl;\\red255\\green0\\blue0;\
         \\red0\\green255\\blue0;}}{text}}}"
    )
    .into_bytes()
}

/// The upper edges of the words in the PDF of a file, relative to the first one.
fn tops(name: &str, text: &str) -> Vec<(String, f64)> {
    let found = places(name, "yMin", &convert("a.rtf", &rich(text), "pdf").unwrap());
    let first = found[0].1;
    let below = found.into_iter().map(|(word, top)| (word, top - first));
    below.collect()
}

#[track_caller]
fn check(found: &[(String, f64)], word: &str, expected: f64) {
    let at = found.iter().find(|(known, _)| known == word).unwrap();
    assert!((at.1 - expected).abs() < 1.0, "{at:?}");
}

#[test]
fn wrap_control_words_alone_make_no_frame() {
    if !has("pdftotext") {
        return;
    }
    let text = "\\pard\\wrapdefault one\\par {\\trowd\\cellx3000\\pard\\intbl two\\cell\\row}\\pard\\wrapdefault three\\par";
    let found = tops("rich-frames", text);
    check(&found, "two", 13.8);
    check(&found, "three", 27.6);
}

#[test]
fn continuous_sections_follow_and_footnotes_are_at_the_page_end() {
    if !has("pdftotext") {
        return;
    }
    let text = "\\sectd\\pard one{\\footnote \\pard note\\par}\\sect\\sectd\\sbknone\\cols2\\pard a\\par b\\par c\\par d\
                \\sect\\sectd\\sbknone\\pard last\\par";
    let found = tops("rich-sections", text);
    check(&found, "a", 13.8);
    check(&found, "c", 13.8);
    check(&found, "last", 41.4);
    assert!(
        found
            .iter()
            .any(|(word, top)| word == "note" && *top > 600.0),
        "{found:?}"
    );
}

#[test]
fn borders_and_highlights_survive_a_round_trip() {
    let text = "\\pard\\brdrt\\brdrdb\\brdrw30\\brsp80\\brdrcf1 \\brdrb\\brdrnone a{\\highlight2 pen}\\par\
                {\\trowd\\clbrdrt\\brdrs\\brdrw20\\clcbpat2\\clvertalc\\cellx3000\\cellx6000\\pard\\intbl b\\cell c\\cell\\row}\\pard d\\par";
    let back = String::from_utf8(convert("a.rtf", &rich(text), "rtf").unwrap()).unwrap();
    let colours = back.split("\\colortbl;").nth(1).unwrap();
    let colours: Vec<&str> = colours.split(';').collect();
    let number = |colour: &str| colours.iter().position(|known| *known == colour).unwrap() + 1;
    let (red, green) = (
        number("\\red255\\green0\\blue0"),
        number("\\red0\\green255\\blue0"),
    );
    for expected in [
        format!("\\brdrt\\brdrdb\\brdrw30\\brdrcf{red}\\brsp80"),
        format!("\\highlight{green}"),
        format!("\\clvertalc\\clbrdrt\\brdrs\\brdrw20\\clcbpat{green}\\cellx"),
    ] {
        assert!(back.contains(&expected), "{expected} in {back}");
    }
}
