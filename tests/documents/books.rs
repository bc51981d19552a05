//! Books with unusual packages.

use crate::{
    harness::{convert, directory, has, output_of},
    zips,
};

/// The text of a book with one chapter and this package.
fn text(package: &str) -> String {
    let chapter = r#"<html xmlns="http://www.w3.org/1999/xhtml"><body><p>Once</p></body></html>"#;
    let file = zips::book()
        .packed("OPS/book.opf", package.as_bytes())
        .packed("OPS/c.xhtml", chapter.as_bytes())
        .finish();
    let page = convert("a.epub", &file, "html").unwrap_or_else(|err| panic!("{}", err.message()));
    String::from_utf8(page).unwrap()
}

#[test]
fn spaces_around_identifiers_are_ignored() {
    let page = text(
        r#"<package xmlns="http://www.idpf.org/2007/opf" version="2.0"><manifest><item id=" c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c "/></spine></package>"#,
    );
    assert!(page.contains("<p>Once</p>"), "{page}");
}

#[test]
fn packages_of_the_open_ebook_forum_are_read() {
    let page = text(
        r#"<package xmlns="http://openebook.org/namespaces/oeb-package/1.0/"><metadata><dc-metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:Title>Old</dc:Title></dc-metadata></metadata><manifest><item id="c" href="c.xhtml" media-type="text/x-oeb1-document"/></manifest><spine><itemref idref="c"/></spine></package>"#,
    );
    assert!(page.contains("<p>Once</p>"), "{page}");
    assert!(page.contains("<title>Old</title>"), "{page}");
}

/// A picture that is wider than a page.
fn wide() -> Vec<u8> {
    let mut file = std::io::Cursor::new(Vec::new());
    let picture = image::RgbImage::from_pixel(1600, 200, image::Rgb([200, 30, 30]));
    picture
        .write_to(&mut file, image::ImageFormat::Png)
        .unwrap();
    file.into_inner()
}

#[test]
fn books_are_printed_with_book_typography() {
    if !has("pdftotext") {
        return;
    }
    let package = r#"<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><item id="b" href="b.xhtml" media-type="application/xhtml+xml"/><item id="i" href="i.png" media-type="image/png"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>"#;
    let chapter = |content: &str| {
        format!(
            r#"<html xmlns="http://www.w3.org/1999/xhtml"><head><style>@page {{ margin: 5pt }}</style></head><body>{content}</body></html>"#
        )
    };
    let file = zips::book()
        .packed("OPS/book.opf", package.as_bytes())
        .packed(
            "OPS/a.xhtml",
            chapter("<img src='i.png'/><p>Opening words</p>").as_bytes(),
        )
        .packed("OPS/b.xhtml", chapter("<p>Closing words</p>").as_bytes())
        .packed("OPS/i.png", &wide())
        .finish();
    let pdf = convert("a.epub", &file, "pdf").unwrap_or_else(|err| panic!("{}", err.message()));
    let path = directory("book").join("book.pdf");
    std::fs::write(&path, pdf).unwrap();
    let words = output_of("pdftotext", &["-bbox", path.to_str().unwrap(), "-"]);
    let place = |word: &str, name: &str| -> f64 {
        let line = words
            .lines()
            .find(|line| line.contains(&format!(">{word}<")));
        let value = line
            .and_then(|line| line.split_once(&format!("{name}=\"")))
            .unwrap_or_else(|| panic!("{word}: {words}"))
            .1;
        value.split('"').next().unwrap().parse().unwrap()
    };
    let height = place("Opening", "yMax") - place("Opening", "yMin");
    assert!((10.0..18.0).contains(&height), "{height}: {words}");
    assert!(place("Opening", "xMin") > 40.0, "{words}");
    assert_eq!(words.matches("<page ").count(), 2, "{words}");
    // The number of each page is centred below its text.
    for number in ["1", "2"] {
        assert!(place(number, "yMin") > 770.0, "{words}");
        assert!((280.0..310.0).contains(&place(number, "xMin")), "{words}");
    }
}

/// A FictionBook in this encoding.
fn fiction(encoding: &str, body: &str) -> String {
    format!(
        r##"<?xml version="1.0" encoding="{encoding}"?>
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink">
<description><title-info><genre>prose</genre>
<author><first-name>Лев</first-name><last-name>Толстой</last-name></author><author><nickname>anon</nickname></author>
<book-title>Война &amp; мир</book-title><annotation><p>About it.</p></annotation><keywords>war, peace</keywords>
<date value="1869-01-01">1869</date><coverpage><image l:href="#cover.png"/></coverpage><lang>ru</lang>
<sequence name="Tests" number="2"/></title-info></description>
<body><title><p>Лев Толстой</p><p>Война &amp; мир</p><p>In two parts</p></title>{body}</body>
<body name="notes"><title><p>Notes</p></title>
<section id="n1"><title><p>1</p></title><p>Said in a note.</p></section>
<section id="n2"><title><p>2</p></title><p>Nobody asks for this.</p></section></body>
<binary id="cover.png" content-type="image/png">{PICTURE}</binary></FictionBook>"##
    )
}

