//! Documents inside Word documents (`w:altChunk`): each is read by the reader of its own format, and takes the place of
//! the chunk.

use crate::{
    harness::{convert, convert_with},
    zips,
};

/// A Word document with another document between two paragraphs.
fn around(name: &str, content: &[u8]) -> Vec<u8> {
    let paragraph = |text: &str| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>");
    let body = format!(
        "<w:body>{}<w:altChunk r:id=\"r\"/>{}</w:body>",
        paragraph("before"),
        paragraph("after")
    );
    zips::word()
        .packed(
            "word/document.xml",
            zips::word_xml("document", &body).as_bytes(),
        )
        .packed(
            "word/_rels/document.xml.rels",
            zips::relations(&[("r", "aFChunk", name, false)]).as_bytes(),
        )
        .packed(&format!("word/{name}"), content)
        .finish()
}

#[test]
fn embedded_documents_are_read_in_place() {
    #[track_caller]
    fn check(name: &str, content: &[u8], expected: &str) {
        let made = convert("a.docx", &around(name, content), "md").unwrap();
        let made = String::from_utf8(made).unwrap();
        assert_eq!(
            made.trim(),
            format!("before\n\n{expected}\n\nafter"),
            "{name}"
        );
    }
    let page = "<!DOCTYPE html><title>t</title><h1>Head</h1><p>para <b>bold</b><ul><li>item</ul><table><tr><th>a<th>b<tr><td>1<td>2</table>";
    let expected =
        "# Head\n\npara **bold**\n\n- item\n\n| a   | b   |\n|-----|-----|\n| 1   | 2   |";
    check("chunk.html", page.as_bytes(), expected);
    check("chunk.htm", b"plain words", "plain words");
    check(
        "chunk.rtf",
        b"{\\rtf1 text {\\b bold}\\par}",
        "text **bold**",
    );
    check("chunk.txt", b"a line", "a line");
    let inner = "<w:p><w:r><w:rPr><w:i/></w:rPr><w:t>inner</w:t></w:r></w:p>";
    check("chunk.docx", &zips::word_document(inner), "*inner*");
}

#[test]
fn pages_that_were_saved_with_their_files_are_read_in_place() {
    // As the library html-docx-js writes them.
    let message = |page: &str| {
        format!(
            "MIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n    type=\"text/html\";\r\n    boundary=\"----=mhtDocumentPart\"\r\n\r\n\r\n\
             ------=mhtDocumentPart\r\nContent-Type: text/html;\r\n    charset=\"utf-8\"\r\nContent-Transfer-Encoding: quoted-printable\r\nContent-Location: file:///C:/fake/document.html\r\n\r\n{page}\r\n\
             ------=mhtDocumentPart\r\nContent-Location: file:///C:/fake/image0.gif\r\nContent-Transfer-Encoding: base64\r\nContent-Type: image/gif\r\n\r\n{GIF}\r\n\
             ------=mhtDocumentPart--\r\n"
        )
    };
    const GIF: &str = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
    let page = "<html><meta charset=3D\"latin1\"><h1>Sch=C3=B6n</h1><p>a=\r\nb <img alt=3Ddot src=3D\"file:///C:/fake/image0.gif\"></html>";
    let made = convert(
        "a.docx",
        &around("afchunk.mht", message(page).as_bytes()),
        "md",
    )
    .unwrap();
    assert_eq!(
        String::from_utf8(made).unwrap().trim(),
        format!("before\n\n# Sch\u{f6}n\n\nab\n![dot](data:image/gif;base64,{GIF})\n\nafter")
    );
    // A message without a page.
    let other = message("text").replace("text/html", "text/other");
    let (_, notes) = convert_with(
        "a.docx",
        &around("afchunk.mht", other.as_bytes()),
        "md",
        "medium",
        &[],
    )
    .unwrap();
    assert!(notes.0[0].contains("left out"), "{notes:?}");
}

#[test]
fn pictures_and_notes_of_embedded_documents_are_kept() {
    let gif = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
    let page = format!("<p>picture <img src=\"{gif}\" alt=\"dot\"></p>");
    let html = convert("a.docx", &around("chunk.html", page.as_bytes()), "html").unwrap();
    let html = String::from_utf8(html).unwrap();
    assert!(html.contains(gif) && html.contains("alt=\"dot\""), "{html}");
    let rtf = b"{\\rtf1 word{\\footnote the note}\\par}";
    let md = convert("a.docx", &around("chunk.rtf", rtf), "md").unwrap();
    let md = String::from_utf8(md).unwrap();
    assert!(
        md.contains("word[^1]") && md.contains("[^1]: the note"),
        "{md}"
    );
}

#[test]
fn unreadable_embedded_documents_are_noted() {
    #[track_caller]
    fn check(file: &[u8], expected: &str) {
        let (made, notes) = convert_with("a.docx", file, "txt", "medium", &[]).unwrap();
        let made = String::from_utf8(made).unwrap();
        assert_eq!(
            made.split_whitespace().collect::<Vec<_>>().join(" "),
            expected
        );
        let is_told = |note: &String| note.contains("within the document was left out");
        assert!(notes.0.iter().any(is_told), "{notes:?}");
    }
    check(&around("chunk.bin", b"\0\x01\x02"), "before after");
    check(
        &around("chunk.docx", b"PK\x03\x04 no archive"),
        "before after",
    );
    // An embedded document is read without its own embedded documents, so the text "deep" is left out.
    let inner = around("chunk.txt", b"deep");
    check(&around("chunk.docx", &inner), "before before after after");
}
