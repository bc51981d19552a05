//! Rules of the schemas of packages, which other programs enforce. `tests/corpora/schemas.py` validates against the
//! schemas themselves.

use crate::{harness::convert, zips::entries};

/// A part of the package that a page becomes.
fn part(page: &str, to: &str, part: &str) -> String {
    let package = convert("page.html", page.as_bytes(), to).unwrap();
    let mut parts = entries(&package).into_iter();
    let (_, content) = parts.find(|(name, _)| name == part).unwrap();
    String::from_utf8(content).unwrap()
}

#[test]
fn links_are_uri_references() {
    let page = "<a href='http://a/b c?d=[e]'>f</a> <a href='%20http://g'>h</a>";
    let expected = ["http://a/b%20c?d=%5Be%5D", "./%20http://g"];
    for (to, name) in [
        ("docx", "word/_rels/document.xml.rels"),
        ("odt", "content.xml"),
    ] {
        let part = part(page, to, name);
        for target in expected {
            assert!(part.contains(&format!("=\"{target}\"")), "{part}");
        }
    }
}

#[test]
fn links_are_not_nested() {
    // Neither format can embed a picture from another host, so it becomes a link.
    let page = "<p><a href='http://a/'><img src='http://b/c.png' alt=d></a> <img src='http://e/f.png' alt=g>";
    for (to, name, link) in [
        ("docx", "word/document.xml", "<w:hyperlink "),
        ("odt", "content.xml", "<text:a "),
    ] {
        let part = part(page, to, name);
        let pieces: Vec<_> = part.split(link).collect();
        let [_, first, second] = pieces.as_slice() else {
            panic!("{part}");
        };
        assert!(first.contains(">d<") && second.contains(">g<"), "{part}");
    }
}

#[test]
fn opendocument_dates_have_a_time() {
    let page = |date: &str| format!("<meta name=date content='{date}'><p>a</p>");
    for (date, expected) in [
        ("2024-05-17", "2024-05-17T00:00:00"),
        ("2024-05-17T09:30:00Z", "2024-05-17T09:30:00Z"),
    ] {
        let meta = part(&page(date), "odt", "meta.xml");
        assert!(meta.contains(&format!(">{expected}<")), "{meta}");
        let odt = convert("page.html", page(date).as_bytes(), "odt").unwrap();
        let html = convert("page.odt", &odt, "html").unwrap();
        let html = String::from_utf8(html).unwrap();
        assert!(html.contains(&format!("content=\"{date}\"")), "{html}");
    }
    // A text that is not a date is left out of the metadata.
    assert!(!part(&page("in May"), "odt", "meta.xml").contains("May"));
}
