//! Books whose packages are written in unusual ways.

use crate::{
    harness::{convert, directory, has, output_of},
    zips,
};

/// The text of a book of one chapter with this package.
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
fn spaces_around_identifiers_mean_nothing() {
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

/// A picture so wide that it does not fit a page.
fn wide() -> Vec<u8> {
    let mut file = std::io::Cursor::new(Vec::new());
    let picture = image::RgbImage::from_pixel(1600, 200, image::Rgb([200, 30, 30]));
    picture
        .write_to(&mut file, image::ImageFormat::Png)
        .unwrap();
    file.into_inner()
}

#[test]
fn a_book_on_paper_has_letters_margins_and_numbers_of_a_book() {
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
    // The number of each page stands below its text, in the middle.
    for number in ["1", "2"] {
        assert!(place(number, "yMin") > 770.0, "{words}");
        assert!((280.0..310.0).contains(&place(number, "xMin")), "{words}");
    }
}
