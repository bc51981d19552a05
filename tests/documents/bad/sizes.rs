//! Files that are deeply nested, have many parts, or unpack to a large size, and Markdown that takes quadratic time in
//! other programs.

use super::{Any, Converted, check, check_to, grows};
use crate::{
    harness::{directory, run},
    zips::{book, book_of, word, word_document, word_xml},
};
use miniz_oxide::deflate::compress_to_vec;

#[test]
fn nested_tables_give_text_in_proportion_to_the_file() {
    let level = "<table><tr><td>Orders of the first quarter</td><td>and what was said of them</td></tr><tr><td>";
    let page = level.repeat(1_000);
    let ran = run(
        &directory("nested"),
        "tables.html",
        page.as_bytes(),
        "txt",
        &[],
    );
    assert_eq!(ran.code, Some(0), "{}", ran.said);
    let text = ran.result.unwrap();
    assert!(text.len() < 4 * page.len(), "{} bytes", text.len());
    let orders = String::from_utf8(text).unwrap().matches("quarter").count();
    assert_eq!(orders, 1_000);
}

/// Deeply nested text still has room for some words on each line, and gets as many pages as it needs.
#[test]
fn deeply_nested_text_keeps_a_minimum_width() {
    let at = directory("narrow");
    let words = "lorem ipsum dolor sit amet ".repeat(2_000);
    for (name, nested) in [("quotes.md", "> "), ("items.md", "- ")] {
        let text = format!("{}{words}", nested.repeat(64));
        let ran = run(&at, name, text.as_bytes(), "pdf", &[]);
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.said);
        let pdf = ran.result.unwrap();
        // The message states the number of pages.
        let ran = run(&at, "made.pdf", &pdf, "png", &["--option", "page=5000"]);
        let pages = ran.said.split_whitespace().rev().nth(1);
        let pages: usize = pages.and_then(|count| count.parse().ok()).unwrap_or(0);
        assert!((20..150).contains(&pages), "{name}: {}", ran.said);
    }
}

#[test]
fn depth_is_bounded() {
    let at = directory("depth");
    let deep = |open: &str, close: &str, count: usize| {
        format!("{}word{}", open.repeat(count), close.repeat(count))
    };
    check(
        &at,
        "div.html",
        deep("<div>", "</div>", 50_000).as_bytes(),
        200,
        Converted("word"),
    );
    check(
        &at,
        "open.html",
        deep("<div>", "", 100_000).as_bytes(),
        200,
        Converted("word"),
    );
    check(
        &at,
        "b.html",
        deep("<b>", "", 100_000).as_bytes(),
        200,
        Converted("word"),
    );
    check(
        &at,
        "misnested.html",
        "<b><i><p>word".repeat(20_000).as_bytes(),
        300,
        Converted("word"),
    );
    check(
        &at,
        "table.html",
        deep("<table><tr><td>", "", 30_000).as_bytes(),
        200,
        Converted("word"),
    );
    check(
        &at,
        "select.html",
        deep("<a><table>", "", 30_000).as_bytes(),
        200,
        Converted("word"),
    );
    check(
        &at,
        "list.html",
        deep("<ul><li>", "", 50_000).as_bytes(),
        200,
        Converted("word"),
    );
    check_to(
        &at,
        "quote.md",
        deep("> ", "", 100_000).as_bytes(),
        "html",
        200,
        Converted("word"),
    );
    check_to(
        &at,
        "quote-pdf.md",
        deep("> ", "", 100_000).as_bytes(),
        "pdf",
        200,
        Any,
    );
    check_to(
        &at,
        "emphasis.md",
        deep("*_", "_*", 50_000).as_bytes(),
        "html",
        200,
        Converted("word"),
    );
    check_to(
        &at,
        "brackets.md",
        deep("[", "](a)", 50_000).as_bytes(),
        "html",
        200,
        Any,
    );
    check_to(
        &at,
        "list.md",
        deep("- ", "", 50_000).as_bytes(),
        "html",
        200,
        Converted("word"),
    );
    check_to(
        &at,
        "html.md",
        deep("<b>", "", 50_000).as_bytes(),
        "docx",
        200,
        Any,
    );
    let open = "<w:tbl><w:tr><w:tc>".repeat(20_000);
    let close = "<w:p/></w:tc></w:tr></w:tbl>".repeat(20_000);
    let text = "<w:p><w:r><w:t>word</w:t></w:r></w:p>";
    check(
        &at,
        "tables.docx",
        &word_document(&format!("{open}{text}{close}")),
        200,
        Any,
    );
    let deep = format!(
        "<w:p>{}<w:r><w:t>word</w:t></w:r>",
        "<w:ins>".repeat(100_000)
    );
    check(
        &at,
        "ins.docx",
        &word_document(&format!("{deep}{}</w:p>", "</w:ins>".repeat(100_000))),
        200,
        Any,
    );
    check(
        &at,
        "deep.epub",
        &book_of(&format!(
            "<html xmlns='http://www.w3.org/1999/xhtml'><body>{}word",
            "<div>".repeat(100_000)
        )),
        200,
        Any,
    );
}

