//! Office documents in a single XML file: they have the same content as the package.

use crate::harness::convert;

/// A picture of one pixel in Base64 with line breaks, as Word writes it.
const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwAB\nAQEAsTjkMgAAAABJRU5ErkJggg==";

/// A Word 2003 document with this body.
fn word_2003(body: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?><?mso-application progid=\"Word.Document\"?>\
         <w:wordDocument xmlns:w=\"http://schemas.microsoft.com/office/word/2003/wordml\" \
         xmlns:v=\"urn:schemas-microsoft-com:vml\" xmlns:wx=\"http://schemas.microsoft.com/office/word/2003/auxHint\" \
         xmlns:o=\"urn:schemas-microsoft-com:office:office\" xmlns:aml=\"http://schemas.microsoft.com/aml/2001/core\" \
         xmlns:st1=\"urn:schemas-microsoft-com:office:smarttags\" xml:space=\"preserve\">\
         <o:DocumentProperties><o:Title>Minutes</o:Title><o:Author>Ada</o:Author></o:DocumentProperties>\
         <w:fonts><w:defaultFonts w:ascii=\"Arial\" w:h-ansi=\"Arial\"/></w:fonts>\
         <w:lists><w:listDef w:listDefId=\"0\"><w:lvl w:ilvl=\"0\"><w:start w:val=\"3\"/><w:nfc w:val=\"0\"/>\
         <w:lvlText w:val=\"%1.\"/></w:lvl></w:listDef><w:list w:ilfo=\"1\"><w:ilst w:val=\"0\"/></w:list></w:lists>\
         <w:styles><w:style w:type=\"paragraph\" w:styleId=\"H1\"><w:name w:val=\"heading 1\"/></w:style></w:styles>\
         <w:body><wx:sect>{body}<w:sectPr><w:hdr w:type=\"odd\"><w:p><w:r><w:t>In the header</w:t></w:r></w:p></w:hdr>\
         </w:sectPr></wx:sect></w:body></w:wordDocument>"
    )
}

#[track_caller]
fn check(name: &str, file: &str, to: &str, expected: &str) {
    let result = convert(name, file.as_bytes(), to).unwrap();
    let result = String::from_utf8(result).unwrap();
    assert!(result.contains(expected), "{expected} in {result}");
}

#[test]
fn word_2003_xml_is_read_like_docx() {
    let file = word_2003(&format!(
        "<wx:sub-section><w:p><w:pPr><w:pStyle w:val=\"H1\"/></w:pPr><w:r><w:t>First</w:t></w:r></w:p>\
         <w:p><w:pPr><w:listPr><w:ilvl w:val=\"0\"/><w:ilfo w:val=\"1\"/><wx:t wx:val=\"3.\"/></w:listPr></w:pPr>\
         <w:r><w:t>an item</w:t></w:r></w:p></wx:sub-section>\
         <w:p><w:hlink w:dest=\"http://example.org/\"><w:r><w:t>a link</w:t></w:r></w:hlink>\
         <w:r><w:t> of </w:t></w:r><st1:place><w:r><w:rPr><w:b/></w:rPr><w:t>Paris</w:t></w:r></st1:place>\
         <aml:annotation aml:id=\"0\" w:type=\"Word.Deletion\"><aml:content><w:r><w:delText>gone</w:delText></w:r>\
         </aml:content></aml:annotation>\
         <aml:annotation aml:id=\"1\" w:type=\"Word.Insertion\"><aml:content><w:r><w:t> new</w:t></w:r>\
         </aml:content></aml:annotation>\
         <w:r><w:footnote><w:p><w:r><w:t>at the foot</w:t></w:r></w:p></w:footnote></w:r></w:p>\
         <w:tbl><w:tr><w:tc><w:tcPr><w:vmerge w:val=\"restart\"/></w:tcPr><w:p><w:r><w:t>one</w:t></w:r></w:p></w:tc>\
         <w:tc><w:p><w:r><w:t>two</w:t></w:r></w:p></w:tc></w:tr>\
         <w:tr><w:tc><w:tcPr><w:vmerge/></w:tcPr><w:p/></w:tc><w:tc><w:p><w:r><w:t>three</w:t></w:r></w:p></w:tc></w:tr>\
         </w:tbl>\
         <w:p><w:r><w:pict><w:binData w:name=\"wordml://1.png\">{PIXEL}</w:binData>\
         <v:shape style=\"width:30pt;height:20pt\" alt=\"a dot\"><v:imagedata src=\"wordml://1.png\"/></v:shape></w:pict>\
         </w:r></w:p>"
    ));
    for expected in [
        "<h1 id=\"first\">First</h1>",
        "<ol start=\"3\">",
        "<a href=\"http://example.org/\">a link</a> of <strong>Paris</strong> new",
        "at the foot",
        "<td rowspan=\"2\">",
        "<img src=\"data:image/png;base64,iVBORw0KGgo",
        "alt=\"a dot\" width=\"40\"",
        "<title>Minutes</title>",
        "content=\"Ada\"",
    ] {
        check("minutes.xml", &file, "html", expected);
    }
    let gone = convert("minutes.doc", file.as_bytes(), "md").unwrap();
    assert!(!String::from_utf8(gone).unwrap().contains("gone"));
    let rtf = convert("minutes.xml", file.as_bytes(), "rtf").unwrap();
    assert!(String::from_utf8(rtf).unwrap().contains("In the header"));
}

