//! Round trips through the formats of word processors: formatting of paragraphs and titles.

use crate::{harness::convert, zips};

/// The text of a part of an archive.
fn part(file: &[u8], wanted: &str) -> String {
    let mut parts = zips::entries(file).into_iter();
    let found = parts.find(|(name, _)| name == wanted);
    String::from_utf8(found.expect("the part").1).unwrap()
}

#[test]
fn text_formatting_of_paragraphs_is_kept() {
    // Writer has the formatting of whole paragraphs in automatic styles of paragraphs.
    let source = "<office:document xmlns:office='urn:oasis:names:tc:opendocument:xmlns:office:1.0' xmlns:style='urn:oasis:names:tc:opendocument:xmlns:style:1.0' xmlns:text='urn:oasis:names:tc:opendocument:xmlns:text:1.0' xmlns:fo='urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0' office:mimetype='application/vnd.oasis.opendocument.text'><office:styles><style:style style:name='Standard' style:family='paragraph'/></office:styles><office:automatic-styles><style:style style:name='P1' style:family='paragraph' style:parent-style-name='Standard'><style:text-properties fo:font-weight='bold' fo:font-size='20pt'/></style:style></office:automatic-styles><office:body><office:text><text:p text:style-name='Standard'>one</text:p><text:p text:style-name='Standard'>two</text:p><text:p text:style-name='P1'>large</text:p></office:text></office:body></office:document>";
    let docx = convert("a.fodt", source.as_bytes(), "docx").unwrap();
    let body = part(&docx, "word/document.xml");
    let (before, _) = body.split_once("large").unwrap();
    let (_, run) = before.rsplit_once("<w:r>").unwrap();
    assert!(
        run.contains("<w:b/>") && run.contains("<w:sz w:val=\"40\"/>"),
        "{body}"
    );
    assert_eq!(body.matches("<w:b/>").count(), 1, "{body}");
    let again = convert("a.docx", &docx, "odt").unwrap();
    assert!(part(&again, "content.xml").contains("fo:font-size=\"20pt\""));
}

#[test]
fn columns_after_a_caption_keep_their_widths() {
    let table = |caption: &str| {
        let page = format!(
            "<table>{caption}<col width=20%><col width=80%><tr><th>a<th>b<tr><td>c<td>d</table>"
        );
        let docx = convert("a.html", page.as_bytes(), "docx").unwrap();
        let body = part(&docx, "word/document.xml");
        let grid = body.split_once("<w:tblGrid>").unwrap().1;
        grid.split_once("</w:tblGrid>").unwrap().0.to_owned()
    };
    assert_eq!(table("<caption>text</caption>"), table(""));
    assert_ne!(table(""), table("").replace("<w:gridCol", ""));
}

#[test]
fn titles_keep_their_lines_and_are_paragraphs_of_their_own() {
    let body = "<w:p><w:pPr><w:pStyle w:val=\"Title\"/></w:pPr><w:r><w:t>Jane Doe</w:t></w:r></w:p><w:p><w:r><w:t>text</w:t></w:r></w:p><w:sectPr><w:pgSz w:w=\"12240\" w:h=\"15840\"/></w:sectPr>";
    let styles = "<w:style w:type=\"paragraph\" w:styleId=\"Title\"><w:name w:val=\"Title\"/><w:pPr><w:pBdr><w:bottom w:val=\"single\" w:sz=\"8\" w:space=\"4\" w:color=\"4F81BD\"/></w:pBdr></w:pPr><w:rPr><w:sz w:val=\"52\"/></w:rPr></w:style>";
    let file = zips::word()
        .packed(
            "word/document.xml",
            zips::word_xml("document", &format!("<w:body>{body}</w:body>")).as_bytes(),
        )
        .packed(
            "word/styles.xml",
            zips::word_xml("styles", styles).as_bytes(),
        )
        .packed(
            "word/_rels/document.xml.rels",
            zips::relations(&[("s", "styles", "styles.xml", false)]).as_bytes(),
        )
        .finish();
    for through in ["docx", "odt", "rtf"] {
        let between = convert("a.docx", &file, through).unwrap();
        let name = format!("a.{through}");
        let back = convert(&name, &between, "docx").unwrap();
        let of_styles = part(&back, "word/styles.xml");
        let of_title = of_styles
            .split("w:styleId=\"Title\"")
            .nth(1)
            .unwrap_or_default();
        let of_title = of_title.split("</w:style>").next().unwrap_or_default();
        assert!(
            of_title.contains("<w:pBdr><w:bottom"),
            "{through}: {of_styles}"
        );
        let text = convert(&name, &between, "md").unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(
            text.contains("Jane Doe\"\n") || text.contains("# Jane Doe\n"),
            "{through}: {text}"
        );
        assert!(text.trim_end().ends_with("\n\ntext"), "{through}: {text}");
    }
}
