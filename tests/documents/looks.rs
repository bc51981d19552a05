//! Looks of pages that word processors know as well: emphasis marks, hyphenation, languages, overrides of the direction,
//! and translucent backgrounds. Each is looked for in the file, or found again by the reader of its format.

use crate::{harness::convert, zips};

/// Main part of the Word document that a page becomes.
fn word(page: &str) -> String {
    part(page, "word/document.xml")
}

/// A part of the Word document that a page becomes.
fn part(page: &str, name: &str) -> String {
    let made = convert("a.html", page.as_bytes(), "docx").unwrap();
    let mut parts = zips::entries(&made).into_iter();
    let found = parts.find(|(known, _)| known == name);
    String::from_utf8(found.unwrap().1).unwrap()
}

#[track_caller]
fn check(page: &str, expected: &[&str]) {
    let made = word(page);
    for part in expected {
        assert!(made.contains(part), "{part}: {made}");
    }
}

#[test]
fn emphasis_marks_are_kept() {
    let dot = "<p><span style='text-emphasis: dot'>a</span></p>";
    check(dot, &["<w:em w:val=\"dot\"/>"]);
    let below = "<style>i { text-emphasis: open circle; text-emphasis-position: under right }</style><p><i>a</i></p>";
    check(below, &["<w:em w:val=\"underDot\"/>"]);
    // Other formats, read again.
    for through in ["odt", "rtf"] {
        let between = convert("a.html", dot.as_bytes(), through).unwrap();
        let html = convert(&format!("a.{through}"), &between, "html").unwrap();
        let html = String::from_utf8(html).unwrap();
        assert!(html.contains("text-emphasis"), "{through}: {html}");
    }
}

#[test]
fn hyphenation_is_kept() {
    let settings = |page: &str| part(page, "word/settings.xml");
    let body = "<style>body { hyphens: auto }</style><p>a</p><p style='hyphens: manual'>b</p>";
    assert!(settings(body).contains("<w:autoHyphenation/>"));
    let made = word(body);
    assert_eq!(
        made.matches("<w:suppressAutoHyphens/>").count(),
        1,
        "{made}"
    );
    let one = "<p style='hyphens: auto'>a</p><p>b</p>";
    assert!(settings(one).contains("<w:autoHyphenation/>"));
    let none = "<p>a</p>";
    assert!(!settings(none).contains("autoHyphenation"));
}

#[test]
fn rtf_states_languages() {
    let page = "<html lang=de><p>a <span lang=fr>b</span> <span lang=ja>c</span></p></html>";
    let rtf = String::from_utf8(convert("a.html", page.as_bytes(), "rtf").unwrap()).unwrap();
    for part in ["\\deflang1031", "\\lang1036 b", "\\langfe1041\\lang1041 c"] {
        assert!(rtf.contains(part), "{part}: {rtf}");
    }
    let html = String::from_utf8(convert("a.rtf", rtf.as_bytes(), "html").unwrap()).unwrap();
    for part in ["<html lang=\"de-DE\"", "lang=\"fr-FR\""] {
        assert!(html.contains(part), "{part}: {html}");
    }
    // Scripts, letter case and underscores.
    let page =
        "<p><span lang=zh-Hant>a</span> <span lang=JA>b</span> <span lang=de_at>c</span></p>";
    let rtf = String::from_utf8(convert("a.html", page.as_bytes(), "rtf").unwrap()).unwrap();
    for part in [
        "\\langfe1028\\lang1028 a",
        "\\langfe1041\\lang1041 b",
        "\\lang3079 c",
    ] {
        assert!(rtf.contains(part), "{part}: {rtf}");
    }
    check(
        page,
        &[
            "w:eastAsia=\"zh-TW\"",
            "w:eastAsia=\"ja\"",
            "w:val=\"de-AT\"",
        ],
    );
}

#[test]
fn overrides_and_isolates_are_kept() {
    let override_ = "\u{202e}abc\u{202c}";
    check("<p>x <bdo dir=rtl>abc</bdo></p>", &[override_]);
    let styled = "<p>x <span style='unicode-bidi: bidi-override; direction: rtl'>abc</span></p>";
    check(styled, &[override_]);
    let sheet =
        "<style>i { unicode-bidi: bidi-override; direction: rtl }</style><p>x <i>abc</i></p>";
    check(sheet, &[override_]);
    // A number after an isolate does not continue its text.
    check(
        "<p><bdi>\u{5d0}\u{5d1}</bdi> - 3</p>",
        &["\u{5d0}\u{5d1}\u{200e} - 3"],
    );
    check("<p dir=rtl><bdi>ab</bdi> 3</p>", &["ab\u{200f} 3"]);
    check("<p><bdi>ab</bdi> 3</p>", &["ab 3"]);
    // Blocks are apart from the inline elements around them.
    let texts = |page: &str| {
        let made = word(page);
        let paragraphs = made.split("<w:p>").skip(1).map(|paragraph| {
            let pieces = paragraph.split("<w:t").skip(1);
            let pieces = pieces.map(|piece| piece.split(['>', '<']).nth(1).unwrap_or_default());
            pieces.collect::<String>()
        });
        paragraphs.collect::<Vec<String>>()
    };
    let split = ["\u{202e}a\u{202c}", "b", "\u{202e}c d\u{202c}"];
    assert_eq!(texts("<bdo dir=rtl>a<p>b</p>c <b>d</b></bdo>"), split);
    let block = "<div style='unicode-bidi: bidi-override; direction: rtl'>a<p>b</p>c d</div>";
    assert_eq!(texts(block), split);
    assert_eq!(texts("<bdo dir=rtl><p>b</p></bdo>"), ["b"]);
    assert_eq!(texts("<bdi><p>\u{5d0}</p></bdi><p>b"), ["\u{5d0}", "b"]);
    let nested = "<bdo dir=rtl>a <bdo dir=ltr>b</bdo> c</bdo> d";
    let marked = "\u{202e}a \u{202d}b\u{202c} c\u{202c} d";
    assert_eq!(texts(nested), [marked]);
    // Word's own elements.
    let word = zips::word_document(
        "<w:p><w:bdo w:val=\"rtl\"><w:r><w:t>abc</w:t></w:r></w:bdo><w:dir w:val=\"rtl\"><w:r><w:t>d</w:t></w:r></w:dir></w:p>",
    );
    let txt = String::from_utf8(convert("a.docx", &word, "txt").unwrap()).unwrap();
    assert_eq!(txt.trim(), "\u{202e}abc\u{202c}\u{202b}d\u{202c}");
}