/// A red pixel.
const PICTURE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

const PARTS: &str = r##"<epigraph><p>Above all</p><text-author>Someone</text-author></epigraph>
<section id="one"><title><p>Part one</p><p>The beginning</p></title>
<p>Some <strong>bold</strong> and <emphasis>slanted</emphasis> words<a l:href="#n1" type="note">[1]</a>,
H<sub>2</sub>O, <a l:href="#two">further on</a>.</p>
<section><title><p>Chapter</p></title><poem><title><p>Song</p></title><stanza><v>First verse</v><v>Second verse</v></stanza>
<text-author>A poet</text-author></poem><subtitle>* * *</subtitle><cite><p>It was said.</p></cite></section></section>
<section id="two"><p>No title here.</p><empty-line/><table><tr><th>a</th><th colspan="2">b</th></tr>
<tr><td>1</td><td align="right">2</td><td>3</td></tr></table><p><image l:href="#cover.png" alt="red"/></p>
<p><code>x = 1</code></p></section>"##;

#[test]
fn fiction_books_are_read_completely() {
    let page = convert("a.fb2", fiction("utf-8", PARTS).as_bytes(), "html").unwrap();
    let page = String::from_utf8(page).unwrap();
    for part in [
        "<html lang=\"ru\"",
        "<title>Война &amp; мир</title>",
        "In two parts",
        "alt=\"Cover\"",
        "<strong>bold</strong>",
        "<em>slanted</em>",
        "H<sub>2</sub>O",
        "href=\"#two\"",
        "id=\"two\"",
        "First verse<br",
        "<code>x = 1</code>",
        "Said in a note.",
        "Nobody asks for this.",
        "colspan=\"2\"",
        "alt=\"red\"",
        "It was said.",
        "Above all",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let lines = [
        "<h1",
        "Part one<br",
        "The beginning</h1>",
        "<h2",
        "Chapter</h2>",
        "Song</h3>",
    ];
    let mut rest = page.as_str();
    for line in lines {
        let at = rest.find(line).unwrap_or_else(|| panic!("{line}: {rest}"));
        rest = &rest[at..];
    }
    // The title in the body repeats the title in the head.
    let words =
        String::from_utf8(convert("a.fb2", fiction("utf-8", PARTS).as_bytes(), "txt").unwrap());
    let words = words.unwrap();
    assert_eq!(words.matches("Война & мир").count(), 1, "{words}");
    assert!(words.contains("Лев Толстой"), "{words}");
    assert!(words.contains("anon"), "{words}");
}

#[test]
fn fiction_books_may_be_zipped_or_in_other_encodings() {
    let text = fiction("windows-1251", "<section><p>Мир</p></section>");
    let letter = |c: char| match c {
        'А'..='я' => (c as u32 - 0x410 + 0xc0) as u8,
        c => c as u8,
    };
    let bytes: Vec<u8> = text.chars().map(letter).collect();
    let packed = zips::Zip::default().packed("book.FB2", &bytes).finish();
    for (name, file) in [
        ("a.fb2", &bytes),
        ("a", &bytes),
        ("a.fb2.zip", &packed),
        ("a.fbz", &packed),
    ] {
        let words = String::from_utf8(convert(name, file, "txt").unwrap()).unwrap();
        assert!(words.contains("Мир"), "{name}: {words}");
        assert!(words.contains("Толстой"), "{name}: {words}");
    }
    // Two books make an archive of books.
    let two = zips::Zip::default()
        .packed("a.fb2", &bytes)
        .packed("b.fb2", &bytes)
        .finish();
    assert!(convert("a.zip", &two, "txt").unwrap().starts_with(b"PK"));
}

#[test]
fn damaged_fiction_books_are_refused_or_noted() {
    let whole = fiction("utf-8", PARTS);
    let error = convert("a.fb2", &whole.as_bytes()[..whole.len() / 2], "html").unwrap_err();
    assert!(error.message().contains("not a readable fb2"), "{error}");
    let wrong = whole.replace(PICTURE, "!!!!");
    let (_, notes) =
        crate::harness::convert_with("a.fb2", wrong.as_bytes(), "html", "medium", &[]).unwrap();
    let notes = notes.0.join(" ");
    assert!(notes.contains("not valid Base64"), "{notes}");
    assert!(notes.contains("that the book refers to"), "{notes}");
    let deep = "<section>".repeat(5000);
    let error = convert("a.fb2", fiction("utf-8", &deep).as_bytes(), "html").unwrap_err();
    assert!(error.message().contains("not a readable fb2"), "{error}");
}
