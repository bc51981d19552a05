//! Hangul documents: the parts are written here, as Hangul writes them. `tests/corpora/hwpx.py` compares the words of
//! real documents.

use crate::{
    hangul::{self, HEAD, PLACE, paragraph, section, table, text},
    harness::{convert, convert_with, data},
    zips::{Zip, entries},
};

/// A document with these paragraphs.
fn document(paragraphs: &str) -> Vec<u8> {
    archive(&section(paragraphs)).finish()
}

fn archive(section: &str) -> Zip {
    hangul::archive(section, &data("picture.png"))
}

/// Checks that the result of converting the paragraphs contains these parts in this order.
#[track_caller]
fn check(paragraphs: &str, to: &str, parts: &[&str]) {
    let result = convert("a.hwpx", &document(paragraphs), to);
    let result = result.unwrap_or_else(|err| panic!("{}", err.message()));
    let result = String::from_utf8_lossy(&result).into_owned();
    let mut rest = &*result;
    for part in parts {
        let Some(at) = rest.find(part) else {
            panic!("{part:?} is not there, or not in its order: {result}");
        };
        rest = &rest[at + part.len()..];
    }
}

#[test]
fn character_and_paragraph_properties_are_read() {
    let red = r#"<hp:p paraPrIDRef="5" styleIDRef="0"><hp:run charPrIDRef="1"><hp:t>굵게</hp:t></hp:run><hp:run charPrIDRef="2"><hp:t>2</hp:t></hp:run><hp:run charPrIDRef="0"><hp:t>one<hp:lineBreak/>two<hp:tab width="100"/>three</hp:t></hp:run></hp:p>"#;
    check(
        red,
        "md",
        &[
            "Begin",
            "<strong><u>굵게</u></strong>",
            "<em><sup>2</sup></em>",
        ],
    );
    let page = convert("a.hwpx", &document(red), "html").unwrap();
    let page = String::from_utf8(page).unwrap();
    for part in [
        "text-align: end",
        "color: #ff0000",
        "font-size: 16pt",
        "<title>Title of it</title>",
        "lang=\"ko\"",
    ] {
        let plain = page.replace(": ", ":");
        assert!(plain.contains(&part.replace(": ", ":")), "{part}: {page}");
    }
    // Hangul writes a strikeout with the shape `3D` for text without a strikeout.
    assert!(!page.contains("<s>") && !page.contains("<del>"), "{page}");
}

#[test]
fn outline_levels_are_headings_and_lists_are_numbered() {
    let list = [
        paragraph(1, &text("Heading")),
        paragraph(2, &text("first")),
        paragraph(3, &text("inner")),
        paragraph(2, &text("second")),
        paragraph(0, &text("between")),
        paragraph(4, &text("point")),
    ];
    let list = list.concat();
    check(
        &list,
        "md",
        &[
            "# Heading",
            "1. first",
            "inner",
            "2. second",
            "between",
            "- point",
        ],
    );
    check(&list, "txt", &["1. first", "가) inner", "2. second"]);
}

