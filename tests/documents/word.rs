//! Pages of Word, OpenDocument and RTF files: labels of lists, directions, colours, tabs and fields, as poppler and our
//! own readers find them.

use crate::{
    harness::{convert, directory, drawn, has, output_of},
    layout::places,
    zips,
};
use std::fs;

/// A Word document with this body, and with another part of this kind.
fn with_part(body: &str, part: &str, name: &str, content: &[u8]) -> Vec<u8> {
    let body = format!("<w:body>{body}</w:body>");
    zips::word()
        .packed(
            "word/document.xml",
            zips::word_xml("document", &body).as_bytes(),
        )
        .packed(
            "word/_rels/document.xml.rels",
            zips::relations(&[("r", part, name, false)]).as_bytes(),
        )
        .packed(&format!("word/{name}"), content)
        .finish()
}

/// A Word document with a list. `levels` defines the labels; each item has the number of its level, and a text.
fn numbered(levels: &str, items: &[(u8, &str)]) -> Vec<u8> {
    let lists = format!(
        "<w:abstractNum w:abstractNumId=\"0\">{levels}</w:abstractNum><w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num>"
    );
    let body: String = items
        .iter()
        .map(|(level, text)| {
            format!(
                "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"1\"/></w:numPr></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
            )
        })
        .collect();
    let lists = zips::word_xml("numbering", &lists);
    with_part(&body, "numbering", "numbering.xml", lists.as_bytes())
}

fn level(number: u8, format: &str, text: &str, more: &str) -> String {
    format!(
        "<w:lvl w:ilvl=\"{number}\"><w:start w:val=\"1\"/><w:numFmt w:val=\"{format}\"/><w:lvlText w:val=\"{text}\"/>{more}</w:lvl>"
    )
}

/// The text of a PDF, with a line for each line of the page.
fn text_of(name: &str, pdf: &[u8]) -> String {
    let at = directory(name);
    let file = at.join("page.pdf");
    fs::write(&file, pdf).unwrap();
    let text = output_of("pdftotext", &["-layout", &file.display().to_string(), "-"]);
    let _ = fs::remove_dir_all(at);
    text
}

