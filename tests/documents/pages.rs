//! HTML pages and books of other programs: content that is shown twice is read once, and separate words stay separate.

use crate::harness::convert;

/// Reads a page, and compares the body of the page that is written from it.
#[track_caller]
fn check(body: &str, expected: &str) {
    let page = format!("<!DOCTYPE html><html><body>{body}</body></html>");
    let page = convert("page.html", page.as_bytes(), "html").unwrap();
    let page = String::from_utf8(page).unwrap();
    let (_, found) = page.split_once("<body>").unwrap();
    let (found, _) = found.split_once("</body>").unwrap();
    assert_eq!(found.trim(), expected, "{body}");
}

#[test]
fn mediawiki_formulas_replace_their_pictures() {
    let formula = |style: &str, math: &str| {
        format!(
            "<p>so <span class=\"mwe-math-element\"><span class=\"mwe-math-mathml-inline mwe-math-mathml-a11y\" style=\"{style}\">{math}</span><img src=\"http://a/x.svg\" class=\"mwe-math-fallback-image-inline\" alt=\"x\"></span>, too</p>"
        )
    };
    let math = "<math><mi>x</mi></math>";
    let inline = formula("display: none;", math);
    for formula in [inline.replace("span", "div"), inline] {
        let page = convert("page.html", formula.as_bytes(), "html").unwrap();
        let page = String::from_utf8(page).unwrap();
        assert!(page.contains("<mi>x</mi>"), "{page}");
        assert!(!page.contains("<img"), "{page}");
    }
    // Without a formula, the picture is used.
    check(
        &formula("display: none;", ""),
        "<p>so <img src=\"http://a/x.svg\" alt=\"x\" />, too</p>",
    );
}

#[test]
fn buttons_are_separated_by_spaces() {
    check(
        "<p>Go<button>on</button><button>back</button>now</p>",
        "<p>Go on back now</p>",
    );
}

#[test]
fn one_case_of_an_epub_switch_is_shown() {
    let cases = |space: &str| {
        format!(
            "<p>a <epub:switch><epub:case required-namespace=\"{space}\">case</epub:case><epub:default>default</epub:default></epub:switch> b</p>"
        )
    };
    check(
        &cases("http://www.w3.org/1998/Math/MathML"),
        "<p>a case b</p>",
    );
    check(
        &cases("http://www.xml-cml.org/schema"),
        "<p>a default b</p>",
    );
    let page =
        "<p><m:math xmlns:m=\"http://www.w3.org/1998/Math/MathML\"><m:mn>7</m:mn></m:math></p>";
    let page = convert("page.html", page.as_bytes(), "html").unwrap();
    let page = String::from_utf8(page).unwrap();
    assert!(page.contains("<mn>7</mn>"), "{page}");
}

#[test]
fn noscript_content_is_shown_unless_it_is_escaped_markup() {
    check(
        "<p>a</p><noscript><p>b</p></noscript><p>c</p>",
        "<p>a</p>\n<p>b</p>\n<p>c</p>",
    );
    check("<p>a <noscript>b</noscript> c</p>", "<p>a b c</p>");
    // As a browser saves it.
    check(
        "<p>a</p><noscript>\n&lt;img src=\"x.gif\" /&gt;</noscript><p>c</p>",
        "<p>a</p>\n<p>c</p>",
    );
}

/// An empty Windows metafile as a data URL.
fn metafile() -> String {
    let mut bytes = [0; 44];
    bytes[0] = 1;
    bytes[40..].copy_from_slice(b" EMF");
    let hexadecimal: String = bytes.iter().map(|byte| format!("%{byte:02x}")).collect();
    format!("data:image/emf,{hexadecimal}")
}

#[test]
fn metafiles_are_kept_or_become_their_alternative_text() {
    let page = format!("<p>a <img src=\"{}\" width=\"9\"> b</p>", metafile());
    for through in ["rtf", "docx", "odt", "html"] {
        let between = convert("a.html", page.as_bytes(), through).unwrap();
        let back = convert(&format!("a.{through}"), &between, "html").unwrap();
        let back = String::from_utf8(back).unwrap();
        assert!(back.contains("<img src=\"data:image/emf;"), "{through}");
    }
    let book = convert("a.html", page.as_bytes(), "epub").unwrap();
    let back = convert("a.epub", &book, "md").unwrap();
    let back = String::from_utf8(back).unwrap();
    assert!(back.ends_with("\na \\[picture\\] b\n"), "{back}");
}

#[test]
fn table_captions_precede_the_table() {
    let page =
        b"<table><caption>c</caption><thead><tr><th>a</th></tr></thead><tr><td>b</td></tr></table>";
    let text = convert("a.html", page, "md").unwrap();
    assert_eq!(
        String::from_utf8_lossy(&text),
        "c\n\n| a   |\n|-----|\n| b   |\n"
    );
}
