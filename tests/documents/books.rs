//! Books whose packages are written in unusual ways.

use crate::{harness::convert, zips};

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