#[test]
fn labels_are_text_with_numbers_filled_in() {
    #[track_caller]
    fn check(name: &str, file: &[u8], expected: &[&str]) {
        let mut shown = Vec::new();
        for to in ["txt", "md", "html"] {
            let made = convert(name, file, to).unwrap();
            shown.push(String::from_utf8(made).unwrap().replace('\\', ""));
        }
        if has("pdftotext") {
            let pdf = convert(name, file, "pdf").unwrap();
            shown.push(text_of("labels", &pdf));
        }
        for text in shown {
            // Poppler marks the direction of Hebrew letters (U+202A to U+202E).
            let text = text.replace(|c: char| matches!(c, '\u{202a}'..='\u{202e}'), "");
            let words: Vec<&str> = text.split_whitespace().collect();
            let words = words.join(" ");
            for label in expected {
                assert!(words.contains(label), "{name}: {label}: {text}");
            }
        }
    }
    let indent = "<w:pPr><w:ind w:left=\"720\" w:hanging=\"360\"/></w:pPr>";
    let legal = level(0, "upperRoman", "Article %1.", indent)
        + &level(
            1,
            "decimal",
            "Section %1.%2",
            &format!("<w:isLgl/>{indent}"),
        );
    check(
        "a.docx",
        &numbered(
            &legal,
            &[(0, "Scope"), (1, "Terms"), (1, "More"), (0, "End")],
        ),
        &[
            "Article I. Scope",
            "Section 1.1 Terms",
            "Section 1.2 More",
            "Article II. End",
        ],
    );
    let suffix = "<w:suff w:val=\"space\"/><w:pPr><w:ind w:left=\"0\" w:firstLine=\"0\"/></w:pPr>";
    check(
        "a.docx",
        &numbered(
            &level(0, "decimal", "§ %1)", suffix),
            &[(0, "one"), (0, "two")],
        ),
        &["§ 1) one", "§ 2) two"],
    );
    for (format, label) in [
        ("decimalZero", "01. one"),
        ("ordinal", "1st. one"),
        ("cardinalText", "One. one"),
        ("ordinalText", "First. one"),
        ("hebrew1", "א. one"),
        ("russianUpper", "А. one"),
    ] {
        let levels = level(0, format, "%1.", indent);
        check("a.docx", &numbered(&levels, &[(0, "one")]), &[label]);
    }
    let custom = "<w:lvl w:ilvl=\"0\"><w:start w:val=\"7\"/><w:numFmt w:val=\"custom\" w:format=\"001, 002, 003, ...\"/><w:lvlText w:val=\"%1\"/></w:lvl>";
    check("a.docx", &numbered(custom, &[(0, "seven")]), &["007 seven"]);
    check(
        "a.docx",
        &numbered(&level(0, "none", "Note:", indent), &[(0, "words")]),
        &["Note: words"],
    );
    let rtf = |nfc: u8| {
        format!(
            "{{\\rtf1{{\\*\\listtable{{\\list{{\\listlevel\\levelnfc{nfc}\\levelfollow1\\levelstartat1{{\\leveltext\\'08Part \\'00: ;}}{{\\levelnumbers\\'06;}}}}\\listid7}}}}{{\\*\\listoverridetable{{\\listoverride\\listid7\\ls1}}}}\\pard\\ls1\\ilvl0 first\\par second\\par}}"
        )
    };
    check(
        "a.rtf",
        rtf(6).as_bytes(),
        &["Part One: first", "Part Two: second"],
    );
    let odt = |number: &str| {
        format!(
            "<office:document xmlns:office='urn:oasis:names:tc:opendocument:xmlns:office:1.0' xmlns:style='urn:oasis:names:tc:opendocument:xmlns:style:1.0' xmlns:text='urn:oasis:names:tc:opendocument:xmlns:text:1.0' office:version='1.3' office:mimetype='application/vnd.oasis.opendocument.text'><office:automatic-styles><text:list-style style:name='l'><text:list-level-style-number text:level='1' {number}/></text:list-style></office:automatic-styles><office:body><office:text><text:list text:style-name='l'><text:list-item><text:p>first</text:p></text:list-item><text:list-item><text:p>second</text:p></text:list-item></text:list></office:text></office:body></office:document>"
        )
        .replace('\'', "\"")
    };
    check(
        "a.fodt",
        odt("style:num-format='1' style:num-prefix='Step ' style:num-suffix=':'").as_bytes(),
        &["Step 1: first", "Step 2: second"],
    );
    check(
        "a.fodt",
        odt("style:num-format='01, 02, 03, ...' style:num-suffix='.'").as_bytes(),
        &["01. first", "02. second"],
    );
}

#[test]
fn labels_with_a_space_suffix_are_inline() {
    if !has("pdftotext") {
        return;
    }
    let suffix = "<w:suff w:val=\"space\"/><w:pPr><w:ind w:left=\"0\" w:firstLine=\"0\"/></w:pPr>";
    let long = "words ".repeat(40);
    let file = numbered(&level(0, "decimal", "Section %1.", suffix), &[(0, &long)]);
    let pdf = convert("a.docx", &file, "pdf").unwrap();
    let words = places("label-in-line", "xMin", &pdf);
    let label = words.iter().find(|(word, _)| word == "Section").unwrap().1;
    // The continuation lines begin where the label does.
    let least = words.iter().filter(|(word, _)| word == "words");
    let least = least.map(|(_, left)| *left).fold(f64::MAX, f64::min);
    assert!((least - label).abs() < 0.5, "{words:?}");
}

/// Left edges of words, by their text.
fn lefts(name: &str, file: &str, bytes: &[u8]) -> impl Fn(&str) -> f64 {
    let pdf = convert(file, bytes, "pdf").unwrap();
    let words = places(name, "xMin", &pdf);
    move |word: &str| {
        let found = words.iter().find(|(own, _)| own == word);
        found.unwrap_or_else(|| panic!("{word}: {words:?}")).1
    }
}

