//! Options besides the format: paper, table of contents, line width, title, and the resolution of pictures. Results are
//! tested through the library, refusals through the program.

use crate::harness::{convert, convert_with, data, directory, has, output_of, run};
use base64::{Engine, engine::general_purpose::STANDARD};
use convertd::registry;
use std::fs;

const TEXT: &[u8] = b"# One\n\nText that is long enough to be broken into two lines of a file if anybody asks for it, or not.\n\n## Two\n\n# Three\n";

fn text_of(to: &str, fields: &[(&str, &str)]) -> String {
    let (result, _) = convert_with("text.md", TEXT, to, "medium", fields).unwrap();
    String::from_utf8(result).unwrap()
}

#[test]
fn pairs_list_their_options() {
    #[track_caller]
    fn check(to: &str, expected: &[&str]) {
        let (from, to) = (registry::by_name("docx"), registry::by_name(to));
        let route = registry::find(from.unwrap(), to.unwrap()).unwrap();
        let names: Vec<_> = route.pair.options.iter().map(|spec| spec.name).collect();
        assert_eq!(names, expected);
    }
    check(
        "pdf",
        &[
            "title",
            "toc",
            "highlight",
            "page_size",
            "orientation",
            "margin",
            "pdf_a",
            "pages",
            "rotate",
            "rotate_pages",
            "split",
            "info",
            "bookmarks",
            "encrypt",
            "owner_password",
            "permissions",
            "numbers",
            "stamp",
            "stamp_pages",
            "watermark",
            "watermark_pages",
            "password",
        ],
    );
    check(
        "md",
        &[
            "title",
            "toc",
            "wrap",
            "pictures",
            "pictures_folder",
            "password",
        ],
    );
    check("txt", &["title", "toc", "wrap", "password"]);
    check("html", &["title", "toc", "highlight", "password"]);
    check("docx", &["title", "toc", "highlight", "password"]);
    check("epub", &["title", "toc", "highlight", "password"]);
}

#[test]
fn invalid_values_are_refused() {
    let at = directory("values");
    for (to, option, words) in [
        ("pdf", "page_size=a9", "one of a3, a4"),
        ("pdf", "margin=-1", "a whole number from 0 to 100"),
        ("pdf", "margin=2cm", "a whole number from 0 to 100"),
        ("pdf", "toc=maybe", "true or false"),
        ("txt", "wrap=80", "one of 72, none"),
        ("html", "page_size=a4", "no option \"page_size\""),
    ] {
        let ran = run(&at, "text.md", TEXT, to, &["--option", option]);
        assert_eq!(ran.code, Some(2), "{to} {option}");
        assert!(ran.said.contains(words), "{to} {option}: {}", ran.said);
    }
}

#[test]
fn toc_title_and_wrap_options_are_applied() {
    let page = text_of("html", &[("toc", "true"), ("title", "A & B")]);
    assert!(page.contains("<title>A &amp; B</title>"));
    assert!(page.contains("<li><a href=\"#two\">Two</a></li>"));
    assert!(!text_of("html", &[]).contains("doc-toc"));
    let longest = |text: String| text.lines().map(|line| line.chars().count()).max();
    for to in ["txt", "md"] {
        assert!(longest(text_of(to, &[])) <= Some(72), "{to}");
        assert!(longest(text_of(to, &[("wrap", "none")])) > Some(90), "{to}");
    }
}

#[test]
fn untitled_documents_take_their_first_heading_or_file_name() {
    #[track_caller]
    fn check(name: &str, text: &str, expected: &str) {
        let html = convert(name, text.as_bytes(), "html").unwrap();
        let html = String::from_utf8(html).unwrap();
        let title = format!("<title>{expected}</title>");
        assert!(html.contains(&title), "{html}");
        // The title is not shown on the page.
        assert_eq!(html.matches("title-block-header").count(), 0);
        let epub = convert(name, text.as_bytes(), "epub").unwrap();
        // The reader of books takes the title from the package.
        let back = convert("a.epub", &epub, "html").unwrap();
        assert!(String::from_utf8(back).unwrap().contains(&title), "{name}");
    }
    check(
        "letter.md",
        "# Dear *you* #\n\nWords.\n\n# Yours\n",
        "Dear you",
    );
    check("My letter.v2.md", "Only words.\n", "My letter.v2");
    check("letter.txt", "Only words.\n", "letter");
    // A title in the document has priority.
    let own = "---\ntitle: Own\n---\n\n# Other\n";
    let html = String::from_utf8(convert("a.md", own.as_bytes(), "html").unwrap()).unwrap();
    assert!(html.contains("<title>Own</title>"), "{html}");
}

