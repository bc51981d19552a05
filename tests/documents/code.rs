//! Blocks of code: coloured by their language in every format that can hold colours, and with the same text as before.

use crate::{
    harness::{convert, convert_with, directory, drawn, has, output_of},
    zips,
};
use std::fs;

const MARKDOWN: &str = "Text\n\n```rust\nfn main() { // it's \"so\"\n\tlet x = \"<a>\";\n}\n```\n\n```\nlet plain\n```\n";

/// Colours of keywords, comments and strings.
const COLOURS: [&str; 3] = ["b31d28", "57606a", "0a3069"];

/// The text of a part of the result that has the body.
fn body(name: &str, text: &str, to: &str, fields: &[(&str, &str)]) -> String {
    let made = convert_with(name, text.as_bytes(), to, "medium", fields);
    let made = made
        .unwrap_or_else(|err| panic!("{to}: {}", err.message()))
        .0;
    let part = match to {
        "docx" => "word/document.xml",
        "odt" => "content.xml",
        "epub" => ".xhtml",
        _ => return String::from_utf8(made).unwrap(),
    };
    let parts = zips::entries(&made).into_iter();
    let parts = parts.filter(|(name, _)| name.ends_with(part));
    parts
        .map(|(_, bytes)| String::from_utf8(bytes).unwrap())
        .collect()
}

#[test]
fn code_is_highlighted_by_language() {
    for to in ["html", "docx", "odt", "epub"] {
        let coloured = body("a.md", MARKDOWN, to, &[]).to_lowercase();
        let plain = body("a.md", MARKDOWN, to, &[("highlight", "false")]).to_lowercase();
        for colour in COLOURS {
            assert!(coloured.contains(colour), "{to} {colour}: {coloured}");
            assert!(!plain.contains(colour), "{to} {colour}: {plain}");
        }
    }
    let page = body("a.md", MARKDOWN, "html", &[]);
    let line = "<pre><code class=\"language-rust\"><span style=\"color: #b31d28\">fn</span> ";
    assert!(page.contains(line), "{page}");
    assert!(
        page.contains("<pre><code>let plain\n</code></pre>"),
        "{page}"
    );
    // The table of colours of a Rich Text document.
    let rtf = body("a.md", MARKDOWN, "rtf", &[]);
    assert!(rtf.contains("\\red179\\green29\\blue40;"), "{rtf}");
}

#[test]
fn notebook_cells_and_html_code_are_highlighted() {
    let notebook = "{\"cells\": [{\"cell_type\": \"code\", \"source\": \"import this\", \"outputs\": []}], \"metadata\": {\"kernelspec\": {\"language\": \"python\"}}, \"nbformat\": 4, \"nbformat_minor\": 5}";
    let page = body("a.ipynb", notebook, "html", &[]);
    assert!(
        page.contains("<span style=\"color: #b31d28\">import</span> this"),
        "{page}"
    );
    let html = "<pre><code class='hljs language-js'><span class=k>const</span> a = 1</code></pre>";
    let page = body("a.html", html, "html", &[]);
    assert!(
        page.contains("<span style=\"color: #b31d28\">const</span> a"),
        "{page}"
    );
}

#[test]
fn the_text_of_code_stays_the_same() {
    let expected = MARKDOWN.trim_end();
    let back = |name: &str, bytes: &[u8]| {
        let text = convert(name, bytes, "md").unwrap_or_else(|err| panic!("{}", err.message()));
        String::from_utf8(text).unwrap().trim_end().to_owned()
    };
    assert_eq!(back("a.md", MARKDOWN.as_bytes()), expected);
    let html = convert("a.md", MARKDOWN.as_bytes(), "html").unwrap();
    let found = back("a.html", &html);
    assert!(found.ends_with(expected), "{found}");
    for to in ["docx", "odt", "rtf"] {
        let made = convert("a.md", MARKDOWN.as_bytes(), to).unwrap();
        let found = back(&format!("a.{to}"), &made);
        // These formats do not store the language of code, and consecutive blocks of code become a single block.
        let code = "```\nfn main() { // it's \"so\"\n\tlet x = \"<a>\";\n}\n";
        assert!(found.contains(code), "{to}: {found}");
    }
}

/// Number of pixels on the first page that are clearly not grey.
fn colourful(name: &str, text: &str, fields: &[(&str, &str)]) -> usize {
    let made = convert_with(name, text.as_bytes(), "pdf", "medium", fields).unwrap();
    let file = directory("coloured-code").join("a.pdf");
    fs::write(&file, made.0).unwrap();
    let pixels = drawn(&file, "72");
    let is_colourful = |pixel: &&image::Rgb<u8>| {
        let [red, green, blue] = pixel.0;
        red.max(green).max(blue) - red.min(green).min(blue) > 40
    };
    pixels.pixels().filter(is_colourful).count()
}

#[test]
fn pdf_pages_show_highlighting() {
    if !has("pdftoppm") {
        return;
    }
    assert!(colourful("a.md", MARKDOWN, &[]) > 20);
    assert_eq!(colourful("a.md", MARKDOWN, &[("highlight", "false")]), 0);
    let page = |style: &str| {
        format!("<body {style}><pre><code class=language-python>import this  # so</code></pre>")
    };
    assert!(colourful("a.html", &page(""), &[]) > 20);
    assert_eq!(colourful("a.html", &page(""), &[("highlight", "false")]), 0);
    // Colours for light ground could not be read on the dark ground of a page.
    assert_eq!(
        colourful("a.html", &page("style='background:#222;color:#ddd'"), &[]),
        0
    );
}

#[test]
fn highlighting_keeps_the_text_of_pdf_pages() {
    if !has("pdftotext") {
        return;
    }
    let file = directory("text-of-code").join("a.pdf");
    let made = |fields: &[(&str, &str)]| {
        let made = convert_with("a.md", MARKDOWN.as_bytes(), "pdf", "medium", fields);
        fs::write(&file, made.unwrap().0).unwrap();
        output_of("pdftotext", &["-layout", &file.display().to_string(), "-"])
    };
    let text = made(&[]);
    assert_eq!(text, made(&[("highlight", "false")]));
    assert!(text.contains("fn main() { // it's \"so\""), "{text}");
}