#[test]
fn tables_are_read_in_place() {
    let inline = format!(
        "<hp:t>before</hp:t>{}<hp:t>behind</hp:t>",
        table(r#"treatAsChar="1""#)
    );
    check(
        &paragraph(0, &inline),
        "html",
        &[
            "before",
            "<caption>",
            "Caption of it",
            "colspan=\"2\"",
            "rowspan=\"2\"",
            "high",
            "behind",
        ],
    );
    // A table is kept in a paragraph without text, too.
    check(&paragraph(0, &table("")), "md", &["Begin", "wide", "high"]);
    check(&paragraph(0, &table("")), "html", &["#ffff00"]);
}

#[test]
fn objects_are_read() {
    let picture = |clip: &str| {
        format!(
            r#"<hp:pic textWrap="SQUARE" href="http\://example.org/;1;0;0;"><hp:orgSz width="5000" height="3000"/><hp:imgClip {clip}/><hp:imgDim dimwidth="1000" dimheight="1000"/><hc:img binaryItemIDRef="image1"/><hp:shapeComment>Words for it</hp:shapeComment>{PLACE}</hp:pic>"#
        )
    };
    let whole = picture(r#"left="0" right="1000" top="0" bottom="1000""#);
    check(
        &paragraph(0, &whole),
        "html",
        &["http://example.org/", "data:image/png", "Words for it"],
    );
    let cut = picture(r#"left="250" right="1000" top="0" bottom="1000""#);
    check(
        &paragraph(0, &cut),
        "html",
        &["<svg role=\"img\"", "<image x=\"-16.667\""],
    );
    // The comment that Hangul itself adds is not used as a text alternative.
    let comment = "그림입니다.\n원본 그림의 이름: a.jpg\n프로그램 이름 : Editor";
    let plain = whole.replace("Words for it", comment);
    let page = convert("a.hwpx", &document(&paragraph(0, &plain)), "html").unwrap();
    let page = String::from_utf8(page).unwrap();
    assert!(!page.contains("그림") && !page.contains("Editor"), "{page}");
    let missing = whole.replace("image1", "image7");
    let (_, notes) = convert_with(
        "a.hwpx",
        &document(&paragraph(0, &missing)),
        "md",
        "medium",
        &[],
    )
    .unwrap();
    assert!(
        notes.0.iter().any(|note| note.contains("not in the file")),
        "{notes:?}"
    );
    let shape = format!(
        r##"<hp:rect textWrap="SQUARE"><hp:orgSz width="5000" height="3000"/><hp:lineShape color="#0000ff" width="33" style="SOLID"/><hp:drawText><hp:subList vertAlign="CENTER">{}</hp:subList></hp:drawText>{PLACE}</hp:rect>"##,
        paragraph(0, &text("in the box"))
    );
    check(
        &paragraph(0, &(shape + "<hp:t>beside</hp:t>")),
        "txt",
        &["beside", "in the box"],
    );
    let formula = "<hp:equation><hp:script>{a} over {b}</hp:script></hp:equation>";
    check(&paragraph(0, formula), "md", &["\\frac{a}{b}"]);
}

#[test]
fn notes_links_and_changes_are_read() {
    let note = format!(
        r#"<hp:t>word</hp:t><hp:ctrl><hp:footNote number="1"><hp:subList>{}</hp:subList></hp:footNote></hp:ctrl>"#,
        paragraph(
            0,
            &(r#"<hp:ctrl><hp:autoNum num="1" numType="FOOTNOTE"/></hp:ctrl>"#.to_owned()
                + &text(" about it"))
        )
    );
    check(&paragraph(0, &note), "md", &["word[^1]", "[^1]: about it"]);
    let link = r#"<hp:ctrl><hp:fieldBegin id="7" type="HYPERLINK"><hp:parameters><hp:stringParam name="Command">http\://example.org/?a\;b;1;0;0;</hp:stringParam></hp:parameters></hp:fieldBegin></hp:ctrl><hp:t>there</hp:t><hp:ctrl><hp:fieldEnd beginIDRef="7"/></hp:ctrl><hp:t> and on</hp:t>"#;
    check(
        &paragraph(0, link),
        "md",
        &["[there](http://example.org/?a;b) and on"],
    );
    let changed =
        r#"<hp:t>a<hp:deleteBegin/>gone<hp:deleteEnd/>b<hp:insertBegin/>c<hp:insertEnd/></hp:t>"#;
    check(&paragraph(0, changed), "md", &["abc"]);
    let ruby =
        "<hp:dutmal><hp:mainText>漢字</hp:mainText><hp:subText>한자</hp:subText></hp:dutmal>";
    check(&paragraph(0, ruby), "txt", &["漢字(한자)"]);
    let deleted = format!("<hp:t>a<hp:deleteBegin/></hp:t>{ruby}<hp:t><hp:deleteEnd/>b</hp:t>");
    check(&paragraph(0, &deleted), "txt", &["ab"]);
}

#[test]
fn page_setup_is_read() {
    let page = convert("a.hwpx", &document(""), "docx").unwrap();
    let parts = entries(&page);
    let part = parts.iter().find(|(name, _)| name == "word/document.xml");
    let part = String::from_utf8_lossy(&part.unwrap().1);
    for expected in [
        "w:w=\"8391\"",
        "w:h=\"11906\"",
        "w:top=\"600\"",
        "w:header=\"400\"",
        "w:left=\"800\"",
    ] {
        assert!(part.contains(expected), "{expected}: {part}");
    }
    let pdf = convert("a.hwpx", &document(""), "pdf").unwrap();
    let words = String::from_utf8(convert("a.pdf", &pdf, "txt").unwrap()).unwrap();
    assert!(words.contains("Begin"), "{words}");
}

#[test]
fn encrypted_damaged_and_huge_files_are_refused_or_cut() {
    #[track_caller]
    fn refused(file: &[u8], words: &str) {
        let err = convert("a.hwpx", file, "md").unwrap_err();
        assert!(err.message().contains(words), "{}", err.message());
    }
    let locked = archive(&section("")).packed(
        "META-INF/manifest.xml",
        b"<odf:manifest xmlns:odf='urn:x'><odf:file-entry><odf:encryption-data/></odf:file-entry></odf:manifest>",
    );
    refused(&locked.finish(), "encrypted");
    let file = document("");
    refused(&file[..file.len() / 2], "cut off");
    refused(&archive("<hs:sec><hp:p>").finish(), "damaged");
    let empty = Zip::default()
        .stored("mimetype", b"application/hwp+zip")
        .packed("Contents/header.xml", HEAD.as_bytes());
    refused(&empty.finish(), "no text");
    let mut deep = text("innermost");
    for _ in 0..100 {
        deep = format!(
            r#"<hp:tbl><hp:tr><hp:tc><hp:subList>{}</hp:subList></hp:tc></hp:tr></hp:tbl>"#,
            paragraph(0, &deep)
        );
    }
    // Elements nest more than 512 deep.
    refused(&document(&paragraph(0, &deep)), "nested");
    let long = r#"<hp:tbl><hp:sz width="4294967295"/><hp:tr><hp:tc><hp:cellAddr colAddr="99999999"/><hp:cellSpan colSpan="4294967295" rowSpan="99999"/></hp:tc></hp:tr></hp:tbl>"#;
    convert("a.hwpx", &document(&paragraph(0, long)), "html").unwrap();
}

#[test]
fn notes_are_numbered_by_section() {
    let note = format!(
        "<hp:t>word</hp:t><hp:ctrl><hp:footNote number=\"3\"><hp:subList>{}</hp:subList></hp:footNote></hp:ctrl>",
        paragraph(0, &text("about it"))
    );
    let numbering = "</hp:pagePr><hp:footNotePr><hp:autoNumFormat type=\"LATIN_SMALL\" suffixChar=\")\"/><hp:numbering type=\"CONTINUOUS\" newNum=\"3\"/><hp:placement place=\"EACH_COLUMN\" beneathText=\"0\"/></hp:footNotePr></hp:secPr>";
    let section = section(&paragraph(0, &note)).replace("</hp:pagePr></hp:secPr>", numbering);
    let made = convert("a.hwpx", &archive(&section).finish(), "txt").unwrap();
    let made = String::from_utf8(made).unwrap();
    assert!(
        made.contains("word[c]") && made.contains("[c] about it"),
        "{made}"
    );
}