#[test]
fn right_to_left_tables_are_mirrored_in_every_format() {
    if !has("pdftotext") {
        return;
    }
    let cell = |text: &str| {
        format!(
            "<w:tc><w:tcPr><w:tcW w:w=\"2000\" w:type=\"dxa\"/></w:tcPr><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>"
        )
    };
    let table = format!(
        "<w:tbl><w:tblPr><w:tblW w:w=\"6000\" w:type=\"dxa\"/><w:bidiVisual/></w:tblPr><w:tblGrid><w:gridCol w:w=\"2000\"/><w:gridCol w:w=\"2000\"/><w:gridCol w:w=\"2000\"/></w:tblGrid><w:tr>{}{}{}</w:tr></w:tbl><w:p/>",
        cell("first"),
        cell("second"),
        cell("third")
    );
    let docx = zips::word_document(&table);
    let mut files = vec![("a.docx".to_owned(), docx.clone())];
    for to in ["odt", "rtf", "docx"] {
        files.push((format!("a.{to}"), convert("a.docx", &docx, to).unwrap()));
    }
    for (name, file) in files {
        let left = lefts("mirrored", &name, &file);
        assert!(
            left("first") > left("second") && left("second") > left("third"),
            "{name}"
        );
    }
    let html = convert("a.docx", &docx, "html").unwrap();
    assert!(
        String::from_utf8(html)
            .unwrap()
            .contains("<table dir=\"rtl\"")
    );
}

#[test]
fn labels_and_sides_follow_the_text_direction() {
    if !has("pdftotext") {
        return;
    }
    let lists = "<w:abstractNum w:abstractNumId=\"0\"><w:lvl w:ilvl=\"0\"><w:start w:val=\"1\"/><w:numFmt w:val=\"decimal\"/><w:lvlText w:val=\"%1.\"/><w:pPr><w:ind w:left=\"720\" w:hanging=\"360\"/></w:pPr></w:lvl></w:abstractNum><w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num>";
    let body = "<w:p><w:pPr><w:bidi/><w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr></w:pPr><w:r><w:rPr><w:rtl/></w:rPr><w:t>שלום</w:t></w:r></w:p>";
    let lists = zips::word_xml("numbering", lists);
    let file = with_part(body, "numbering", "numbering.xml", lists.as_bytes());
    let pdf = convert("a.docx", &file, "pdf").unwrap();
    let rights = places("rtl-label", "xMax", &pdf);
    let label = rights.iter().find(|(word, _)| word.contains('1')).unwrap();
    let word = rights.iter().find(|(word, _)| !word.contains('1')).unwrap();
    assert!(label.1 > word.1 + 5.0, "{rights:?}");
    // RTF states left and right, whatever the direction of the text; docx states start and end.
    for (name, file, at_right) in [
        (
            "a.rtf",
            "{\\rtf1\\pard\\rtlpar\\ql abc\\par}".as_bytes().to_vec(),
            false,
        ),
        (
            "a.rtf",
            "{\\rtf1\\pard\\rtlpar\\qr abc\\par}".as_bytes().to_vec(),
            true,
        ),
        (
            "a.docx",
            zips::word_document(
                "<w:p><w:pPr><w:bidi/><w:jc w:val=\"left\"/></w:pPr><w:r><w:t>abc</w:t></w:r></w:p>",
            ),
            true,
        ),
    ] {
        let left = lefts("rtl-sides", name, &file)("abc");
        assert_eq!(left > 300.0, at_right, "{name}: {left}");
    }
}

#[test]
fn automatic_text_is_white_on_a_dark_background() {
    if !has("pdftoppm") {
        return;
    }
    /// Checks whether the dark part of a page contains white letters.
    #[track_caller]
    fn check(body: &str, expected: bool) {
        let path = directory("automatic").join("a.pdf");
        let file = zips::word_document(body);
        fs::write(&path, convert("a.docx", &file, "pdf").unwrap()).unwrap();
        let page = drawn(&path, "100");
        // Within a background, letters are the only other colour.
        let rows = (0..page.height()).filter(|y| {
            let mut dots = (0..page.width()).map(|x| page.get_pixel(x, *y).0);
            dots.any(|dot| dot == [0x1f, 0x38, 0x64])
        });
        let rows: Vec<u32> = rows.collect();
        let seen = rows.iter().any(|y| {
            let line: Vec<[u8; 3]> = (0..page.width()).map(|x| page.get_pixel(x, *y).0).collect();
            let is_ground = |dot: &[u8; 3]| *dot == [0x1f, 0x38, 0x64];
            let first = line.iter().position(is_ground).unwrap();
            let last = line.iter().rposition(is_ground).unwrap();
            line[first..last]
                .iter()
                .any(|dot| dot.iter().all(|part| *part > 0xf0))
        });
        assert_eq!(seen, expected, "{body}");
    }
    let shade = "<w:shd w:val=\"clear\" w:color=\"auto\" w:fill=\"1F3864\"/>";
    let run = |more: &str| format!("<w:r><w:rPr>{more}</w:rPr><w:t>MMMMMM</w:t></w:r>");
    check(&format!("<w:p>{}</w:p>", run(shade)), true);
    check(
        &format!("<w:p><w:pPr>{shade}</w:pPr>{}</w:p>", run("")),
        true,
    );
    let cell = format!(
        "<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w=\"3000\"/></w:tblGrid><w:tr><w:tc><w:tcPr><w:tcW w:w=\"3000\" w:type=\"dxa\"/>{shade}</w:tcPr><w:p>{}</w:p></w:tc></w:tr></w:tbl><w:p/>",
        run("<w:color w:val=\"auto\"/>")
    );
    check(&cell, true);
    // An explicit black stays black.
    let black = run(&format!("<w:color w:val=\"000000\"/>{shade}"));
    check(&format!("<w:p>{black}</w:p>"), false);
}

