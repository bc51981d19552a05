//! References to files of the machine, to other hosts, to entities, and in cycles.

use super::{Any, Converted, check, check_to, is_an_answer};
use crate::{
    harness::{directory, run},
    zips::{W, Zip, book_of, relations, word, word_xml},
};
use std::{net::TcpListener, path::Path};

#[test]
fn external_references_are_not_followed() {
    let at = directory("fetch");
    let secret = at.join("secret.txt");
    std::fs::write(&secret, "the secret of the machine").unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let file = format!("file://{}", secret.display());
    let far = format!("http://127.0.0.1:{port}/picture.png");
    let entity = format!(
        "<!DOCTYPE w:document [<!ENTITY e SYSTEM \"{file}\"><!ENTITY % p SYSTEM \"{far}\"> %p;]>"
    );
    let body = format!(
        "{entity}<w:document {W}><w:body><w:p><w:r><w:t>word &e;</w:t></w:r></w:p></w:body></w:document>"
    );
    let entities = word().packed("word/document.xml", body.as_bytes()).finish();
    let drawing = |embed: &str| {
        format!(
            r#"<w:p><w:r><w:t>word</w:t><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:extent cx="900000" cy="900000"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip {embed}/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"#
        )
    };
    let pictures = |target: &str, external: bool| {
        let body = format!(
            "<w:body>{}{}</w:body>",
            drawing("r:link=\"p\""),
            drawing("r:embed=\"p\"")
        );
        word()
            .packed("word/document.xml", word_xml("document", &body).as_bytes())
            .packed(
                "word/_rels/document.xml.rels",
                relations(&[("p", "image", target, external)]).as_bytes(),
            )
            .finish()
    };
    let page = format!(
        "<p>word<img src='{file}'><img src='{far}'><link rel=stylesheet href='{far}'><iframe src='{file}'></iframe><object data='{far}'></object>"
    );
    let chapter = format!(
        "<!DOCTYPE html [<!ENTITY e SYSTEM \"{file}\">]><html xmlns='http://www.w3.org/1999/xhtml'><body><p>word &e; <img src='{file}'/><img src='{far}'/><img src='../../../../../..{}'/></p></body></html>",
        secret.display()
    );
    for to in ["md", "html", "epub", "pdf", "docx"] {
        for (name, bytes) in [
            ("entities.docx", entities.clone()),
            ("far.docx", pictures(&far, true)),
            ("file.docx", pictures(&file, true)),
            ("slip.docx", pictures("../../../../../../etc/passwd", false)),
            ("page.html", page.clone().into_bytes()),
            (
                "page.md",
                format!("word ![a]({file}) ![b]({far})").into_bytes(),
            ),
            ("chapter.epub", book_of(&chapter)),
        ] {
            let ran = run(&at, name, &bytes, to, &[]);
            is_an_answer(&format!("{name} to {to}"), &ran);
            let result = ran.result.unwrap_or_default();
            let holds = |words: &[u8]| result.windows(words.len()).any(|part| part == words);
            assert!(!holds(b"secret of the machine"), "{name} to {to}");
            assert!(!holds(b"root:x:0"), "{name} to {to}");
        }
    }
    assert!(listener.accept().is_err(), "somebody has called");
    let names = Zip::default()
        .stored("../../escaped.txt", b"x")
        .stored("/tmp/escaped.txt", b"x")
        .finish();
    check(&at, "slip.epub", &names, 100, Any);
    assert!(!Path::new("/tmp/escaped.txt").exists());
}

#[test]
fn entities_do_not_multiply() {
    let at = directory("entities");
    let mut declared = String::from("<!DOCTYPE x [<!ENTITY a0 'lol'>");
    for n in 1..30 {
        let refers = format!("&a{};", n - 1).repeat(10);
        declared += &format!("<!ENTITY a{n} '{refers}'>");
    }
    declared += "]>";
    let body = format!(
        "{declared}<w:document {W}><w:body><w:p><w:r><w:t>&a29;</w:t></w:r></w:p></w:body></w:document>"
    );
    check(
        &at,
        "laughs.docx",
        &word().packed("word/document.xml", body.as_bytes()).finish(),
        150,
        Any,
    );
    let page = format!(
        "{declared}<html xmlns='http://www.w3.org/1999/xhtml'><body><p>word &a29;</p></body></html>"
    );
    check(&at, "laughs.epub", &book_of(&page), 150, Any);
    check(&at, "laughs.xhtml", page.as_bytes(), 150, Any);
    let yaml = "---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\ntitle: *c\n---\nword\n";
    check_to(
        &at,
        "yaml.md",
        yaml.as_bytes(),
        "html",
        100,
        Converted("word"),
    );
}

#[test]
fn circular_references_end() {
    let at = directory("circles");
    let style = |id: &str, on: &str| {
        format!(
            "<w:style w:type=\"paragraph\" w:styleId=\"{id}\"><w:name w:val=\"{id}\"/><w:basedOn w:val=\"{on}\"/><w:link w:val=\"{on}\"/><w:pPr><w:numPr><w:numId w:val=\"1\"/></w:numPr></w:pPr></w:style>"
        )
    };
    let styles = word_xml(
        "styles",
        &(style("a", "b") + &style("b", "a") + &style("c", "c")),
    );
    let numbering = word_xml(
        "numbering",
        "<w:abstractNum w:abstractNumId=\"0\"><w:numStyleLink w:val=\"a\"/></w:abstractNum><w:abstractNum w:abstractNumId=\"1\"><w:styleLink w:val=\"a\"/><w:numStyleLink w:val=\"a\"/><w:lvl w:ilvl=\"0\"><w:start w:val=\"4000000000\"/><w:numFmt w:val=\"decimal\"/><w:lvlText w:val=\"%1.%9.%1\"/></w:lvl></w:abstractNum><w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num>",
    );
    let text = |style: &str| {
        format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr><w:r><w:t>word</w:t></w:r></w:p>")
    };
    let body = format!("<w:body>{}{}{}</w:body>", text("a"), text("b"), text("c"));
    let rels = relations(&[
        ("s", "styles", "styles.xml", false),
        ("n", "numbering", "numbering.xml", false),
    ]);
    let document = word()
        .packed("word/document.xml", word_xml("document", &body).as_bytes())
        .packed("word/_rels/document.xml.rels", rels.as_bytes())
        .packed("word/styles.xml", styles.as_bytes())
        .packed("word/numbering.xml", numbering.as_bytes())
        .finish();
    for to in ["md", "docx", "pdf"] {
        check_to(&at, "circles.docx", &document, to, 150, Any);
    }
    // A note with a reference to itself.
    let note = word_xml(
        "footnotes",
        "<w:footnote w:id=\"2\"><w:p><w:r><w:t>note</w:t><w:footnoteReference w:id=\"2\"/></w:r></w:p></w:footnote>",
    );
    let body =
        "<w:body><w:p><w:r><w:t>word</w:t><w:footnoteReference w:id=\"2\"/></w:r></w:p></w:body>";
    let document = word()
        .packed("word/document.xml", word_xml("document", body).as_bytes())
        .packed(
            "word/_rels/document.xml.rels",
            relations(&[("f", "footnotes", "footnotes.xml", false)]).as_bytes(),
        )
        .packed("word/footnotes.xml", note.as_bytes())
        .finish();
    check(&at, "note.docx", &document, 150, Converted("word"));
    check_to(
        &at,
        "note.md",
        b"word[^1]\n\n[^1]: note[^1]\n",
        "html",
        150,
        Converted("word"),
    );
}
