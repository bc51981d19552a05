//! Marks of notes: their formats, their first numbers, restarts on pages and in sections, and marks instead of numbers.

use crate::{
    harness::{convert, directory, has, output_of},
    zips,
};
use std::fs;

/// A Word document with footnotes 1 to 5: three on the first page, the second of them with the mark `*`; one on the
/// second page; and one in a second section. Endnote 1 is at the end.
fn document(settings: &str, second: &str) -> Vec<u8> {
    let reference = |id: u8| {
        let mark = match id {
            2 => " w:customMarkFollows=\"1\" w:id=\"2\"/><w:t>*</w:t>".to_owned(),
            // The mark is missing, so the note has a number, and the runs after it are text.
            5 => " w:customMarkFollows=\"1\" w:id=\"5\"/>".to_owned(),
            _ => format!(" w:id=\"{id}\"/>"),
        };
        format!(
            "<w:r><w:t>word{id}</w:t></w:r><w:r><w:rPr><w:vertAlign w:val=\"superscript\"/></w:rPr><w:footnoteReference{mark}</w:r>"
        )
    };
    let paragraph = |content: &str| format!("<w:p>{content}</w:p>");
    let body = [
        paragraph(&(reference(1) + &reference(2) + &reference(3))),
        paragraph(&format!(
            "<w:r><w:br w:type=\"page\"/></w:r>{}",
            reference(4)
        )),
        "<w:p><w:pPr><w:sectPr/></w:pPr></w:p>".to_owned(),
        paragraph(
            &(reference(5)
                + "<w:r><w:t>end</w:t></w:r><w:r><w:endnoteReference w:id=\"1\"/></w:r>"),
        ),
        format!("<w:sectPr>{second}</w:sectPr>"),
    ];
    let notes = (1..6).map(|id| {
        let mark = match id {
            2 => "<w:r><w:t xml:space=\"preserve\">* </w:t></w:r>",
            _ => "<w:r><w:footnoteRef/></w:r>",
        };
        format!(
            "<w:footnote w:id=\"{id}\"><w:p>{mark}<w:r><w:t>text{id}</w:t></w:r></w:p></w:footnote>"
        )
    });
    let endnote = "<w:endnote w:id=\"1\"><w:p><w:r><w:endnoteRef/></w:r><w:r><w:t>last</w:t></w:r></w:p></w:endnote>";
    let relations = zips::relations(&[
        ("a", "footnotes", "footnotes.xml", false),
        ("b", "endnotes", "endnotes.xml", false),
        ("c", "settings", "settings.xml", false),
    ]);
    let mut archive = zips::word().packed("word/_rels/document.xml.rels", relations.as_bytes());
    for (name, root, content) in [
        (
            "document",
            "document",
            format!("<w:body>{}</w:body>", body.concat()),
        ),
        ("footnotes", "footnotes", notes.collect()),
        ("endnotes", "endnotes", endnote.to_owned()),
        ("settings", "settings", settings.to_owned()),
    ] {
        let xml = zips::word_xml(root, &content);
        archive = archive.packed(&format!("word/{name}.xml"), xml.as_bytes());
    }
    archive.finish()
}

/// Letters from `c` on, again on each page; the second section counts in Roman numerals.
const SETTINGS: &str = "<w:footnotePr><w:numFmt w:val=\"lowerLetter\"/><w:numStart w:val=\"3\"/><w:numRestart w:val=\"eachPage\"/></w:footnotePr>\
    <w:endnotePr><w:numFmt w:val=\"upperLetter\"/></w:endnotePr>";
const SECOND: &str = "<w:footnotePr><w:numFmt w:val=\"upperRoman\"/><w:numStart w:val=\"1\"/><w:numRestart w:val=\"eachSect\"/></w:footnotePr>";