#[test]
fn an_untitled_pdf_takes_its_file_name() {
    if !has("pdfinfo") {
        return;
    }
    let at = directory("titles");
    let file = at.join("a.pdf");
    fs::write(
        &file,
        convert("Bills 2024.txt", b"Words.\n", "pdf").unwrap(),
    )
    .unwrap();
    let facts = output_of("pdfinfo", &[&file.display().to_string()]);
    assert!(facts.contains("Bills 2024\n"), "{facts}");
    let _ = fs::remove_dir_all(at);
}

#[test]
fn page_size_and_margin_options_are_applied() {
    if !has("pdfinfo") {
        return;
    }
    let at = directory("paper");
    #[track_caller]
    fn check(at: &std::path::Path, fields: &[(&str, &str)], expected: &str) {
        let (result, _) = convert_with("text.md", TEXT, "pdf", "medium", fields).unwrap();
        let file = at.join("paper.pdf");
        fs::write(&file, result).unwrap();
        let facts = output_of("pdfinfo", &[&file.display().to_string()]);
        assert!(facts.contains(expected), "{facts}");
    }
    check(&at, &[], "595.28 x 841.89 pts (A4)");
    check(&at, &[("page_size", "letter")], "612 x 792 pts");
    check(&at, &[("page_size", "a5")], "419.53 x 595.28 pts");
    check(&at, &[("title", "A title")], "A title");
    check(&at, &[("margin", "100"), ("page_size", "a5")], "Pages:");
    let _ = fs::remove_dir_all(at);
}

/// A page with a photograph of 1200 × 900 pixels that is shown two inches wide.
fn page_with_picture(kind: &str) -> Vec<u8> {
    let mut seed = 7_u32;
    let picture = image::RgbImage::from_fn(1200, 900, |x, y| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let noise = (seed >> 28) as u8;
        image::Rgb([(x / 5) as u8 ^ noise, (y / 4) as u8, noise * 9])
    });
    let mut file = std::io::Cursor::new(Vec::new());
    let format = image::ImageFormat::from_extension(kind).unwrap();
    picture.write_to(&mut file, format).unwrap();
    let data = STANDARD.encode(file.into_inner());
    format!("<p>word <img alt=\"noise\" style=\"width: 144pt\" src=\"data:image/{kind};base64,{data}\"></p>").into_bytes()
}

#[test]
fn quality_limits_the_pixels_of_pictures() {
    for kind in ["png", "jpeg"] {
        let page = page_with_picture(kind);
        for to in ["html", "docx", "epub"] {
            let [low, medium, high] = ["low", "medium", "high"].map(|quality| {
                convert_with("page.html", &page, to, quality, &[])
                    .unwrap()
                    .0
                    .len()
            });
            assert!(3 * low < 2 * medium, "{kind} to {to}: {low}, {medium}");
            assert!(3 * medium < 2 * high, "{kind} to {to}: {medium}, {high}");
        }
        let (low, notes) = convert_with("page.html", &page, "md", "low", &[]).unwrap();
        assert!(low.len() < 100 && !notes.0.is_empty(), "{notes:?}");
        let (high, _) = convert_with("page.html", &page, "md", "high", &[]).unwrap();
        assert!(high.len() > page.len() / 2);
    }
    // A picture that needs no reduction keeps its bytes.
    let small = data("picture.png");
    let page = format!(
        "<img alt=\"a\" src=\"data:image/png;base64,{}\">",
        STANDARD.encode(&small)
    );
    let (result, _) = convert_with("page.html", page.as_bytes(), "html", "low", &[]).unwrap();
    assert!(
        String::from_utf8(result)
            .unwrap()
            .contains(&STANDARD.encode(&small))
    );
}

#[test]
fn scripts_are_removed() {
    #[track_caller]
    fn check(from: &str, text: &str, told: &str) {
        for to in ["html", "md", "epub", "docx", "odt", "rtf", "txt"] {
            let name = format!("a.{from}");
            let (file, notes) = convert_with(&name, text.as_bytes(), to, "medium", &[]).unwrap();
            let plain = convert(&format!("a.{to}"), &file, "html").unwrap_or(file);
            let page = String::from_utf8_lossy(&plain).to_lowercase();
            let of = format!("{from} to {to}: {page}");
            assert!(!page.contains("javascript:"), "{of}");
            assert!(!page.contains("alert(1)"), "{of}");
            assert!(!page.contains("onclick"), "{of}");
            assert!(page.contains("words"), "{of}");
            let is_told = notes.0.iter().any(|note| note.contains(told));
            assert!(is_told, "{of}: {:?}", notes.0);
        }
    }
    let link = "A link that would run a script";
    check("md", "[words](javascript:alert(1))\n", link);
    check("md", "[words](<JAVA\tscript:alert(1)>)\n", link);
    check("html", "<a href=' javascript:alert(1)'>words</a>", link);
    let script = "A script was left out";
    check("md", "words\n\n<script>\nalert(1)\n</script>\n", script);
    check("md", "words <script>alert(1)</script>\n", script);
    check("html", "<p>words<script>alert(1)</script>", script);
}