#[test]
fn margin_relative_tabs_reach_the_margins() {
    if !has("pdftotext") {
        return;
    }
    let tab = |side: &str| {
        format!(
            "<w:r><w:ptab w:relativeTo=\"margin\" w:alignment=\"{side}\" w:leader=\"none\"/></w:r>"
        )
    };
    let text = |text: &str| format!("<w:r><w:t>{text}</w:t></w:r>");
    let body = format!(
        "<w:p>{}{}{}{}{}</w:p><w:sectPr><w:pgSz w:w=\"12240\" w:h=\"15840\"/><w:pgMar w:top=\"1440\" w:right=\"1440\" w:bottom=\"1440\" w:left=\"1440\" w:header=\"708\" w:footer=\"708\" w:gutter=\"0\"/></w:sectPr>",
        text("begin"),
        tab("center"),
        text("middle"),
        tab("right"),
        text("end")
    );
    let pdf = convert("a.docx", &zips::word_document(&body), "pdf").unwrap();
    let (left, right) = (places("ptab", "xMin", &pdf), places("ptab", "xMax", &pdf));
    let of = |all: &[(String, f64)], word: &str| all.iter().find(|(own, _)| own == word).unwrap().1;
    let middle = (of(&left, "middle") + of(&right, "middle")) / 2.0;
    assert!((middle - 306.0).abs() < 1.0, "{middle}");
    assert!((of(&right, "end") - 540.0).abs() < 1.0, "{right:?}");
}

#[test]
fn text_runs_beyond_the_margin_to_a_tab_stop_there() {
    if !has("pdftotext") {
        return;
    }
    let check = |side: &str, at: u32, expected: f64| {
        let body = format!(
            "<w:p><w:pPr><w:tabs><w:tab w:val=\"{side}\" w:pos=\"{at}\"/></w:tabs></w:pPr><w:r><w:t>begin</w:t><w:tab/><w:t>2019 to 2025</w:t></w:r></w:p><w:sectPr><w:pgSz w:w=\"12240\" w:h=\"15840\"/><w:pgMar w:top=\"1440\" w:right=\"1440\" w:bottom=\"1440\" w:left=\"1440\" w:header=\"708\" w:footer=\"708\" w:gutter=\"0\"/></w:sectPr>"
        );
        let pdf = convert("a.docx", &zips::word_document(&body), "pdf").unwrap();
        let (right, top) = (
            places("beyond", "xMax", &pdf),
            places("beyond", "yMin", &pdf),
        );
        assert_eq!(top[0].1, top[3].1, "one line: {top:?}");
        assert!(
            (right[3].1 - expected).abs() < 1.0,
            "{side} {at}: {right:?}"
        );
    };
    // The width between the margins is 9360.
    check("right", 9360, 540.0);
    check("right", 9600, 552.0);
}

#[test]
fn a_break_at_the_end_of_a_paragraph_makes_an_empty_line() {
    if !has("pdftotext") {
        return;
    }
    let paragraph =
        |text: &str, more: &str| format!("<w:p><w:r><w:t>{text}</w:t>{more}</w:r></w:p>");
    let distance = |more: &str| {
        let body = paragraph("one", more) + &paragraph("two", "");
        let pdf = convert("a.docx", &zips::word_document(&body), "pdf").unwrap();
        let tops = places("break-at-end", "yMin", &pdf);
        tops[1].1 - tops[0].1
    };
    let (plain, broken) = (distance(""), distance("<w:br/>"));
    assert!((broken - 2.0 * plain).abs() < 0.5, "{plain} {broken}");
}