/// The words of a PDF, in the order of its pages.
fn words(file: &[u8], name: &str) -> String {
    let at = directory(name);
    let path = at.join("a.pdf");
    fs::write(&path, file).unwrap();
    let text = output_of("pdftotext", &["-layout", &path.display().to_string(), "-"]);
    let _ = fs::remove_dir_all(at);
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

#[test]
fn note_marks_follow_the_document() {
    let file = document(SETTINGS, SECOND);
    let text = String::from_utf8(convert("a.docx", &file, "txt").unwrap()).unwrap();
    // Text has no pages, so the count of the first section goes on.
    for part in [
        "word1[c]word2[*]word3[d]",
        "word4[e]",
        "word5[I]end[A]",
        "[*] text2",
        "[e] text4",
        "[I] text5",
        "[A] last",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let page = String::from_utf8(convert("a.docx", &file, "html").unwrap()).unwrap();
    for part in ["<sup>*</sup>", "<sup>I</sup>", "list-style-type: '* '"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let md = String::from_utf8(convert("a.docx", &document("", ""), "md").unwrap()).unwrap();
    assert!(md.contains("word3[^3]"), "a mark is no name: {md}");
}

#[test]
fn note_numbers_restart_on_each_page() {
    if !has("pdftotext") {
        return;
    }
    let file = document(SETTINGS, SECOND);
    let text = words(&convert("a.docx", &file, "pdf").unwrap(), "notes");
    for part in ["word1c", "word2*", "word3d", "word4c", "word5I", "endA"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.contains("* text2"), "{text}");
    assert!(!text.contains("* *"), "the mark is there once: {text}");
}

#[test]
fn note_marks_survive_docx_and_rtf() {
    let file = document(SETTINGS, SECOND);
    for through in ["docx", "rtf"] {
        let between = convert("a.docx", &file, through).unwrap();
        let text = convert(&format!("a.{through}"), &between, "txt").unwrap();
        let text = String::from_utf8(text).unwrap();
        for part in [
            "word1[c]word2[*]word3[d]",
            "word4[e]",
            "word5[I]end[A]",
            "[*] text2",
        ] {
            assert!(text.contains(part), "{through}: {part}: {text}");
        }
    }
    // OpenDocument has one numbering for all sections.
    let between = convert("a.docx", &file, "odt").unwrap();
    let text = String::from_utf8(convert("a.odt", &between, "txt").unwrap()).unwrap();
    for part in ["word1[c]word2[*]word3[d]", "word5[f]end[A]", "[*] text2"] {
        assert!(text.contains(part), "odt: {part}: {text}");
    }
    let styles = zips::entries(&between).into_iter();
    let mut styles = styles.filter(|(name, _)| name == "styles.xml");
    let styles = String::from_utf8(styles.next().unwrap().1).unwrap();
    assert!(
        styles.contains("text:start-numbering-at=\"page\""),
        "{styles}"
    );
    let (_, notes) = crate::harness::convert_with("a.docx", &file, "odt", "medium", &[]).unwrap();
    assert!(
        notes
            .0
            .iter()
            .any(|note| note.starts_with("The numbers of notes differ")),
        "{notes:?}"
    );
}

#[test]
fn note_marks_of_rtf_and_opendocument_are_read() {
    let rtf = br"{\rtf1\ansi\ftnnalc\ftnstart2\aftnnruc\sectd one{\super\chftn{\footnote \pard\plain{\super\chftn} first}} two{\super *{\footnote \pard\plain{\super *} second}} three{\super\chftn{\footnote\ftnalt {\super\chftn} third}}\par}";
    let text = String::from_utf8(convert("a.rtf", rtf, "txt").unwrap()).unwrap();
    for part in [
        "one[b] two[*] three[I]",
        "[b] first",
        "[*] second",
        "[I] third",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let odt = r#"<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" office:mimetype="application/vnd.oasis.opendocument.text"><office:styles><text:notes-configuration text:note-class="footnote" style:num-format="I" text:start-value="3" text:start-numbering-at="chapter"/></office:styles><office:body><office:text><text:p>one<text:note text:note-class="footnote"><text:note-citation>IV</text:note-citation><text:note-body><text:p>first</text:p></text:note-body></text:note> two<text:note text:note-class="footnote"><text:note-citation text:label="†">†</text:note-citation><text:note-body><text:p>second</text:p></text:note-body></text:note></text:p><text:h text:outline-level="1">Next</text:h><text:p>three<text:note text:note-class="footnote"><text:note-citation>IV</text:note-citation><text:note-body><text:p>third</text:p></text:note-body></text:note></text:p></office:text></office:body></office:document>"#;
    let text = String::from_utf8(convert("a.fodt", odt.as_bytes(), "txt").unwrap()).unwrap();
    for part in ["one[IV] two[†]", "three[IV]", "[†] second"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn marks_that_differ_only_in_case_are_no_names_in_markdown() {
    #[track_caller]
    fn check(marks: [&str; 2], expected: &str) {
        let notes = marks.map(|mark| format!("{mark}{{\\super {mark}{{\\footnote {mark} text}}}}"));
        let rtf = format!("{{\\rtf1 {}\\par}}", notes.concat());
        let md = String::from_utf8(convert("a.rtf", rtf.as_bytes(), "md").unwrap()).unwrap();
        assert!(md.contains(expected), "{expected}: {md}");
    }
    check(["A", "b"], "A[^A]b[^b]");
    check(["A", "a"], "A[^1]a[^2]");
}