/// A package in an XML file, whose document has this body. The prefix `w` is declared around it.
fn flat(body: &str) -> String {
    let relationships = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let part = |name: &str, xml: &str| {
        format!(
            "<pkg:part pkg:name=\"{name}\" pkg:contentType=\"application/xml\"><pkg:xmlData>{xml}</pkg:xmlData></pkg:part>"
        )
    };
    let list = |one: &str| {
        format!(
            "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">{one}</Relationships>"
        )
    };
    let main = list(&format!(
        "<Relationship Id=\"r1\" Type=\"{relationships}/officeDocument\" Target=\"word/document.xml\"/>"
    ));
    let own = list(&format!(
        "<Relationship Id=\"r1\" Type=\"{relationships}/image\" Target=\"media/1.png\"/>"
    ));
    format!(
        "<?xml version=\"1.0\"?>\n<pkg:package xmlns:pkg=\"http://schemas.microsoft.com/office/2006/xmlPackage\" \
         xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\">{}{}{}\
         <pkg:part pkg:name=\"/word/media/1.png\" pkg:compression=\"store\"><pkg:binaryData>{PIXEL}</pkg:binaryData></pkg:part>\
         </pkg:package>",
        part("/_rels/.rels", &main),
        part("/word/_rels/document.xml.rels", &own),
        part(
            "/word/document.xml",
            &format!("<!-- <a --><w:document><w:body>{body}</w:body></w:document>")
        ),
    )
}

#[test]
fn flat_opc_is_read_as_a_package() {
    let file = flat(
        "<w:p><w:r><w:t>a &lt;text&gt;</w:t></w:r><w:r><w:pict xmlns:v=\"urn:schemas-microsoft-com:vml\" \
         xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><v:shape alt=\"dot\">\
         <v:imagedata r:id=\"r1\"/></v:shape></w:pict></w:r></w:p>",
    );
    check(
        "text.xml",
        &file,
        "html",
        "a &lt;text&gt;<img src=\"data:image/png;",
    );
    check("text.xml", &file, "txt", "a <text>");
}

#[test]
fn invalid_documents_are_refused_with_a_reason() {
    #[track_caller]
    fn refused(file: &str, reason: &str) {
        let err = convert("a.xml", file.as_bytes(), "pdf")
            .unwrap_err()
            .to_string();
        assert!(err.contains(reason), "{err}");
    }
    let whole = flat("<w:p><w:r><w:t>text</w:t></w:r></w:p>");
    refused(&whole[..whole.len() / 2], "XML is damaged");
    let whole = word_2003("<w:p><w:r><w:t>text</w:t></w:r></w:p>");
    refused(&whole[..whole.len() - 40], "XML is damaged");
    let deep = word_2003(&"<w:smartTag>".repeat(600));
    refused(&deep, "nested");
    let parts = "<pkg:part pkg:name=\"/word/a\"><pkg:xmlData/></pkg:part>".repeat(50_001);
    let many = format!(
        "<pkg:package xmlns:pkg=\"http://schemas.microsoft.com/office/2006/xmlPackage\">{parts}</pkg:package>"
    );
    refused(&many, "more than 50000 parts");
}