#[test]
fn pages_have_no_added_headers_or_footers() {
    if !has("pdftotext") {
        return;
    }
    let text =
        |name: &str, file: &[u8]| text_of("no-numbers", &convert(name, file, "pdf").unwrap());
    let docx = zips::word_document("<w:p><w:r><w:t>alone</w:t></w:r></w:p>");
    assert_eq!(text("a.docx", &docx).trim(), "alone");
    assert_eq!(text("a.rtf", b"{\\rtf1 alone\\par}").trim(), "alone");
    // A blank page has no footer, and does not count as a page of its section.
    let section = |kind: &str| {
        format!(
            "<w:sectPr><w:footerReference w:type=\"default\" r:id=\"r\"/><w:type w:val=\"{kind}\"/><w:pgSz w:w=\"12240\" w:h=\"15840\"/><w:pgMar w:top=\"1440\" w:right=\"1440\" w:bottom=\"1440\" w:left=\"1440\" w:header=\"708\" w:footer=\"708\" w:gutter=\"0\"/></w:sectPr>"
        )
    };
    let field = |name: &str| {
        format!("<w:fldSimple w:instr=\" {name} \"><w:r><w:t>9</w:t></w:r></w:fldSimple>")
    };
    let footer = format!(
        "<w:p><w:r><w:t xml:space=\"preserve\">foot </w:t></w:r>{}<w:r><w:t xml:space=\"preserve\"> of </w:t></w:r>{}</w:p>",
        field("SECTION"),
        field("SECTIONPAGES")
    );
    let page = "<w:p><w:r><w:br w:type=\"page\"/></w:r></w:p>";
    let body = format!(
        "<w:p><w:r><w:t>one</w:t></w:r></w:p><w:p><w:pPr>{}</w:pPr></w:p><w:p><w:r><w:t>three</w:t></w:r></w:p>{page}<w:p><w:r><w:t>four</w:t></w:r></w:p>{}",
        section("nextPage"),
        section("oddPage")
    );
    let footer = zips::word_xml("ftr", &footer);
    let file = with_part(&body, "footer", "footer1.xml", footer.as_bytes());
    let pages = text("a.docx", &file);
    let pages: Vec<String> = pages
        .split('\x0c')
        .map(|page| page.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(
        pages[..4],
        [
            "one foot 1 of 1",
            "",
            "three foot 2 of 2",
            "four foot 2 of 2"
        ],
        "{pages:?}"
    );
}

#[test]
fn form_lists_show_the_chosen_entry() {
    let field = |kind: &str, more: &str| {
        format!("<w:r><w:fldChar w:fldCharType=\"{kind}\">{more}</w:fldChar></w:r>")
    };
    let data = "<w:ffData><w:ddList><w:result w:val=\"1\"/><w:listEntry w:val=\"red\"/><w:listEntry w:val=\"green\"/></w:ddList></w:ffData>";
    let body = format!(
        "<w:p><w:r><w:t xml:space=\"preserve\">Colour: </w:t></w:r>{}<w:r><w:instrText> FORMDROPDOWN </w:instrText></w:r>{}{}</w:p>",
        field("begin", data),
        field("separate", ""),
        field("end", "")
    );
    let text = convert("a.docx", &zips::word_document(&body), "txt").unwrap();
    assert_eq!(String::from_utf8(text).unwrap().trim(), "Colour: green");
}

#[test]
fn lines_end_at_soft_hyphens() {
    if !has("pdftotext") {
        return;
    }
    let body = format!(
        "<w:p><w:r><w:t>{}</w:t></w:r></w:p><w:sectPr><w:pgSz w:w=\"7500\" w:h=\"8000\"/><w:pgMar w:top=\"700\" w:right=\"700\" w:bottom=\"700\" w:left=\"700\" w:header=\"300\" w:footer=\"300\" w:gutter=\"0\"/></w:sectPr>",
        "Donaudampf\u{ad}schifffahrts\u{ad}gesell\u{ad}schafts\u{ad}kapitän ".repeat(4)
    );
    let pdf = convert("a.docx", &zips::word_document(&body), "pdf").unwrap();
    let text = text_of("soft-hyphens", &pdf);
    let ends = |line: &str| line.ends_with(['\u{ad}', '-']);
    assert!(text.lines().any(|line| ends(line.trim_end())), "{text}");
    // Within a line, soft hyphens are not visible.
    assert!(
        text.contains("Donaudampfschifffahrtsgesellschaftskapitän"),
        "{text}"
    );
}

#[test]
fn style_reference_fields_show_the_heading_of_the_page() {
    if !has("pdftotext") {
        return;
    }
    let heading = |text: &str| {
        format!(
            "<w:p><w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
        )
    };
    let page = "<w:p><w:r><w:br w:type=\"page\"/></w:r></w:p>";
    let body = format!(
        "{}{page}{}{page}<w:p><w:r><w:t>still</w:t></w:r></w:p><w:sectPr><w:headerReference w:type=\"default\" r:id=\"r\"/><w:pgSz w:w=\"12240\" w:h=\"15840\"/><w:pgMar w:top=\"1440\" w:right=\"1440\" w:bottom=\"1440\" w:left=\"1440\" w:header=\"708\" w:footer=\"708\" w:gutter=\"0\"/></w:sectPr>",
        heading("Alpha"),
        heading("Beta")
    );
    let header = "<w:p><w:r><w:t xml:space=\"preserve\">in </w:t></w:r><w:fldSimple w:instr=\" STYLEREF &quot;heading 1&quot; \"><w:r><w:t>Stored</w:t></w:r></w:fldSimple></w:p>";
    let header = zips::word_xml("hdr", header);
    let styles = "<w:style w:type=\"paragraph\" w:styleId=\"Heading1\"><w:name w:val=\"heading 1\"/></w:style>";
    let styles = zips::word_xml("styles", styles);
    let file = zips::word()
        .packed(
            "word/document.xml",
            zips::word_xml("document", &format!("<w:body>{body}</w:body>")).as_bytes(),
        )
        .packed(
            "word/_rels/document.xml.rels",
            zips::relations(&[
                ("r", "header", "header1.xml", false),
                ("s", "styles", "styles.xml", false),
            ])
            .as_bytes(),
        )
        .packed("word/header1.xml", header.as_bytes())
        .packed("word/styles.xml", styles.as_bytes())
        .finish();
    let mut files = vec![("a.docx".to_owned(), file.clone())];
    for to in ["docx", "rtf", "odt"] {
        files.push((format!("a.{to}"), convert("a.docx", &file, to).unwrap()));
    }
    for (name, file) in files {
        let text = text_of("styleref", &convert(&name, &file, "pdf").unwrap());
        let pages: Vec<&str> = text.split('\x0c').map(str::trim).collect();
        for (page, expected) in pages.iter().zip(["in Alpha", "in Beta", "in Beta"]) {
            assert!(page.starts_with(expected), "{name}: {expected}: {text}");
        }
        assert!(!text.contains("Stored"), "{name}: {text}");
    }
    // If no paragraph has the style, the text stored in the field is kept.
    let file = with_part(&body, "header", "header1.xml", header.as_bytes());
    let text = text_of("styleref", &convert("a.docx", &file, "pdf").unwrap());
    assert!(text.trim().starts_with("in Stored"), "{text}");
}

#[test]
fn a_run_can_turn_off_the_position_of_its_style() {
    let styles = zips::word_xml(
        "styles",
        "<w:style w:type=\"paragraph\" w:styleId=\"S\"><w:name w:val=\"Raised\"/><w:rPr><w:position w:val=\"12\"/></w:rPr></w:style>",
    );
    let body = "<w:p><w:pPr><w:pStyle w:val=\"S\"/></w:pPr><w:r><w:t>high</w:t></w:r><w:r><w:rPr><w:position w:val=\"0\"/></w:rPr><w:t>low</w:t></w:r></w:p>";
    let file = with_part(body, "styles", "styles.xml", styles.as_bytes());
    let made = convert("a.docx", &file, "docx").unwrap();
    let mut raised = String::new();
    for (name, content) in zips::entries(&made) {
        if name == "word/styles.xml" || name == "word/document.xml" {
            let content = String::from_utf8(content).unwrap();
            let runs = content.split("<w:position").skip(1);
            raised.extend(runs.map(|run| format!("{name} {}\n", &run[..run.len().min(60)])));
        }
    }
    assert_eq!(raised.lines().count(), 1, "{raised}");
    assert!(raised.contains("high"), "{raised}");
}