#[test]
fn small_files_that_expand_are_bounded() {
    let at = directory("small");
    let paragraphs = "<w:p><w:r><w:t>x</w:t></w:r></w:p>".repeat(500_000);
    let many = word_document(&paragraphs);
    assert!(many.len() < 1 << 20);
    check_to(&at, "paragraphs.docx", &many, "txt", 400, Any);
    let many = "x\n\n".repeat(500_000);
    check_to(&at, "paragraphs.md", many.as_bytes(), "html", 400, Any);
    // 300 MiB of spaces in less than 1 MB.
    let spaces = " ".repeat(300 << 20);
    let bomb = word_xml("document", &format!("<w:body>{spaces}</w:body>"));
    check(
        &at,
        "bomb.docx",
        &word().packed("word/document.xml", bomb.as_bytes()).finish(),
        1000,
        Any,
    );
    check(
        &at,
        "bomb.epub",
        &book_of(&format!("<html><body>{spaces}</body></html>")),
        1000,
        Any,
    );
    // Many entries that refer to the same compressed bytes.
    let content = vec![b' '; 50 << 20];
    let packed = compress_to_vec(&content, 6);
    let items: String = (0..2000)
        .map(|n| format!("<item id='i{n}' href='{n}' media-type='application/xhtml+xml'/>"))
        .collect();
    let spine: String = (0..2000)
        .map(|n| format!("<itemref idref='i{n}'/>"))
        .collect();
    let package = format!(
        "<package xmlns='http://www.idpf.org/2007/opf' version='3.0'><manifest>{items}</manifest><spine>{spine}</spine></package>"
    );
    let before = book().packed("OPS/book.opf", package.as_bytes());
    let start = before.len();
    let mut overlapping = before.packed("OPS/0", &content);
    for n in 1..2000 {
        overlapping = overlapping.again(&format!("OPS/{n}"), start, &packed, &content);
    }
    check(&at, "overlapping.epub", &overlapping.finish(), 600, Any);
    // A table whose 2,001 cells claim a thousand columns and 65,534 rows each, and one whose cells claim two billion
    // columns.
    let wide = "<table><tr><td colspan=1000 rowspan=65534>a".to_owned()
        + &"<tr><td colspan=1000 rowspan=65534>b".repeat(2000);
    check(&at, "wide.html", wide.as_bytes(), 400, Any);
    check_to(&at, "wide-pdf.html", wide.as_bytes(), "pdf", 400, Any);
    let spans = format!(
        "<w:tbl>{}</w:tbl>",
        "<w:tr><w:tc><w:tcPr><w:gridSpan w:val=\"2000000000\"/></w:tcPr><w:p/></w:tc></w:tr>"
            .repeat(5000)
    );
    check(&at, "spans.docx", &word_document(&spans), 400, Any);
}

