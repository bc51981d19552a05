//! Lists in written documents: their numbers, checkboxes and indents, as pandoc and our own readers find them.

use crate::{
    fidelity::pandoc,
    harness::{convert, directory, output_of},
    zips,
};
use std::fs;

#[test]
fn list_starts_and_checkboxes_are_visible_to_pandoc() {
    let Some(pandoc) = pandoc() else {
        return;
    };
    let at = directory("lists");
    let source = b"7. seven\n8. eight\n\ntext\n\n- [ ] open\n- [x] done\n\nend\n";
    for to in ["rtf", "odt", "docx"] {
        let file = at.join("written").with_extension(to);
        fs::write(&file, convert("a.md", source, to).unwrap()).unwrap();
        let path = file.display().to_string();
        let page = output_of(&pandoc, &["-t", "html5", "--wrap=none", &path]);
        assert!(page.contains("<ol start=\"7\""), "{to}: {page}");
        for text in ["/>open", "checked=\"\" />done"] {
            assert!(page.contains(text), "{to}: {text}: {page}");
        }
        if to == "rtf" {
            let lists = page.matches("<ul").count();
            assert_eq!(lists, 1, "all boxes stand in one list: {page}");
        }
    }
    let _ = fs::remove_dir_all(at);
}

#[test]
fn further_blocks_of_an_item_stay_in_it() {
    let source = b"- a\n\n  more\n\n  ```\n  code\n  ```\n\n- b\n";
    for through in ["docx", "odt", "rtf"] {
        let between = convert("a.md", source, through).unwrap();
        let back = convert(&format!("a.{through}"), &between, "md").unwrap();
        assert_eq!(
            String::from_utf8_lossy(&back),
            String::from_utf8_lossy(source),
            "{through}"
        );
    }
    let Some(pandoc) = pandoc() else {
        return;
    };
    let at = directory("items");
    let file = at.join("written.docx");
    fs::write(&file, convert("a.md", source, "docx").unwrap()).unwrap();
    let page = output_of(&pandoc, &["-t", "html5", &file.display().to_string()]);
    let items: Vec<&str> = page.split("<li>").collect();
    assert_eq!(items.len(), 3, "{page}");
    assert!(items[1].contains("<code>code</code>"), "{page}");
    let _ = fs::remove_dir_all(at);
}

#[test]
fn rtf_items_have_fallback_labels() {
    let source = b"3. a\n   1. b\n   2. c\n4. d\n\n- e\n";
    let text = String::from_utf8(convert("a.md", source, "rtf").unwrap()).unwrap();
    let labels: Vec<&str> = text
        .split("{\\listtext\\pard\\plain ")
        .skip(1)
        .filter_map(|rest| rest.split("\\tab}").next())
        .collect();
    assert_eq!(labels, ["3.", "1.", "2.", "4.", "\\u8226 ?"]);
}

/// A list with dashes and a nested list, with smaller indents than the default.
const PLACED: &str = "{\\rtf1\\ansi{\\*\\listtable{\\list{\\listlevel\\levelnfc23{\\leveltext\\'01\\u8211 ?;}\\fi-300\\li500}\
    {\\listlevel\\levelnfc0{\\leveltext\\'02\\'01);}{\\levelnumbers\\'01;}\\fi-400\\li1100}\\listid7}}\
    {\\*\\listoverridetable{\\listoverride\\listid7\\ls1}}\
    \\ls1\\ilvl0\\fi-300\\li500 one\\par\\pard\\li500 more\\par\\pard\\ls1\\ilvl1\\fi-400\\li1100 two\\par\\pard end\\par}";

#[test]
fn list_indents_survive_round_trips() {
    for through in ["docx", "odt", "rtf"] {
        let name = format!("a.{through}");
        let between = convert("a.rtf", PLACED.as_bytes(), through).unwrap();
        let back = convert(&name, &between, "rtf").unwrap();
        let back = String::from_utf8(back).unwrap();
        let outer = "{\\leveltext\\'01\\u8211 ?;}{\\levelnumbers;}\\fi-300\\li500}";
        let inner = "{\\leveltext\\'02\\'01);}{\\levelnumbers\\'01;}\\fi-400\\li1100}";
        for level in [outer, inner] {
            assert!(back.contains(level), "{through}: {level}: {back}");
        }
        // The continuation of an item is below its text.
        let more = back.lines().find(|line| line.ends_with(" more\\par"));
        assert!(
            more.is_some_and(|line| line.contains("\\li500")),
            "{through}: {more:?}"
        );
    }
}

#[test]
fn legal_numbering_keeps_leading_zeros() {
    let levels = "<w:lvl w:ilvl=\"0\"><w:start w:val=\"1\"/><w:numFmt w:val=\"upperRoman\"/><w:lvlText w:val=\"Article %1.\"/></w:lvl>\
                  <w:lvl w:ilvl=\"1\"><w:start w:val=\"1\"/><w:numFmt w:val=\"decimalZero\"/><w:isLgl/><w:lvlText w:val=\"Section %1.%2\"/></w:lvl>";
    let lists = format!(
        "<w:abstractNum w:abstractNumId=\"0\">{levels}</w:abstractNum><w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num>"
    );
    let item = |level: u8, text: &str| {
        format!(
            "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"1\"/></w:numPr><w:outlineLvl w:val=\"{level}\"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
        )
    };
    let body = format!("<w:body>{}{}</w:body>", item(0, "one"), item(1, "two"));
    let file = zips::word()
        .packed(
            "word/document.xml",
            zips::word_xml("document", &body).as_bytes(),
        )
        .packed(
            "word/_rels/document.xml.rels",
            zips::relations(&[("r", "numbering", "numbering.xml", false)]).as_bytes(),
        )
        .packed(
            "word/numbering.xml",
            zips::word_xml("numbering", &lists).as_bytes(),
        )
        .finish();
    let text = String::from_utf8(convert("a.docx", &file, "txt").unwrap()).unwrap();
    assert!(text.contains("Article I. one"), "{text}");
    assert!(text.contains("Section 1.01 two"), "{text}");
}