#[test]
fn the_first_letter_may_decide_the_direction() {
    /// Checks which paragraphs of the Word document, and of the OpenDocument text, run from right to left.
    #[track_caller]
    fn check(page: &str, expected: &[bool]) {
        let made = word(page);
        let paragraphs = made.split("<w:p>").skip(1);
        let found: Vec<bool> = paragraphs.map(|one| one.contains("<w:bidi/>")).collect();
        assert_eq!(found, expected, "{page}: {made}");
        let odt = convert("a.html", page.as_bytes(), "odt").unwrap();
        let html = convert("a.odt", &odt, "html").unwrap();
        let html = String::from_utf8(html).unwrap();
        let backwards = expected.iter().filter(|is| **is).count();
        assert_eq!(html.matches("dir=\"rtl\"").count(), backwards, "{html}");
    }
    let (hebrew, latin) = ("1 \u{5d0}\u{5d1} a", "1 a \u{5d0}");
    let both = |attribute: &str| format!("<p {attribute}>{hebrew}</p><p {attribute}>{latin}</p>");
    check(&both(""), &[false, false]);
    check(&both("dir=auto"), &[true, false]);
    let sheet = |rule: &str| format!("<style>p {{ {rule} }}</style>{}", both(""));
    check(&sheet("unicode-bidi: plaintext"), &[true, false]);
    check(&sheet("unicode-bidi: isolate"), &[false, false]);
    check(&sheet("direction: rtl"), &[true, true]);
    // The direction of a block is not that of the blocks inside it.
    let inside = format!(
        "<style>div {{ unicode-bidi: plaintext }}</style><div>{latin}{}</div>",
        both("")
    );
    check(&inside, &[false, false, false]);
    let quoted = format!("<p dir=auto><bdi>{latin}</bdi> {hebrew}</p>");
    check(&quoted, &[true]);
}

#[test]
fn translucent_backgrounds_are_mixed_with_what_is_below() {
    let fill = |colour: &str| format!("w:fill=\"{colour}\"");
    let on = |page: &str, colours: &[&str]| {
        let made = word(page);
        let mut rest = &made[..];
        for colour in colours {
            let part = fill(colour);
            let at = rest.find(&part);
            rest = &rest[at.unwrap_or_else(|| panic!("{part}: {made}")) + part.len()..];
        }
        assert!(!rest.contains("w:fill="), "{rest}");
    };
    on(
        "<p><span style='background: rgba(255, 0, 0, .3)'>a</span></p>",
        &["FFB3B3"],
    );
    let half = "<span style='background: rgba(255, 255, 255, .5)'>a</span>";
    let cell = |row: &str, own: &str, content: &str| {
        format!("<table><tr {row}><td {own}>{content}</td></tr></table>")
    };
    on(
        &cell("", "style='background: #00f'", half),
        &["0000FF", "8080FF"],
    );
    on(&cell("", "bgcolor=0000ff", half), &["0000FF", "8080FF"]);
    on(
        &cell("", "style='background: rgb(0 0 255 / 30%)'", "a"),
        &["B3B3FF"],
    );
    // A cell shows the background of its row.
    on(
        &cell("style='background: rgba(0, 128, 0, .5)'", "", "a"),
        &["80C080"],
    );
    let white = "style='background: rgba(255, 255, 255, .5)'";
    on(&cell("bgcolor=#00f", white, "a"), &["8080FF"]);
    on(&cell("bgcolor=white", "", "a"), &[]);
    on(&cell("style='background: transparent'", "", "a"), &[]);
    // Style sheets.
    let sheet = |rule: &str| format!("<style>{rule}</style>{}", cell("class=r", "", half));
    on(
        &sheet("td { background: rgba(0, 0, 255, .5) }"),
        &["8080FF", "C0C0FF"],
    );
    on(&sheet(".r { background: #00f }"), &["0000FF", "8080FF"]);
    // Translucent letters, too.
    let letters = cell(
        "",
        "style='background: #00f; color: rgba(255, 255, 255, .5)'",
        "a",
    );
    check(&letters, &["<w:color w:val=\"8080FF\"/>"]);
    for (through, part) in [("odt", "#8080ff"), ("rtf", "\\red128\\green128\\blue255;")] {
        let page = cell("", "style='background: #00f'", half);
        let made = convert("a.html", page.as_bytes(), through).unwrap();
        let text = match through {
            "odt" => {
                let mut parts = zips::entries(&made).into_iter();
                parts.find(|(name, _)| name == "content.xml").unwrap().1
            }
            _ => made,
        };
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains(part), "{through}: {text}");
    }
}