#[test]
fn pathological_markdown_takes_linear_time() {
    type Made = fn(usize) -> String;
    let at = directory("slow");
    // Each has a size at which quadratic time would be noticed.
    let cases: [(&str, usize, Made); 16] = [
        // Runs of backticks, each longer than the one before by one.
        ("backticks", 2_250, |n| {
            let most = ((2_000 * n) as f64).sqrt() as usize;
            (1..most).map(|n| "`".repeat(n) + " ").collect()
        }),
        ("images", 50_000, |n| "![".repeat(n)),
        ("links", 50_000, |n| "[a](".repeat(n)),
        ("references", 25_000, |n| "[a]: b\n[a]".repeat(n)),
        ("stars", 30_000, |n| "*a **a ".repeat(n)),
        ("declarations", 30_000, |n| "<!A ".repeat(n)),
        ("comments", 30_000, |n| "<!-- ".repeat(n)),
        ("processing", 50_000, |n| "<?".repeat(n)),
        // Missing cells belong to the table as well, so only the number of rows grows.
        ("table", 2_500, |n| {
            "a|".repeat(10_000) + "\n" + &"-|".repeat(10_000) + "\n" + &"a\n".repeat(n)
        }),
        ("notes", 20_000, |n| {
            (0..n).map(|n| format!("[^{n}]\n\n[^{n}]: x\n\n")).collect()
        }),
        ("note-in-note", 2_500, |n| {
            let notes = (0..n).map(|n| format!("[^{n}]: x [^{}]\n\n", n + 1));
            notes.collect::<String>() + "[^0]"
        }),
        ("dollars", 50_000, |n| "$a ".repeat(n)),
        ("addresses", 50_000, |n| "a.b@".repeat(n)),
        ("www", 50_000, |n| "www.".repeat(n)),
        ("brackets-www", 25_000, |n| "www.a.b/(".repeat(n)),
        ("entities", 50_000, |n| "&amp".repeat(n)),
    ];
    for (name, size, made) in cases {
        let name = format!("{name}.md");
        check_to(&at, &name, made(2 * size).as_bytes(), "html", 500, Any);
        grows(&name, "html", size, made);
    }
}

/// A PNG of one colour in few bytes, whose width and height are `side` pixels.
fn plain_png(side: u32) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |kind: &[u8], body: &[u8]| {
        file.extend((body.len() as u32).to_be_bytes());
        let typed = [kind, body].concat();
        file.extend(&typed);
        file.extend(crc32fast::hash(&typed).to_be_bytes());
    };
    let mut head = [side.to_be_bytes(), side.to_be_bytes()].concat();
    head.extend([8, 6, 0, 0, 0]);
    chunk(b"IHDR", &head);
    // All but the first rows of pixels are missing; a decoder needs the memory all the same.
    let rows = vec![0; (side as usize * 4 + 1) * 16];
    chunk(
        b"IDAT",
        &miniz_oxide::deflate::compress_to_vec_zlib(&rows, 9),
    );
    chunk(b"IEND", b"");
    file
}

#[test]
fn picture_bombs_are_bounded() {
    let at = directory("picture");
    let url = |bytes: &[u8], kind: &str| {
        use base64::Engine;
        format!(
            "data:{kind};base64,{}",
            base64::engine::general_purpose::STANDARD.encode(bytes)
        )
    };
    let gif = b"GIF89a\xff\xff\xff\xff\0\0\0,\0\0\0\0\xff\xff\xff\xff\0\x02\x02D\x01\0;".to_vec();
    for (name, bytes, kind) in [
        ("large", plain_png(60_000), "image/png"),
        ("middle", plain_png(9_000), "image/png"),
        ("gif", gif, "image/gif"),
        ("svg", b"<svg xmlns='http://www.w3.org/2000/svg' width='60000' height='60000'><filter id='f'><feTurbulence/></filter><rect filter='url(#f)' width='60000' height='60000'/></svg>".to_vec(), "image/svg+xml"),
    ] {
        let page = format!("<p>word <img alt='what it shows' src='{}'></p>", url(&bytes, kind));
        for to in ["pdf", "docx", "epub", "md", "html"] {
            check_to(&at, &format!("{name}.html"), page.as_bytes(), to, 1600, Any);
        }
    }
}
