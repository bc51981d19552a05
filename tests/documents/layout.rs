//! Positions on a page: those that poppler finds in a PDF, compared with those that the document states.

use crate::{
    harness::{convert, directory, has, output_of},
    zips,
};
use std::fs;

/// A Word document with these paragraphs, and with lists of these levels.
fn word(body: &str, levels: &str) -> Vec<u8> {
    let lists = format!(
        "<w:abstractNum w:abstractNumId=\"0\">{levels}</w:abstractNum><w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num>"
    );
    word_with(body, "numbering", &lists)
}

/// A Word document with another part of this kind and content.
fn word_with(body: &str, part: &str, content: &str) -> Vec<u8> {
    let body = format!("<w:body>{body}</w:body>");
    let file = format!("{part}.xml");
    let relations = [("r", part, &file[..], false)];
    zips::word()
        .packed(
            "word/document.xml",
            zips::word_xml("document", &body).as_bytes(),
        )
        .packed(
            "word/_rels/document.xml.rels",
            zips::relations(&relations).as_bytes(),
        )
        .packed(
            &format!("word/{file}"),
            zips::word_xml(part, content).as_bytes(),
        )
        .finish()
}

/// The left edge of each word of a PDF, in points. `name` is that of the test.
fn edges(name: &str, pdf: &[u8]) -> Vec<(String, f64)> {
    places(name, "xMin", pdf)
}

/// An edge of each word of a PDF, in points.
pub(crate) fn places(name: &str, edge: &str, pdf: &[u8]) -> Vec<(String, f64)> {
    let at = directory(name);
    let file = at.join("page.pdf");
    fs::write(&file, pdf).unwrap();
    let page = output_of("pdftotext", &["-bbox", &file.display().to_string(), "-"]);
    let _ = fs::remove_dir_all(at);
    let words = page.lines().filter_map(|line| {
        let (_, line) = line.split_once("<word ")?;
        let (_, line) = line.split_once(&format!("{edge}=\""))?;
        let (edge, line) = line.split_once('"')?;
        let (_, word) = line.split_once('>')?;
        let word = word.split('<').next().unwrap_or_default();
        Some((word.to_owned(), edge.parse().unwrap()))
    });
    words.collect()
}

#[test]
fn lists_are_indented_as_stated() {
    if !has("pdftotext") {
        return;
    }
    let level = |number: u8, format: &str, text: &str, left: u32, hanging: u32| {
        format!(
            "<w:lvl w:ilvl=\"{number}\"><w:start w:val=\"1\"/><w:numFmt w:val=\"{format}\"/><w:lvlText w:val=\"{text}\"/><w:pPr><w:ind w:left=\"{left}\" w:hanging=\"{hanging}\"/></w:pPr></w:lvl>"
        )
    };
    let levels = level(0, "bullet", "\u{2013}", 1440, 360) + &level(1, "decimal", "%2)", 2880, 720);
    let item = |level: u8, more: &str, text: &str| {
        format!(
            "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"1\"/></w:numPr>{more}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
        )
    };
    let body = "<w:p><w:r><w:t>before</w:t></w:r></w:p>".to_owned()
        + &item(0, "", "outer")
        + &item(1, "", "inner")
        + "<w:p><w:r><w:t>between</w:t></w:r></w:p>"
        + &item(0, "<w:ind w:left=\"2160\" w:hanging=\"720\"/>", "own");
    let edges = edges(
        "lists-at",
        &convert("lists.docx", &word(&body, &levels), "pdf").unwrap(),
    );
    let margin = edges[0].1;
    // Distances from the margin in twentieths of a point.
    let expected = [
        ("before", 0.0),
        ("\u{2013}", 1080.0),
        ("outer", 1440.0),
        ("1)", 2160.0),
        ("inner", 2880.0),
        ("between", 0.0),
        ("\u{2013}", 1440.0),
        ("own", 2160.0),
    ];
    assert_eq!(edges.len(), expected.len(), "{edges:?}");
    // On a page as short as this, poppler reads the columns one after another, so the order is not compared.
    for (word, twips) in expected {
        let near = |edge: f64| ((edge - margin) - twips / 20.0).abs() < 1.5;
        assert!(
            edges.iter().any(|(own, edge)| own == word && near(*edge)),
            "{word}: {edges:?}"
        );
    }
}

#[test]
fn a_paragraph_indented_like_an_item_continues_it() {
    let level = |number: u8, left: u32| {
        format!(
            "<w:lvl w:ilvl=\"{number}\"><w:start w:val=\"1\"/><w:numFmt w:val=\"bullet\"/><w:lvlText w:val=\"-\"/><w:pPr><w:ind w:left=\"{left}\" w:hanging=\"360\"/></w:pPr></w:lvl>"
        )
    };
    let levels = level(0, 720) + &level(1, 1440);
    let paragraph = |list: &str, left: u32, text: &str| {
        format!(
            "<w:p><w:pPr>{list}<w:ind w:left=\"{left}\"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
        )
    };
    let item = |level: u8, left: u32, text: &str| {
        let list = format!("<w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"1\"/></w:numPr>");
        paragraph(&list, left, text)
    };
    let none = "<w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"0\"/></w:numPr>";
    let body = item(0, 720, "a")
        + &item(1, 1440, "b")
        + &paragraph(none, 1440, "of-b")
        + &paragraph("", 720, "of-a")
        + &item(0, 720, "c")
        + &paragraph("", 360, "quote");
    let page = convert("lists.docx", &word(&body, &levels), "html").unwrap();
    let page: String = String::from_utf8(page).unwrap().lines().collect();
    let (_, body) = page.split_once("<body>").unwrap();
    let expected = "<ul><li>a<ul><li><p>b</p><p>of-b</p></li></ul>of-a</li><li>c</li></ul>\
                    <blockquote><p>quote</p></blockquote>";
    assert!(body.starts_with(expected), "{body}");
}

#[test]
fn cells_without_alignment_ignore_that_of_their_column() {
    let cell = |span: u8, side: &str, text: &str| {
        format!(
            "<w:tc><w:tcPr><w:gridSpan w:val=\"{span}\"/></w:tcPr><w:p><w:pPr>{side}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>"
        )
    };
    let right = "<w:jc w:val=\"right\"/>";
    let body = format!(
        "<w:tbl><w:tblGrid><w:gridCol w:w=\"2000\"/><w:gridCol w:w=\"2000\"/></w:tblGrid><w:tr>{}</w:tr><w:tr>{}{}</w:tr></w:tbl><w:p/>",
        cell(2, "", "wide"),
        cell(1, right, "one"),
        cell(1, "", "two")
    );
    let page = convert("table.docx", &word(&body, ""), "html").unwrap();
    let page = String::from_utf8(page).unwrap();
    let before = |text: &str| {
        let (before, _) = page.split_once(text).expect(text);
        before.rsplit_once("<t").unwrap().1.to_owned()
    };
    assert!(before("one").contains("text-align: end"), "{page}");
    assert!(before("wide").contains("text-align: start"), "{page}");
}

#[test]
fn shapes_without_text_are_not_text_boxes() {
    let shape = |inside: &str| {
        let content = format!("<w:txbxContent>{inside}</w:txbxContent>");
        let shape = "urn:schemas-microsoft-com:vml";
        let body = format!(
            "<w:p><w:r><w:pict><v:shape xmlns:v=\"{shape}\"><v:textbox>{content}</v:textbox></v:shape></w:pict></w:r>\
             <w:r><w:t>text</w:t></w:r></w:p>"
        );
        let html = convert("a.docx", &zips::word_document(&body), "html").unwrap();
        String::from_utf8(html).unwrap()
    };
    let empty = "<w:p><w:pPr><w:jc w:val=\"left\"/></w:pPr><w:r><w:rPr><w:b/></w:rPr></w:r></w:p>";
    assert!(!shape(empty).contains("<aside"), "{}", shape(empty));
    let word = "<w:p><w:r><w:t>word</w:t></w:r></w:p>";
    assert!(shape(&format!("{empty}{word}")).contains("<aside"));
}

#[test]
fn nested_tables_continue_on_the_next_page() {
    if !has("pdftotext") {
        return;
    }
    let lines: String = (0..150).map(|line| format!("<p>line{line}</p>")).collect();
    let table = |cells: &str| format!("<table border=1><tr>{cells}</tr></table>");
    let innermost = table(&format!("<td>{lines}</td><td>beside</td>"));
    let page = table(&format!(
        "<td>{}<p>end</p></td>",
        table(&format!("<td>{innermost}</td>"))
    ));
    let found = edges(
        "tables-at",
        &convert("page.html", page.as_bytes(), "pdf").unwrap(),
    );
    let words: Vec<&str> = found.iter().map(|(word, _)| word.as_str()).collect();
    for line in 0..150 {
        let word = format!("line{line}");
        assert_eq!(
            words.iter().filter(|one| **one == word).count(),
            1,
            "{word}"
        );
    }
    assert!(words.contains(&"beside") && words.contains(&"end"));
}

#[test]
fn paragraph_spacing_collapses_if_stated() {
    if !has("pdftotext") {
        return;
    }
    let word = |compatibility: &str| {
        let paragraph = "<w:p><w:pPr><w:spacing w:before=\"400\" w:after=\"200\"/></w:pPr><w:r><w:t>x</w:t></w:r></w:p>";
        let settings = format!("<w:compat>{compatibility}</w:compat>");
        word_with(&paragraph.repeat(2), "settings", &settings)
    };
    let rich = |word: &str| {
        let paragraph = "\\pard\\sb400\\sa200 x\\par";
        format!("{{\\rtf1\\ansi{word}{paragraph}{paragraph}}}").into_bytes()
    };
    for (name, together, apart) in [
        (
            "a.docx",
            word(""),
            word("<w:doNotUseHTMLParagraphAutoSpacing/>"),
        ),
        ("a.rtf", rich("\\htmautsp"), rich("")),
    ] {
        let distance = |file: &[u8]| {
            let found = places("spaces", "yMin", &convert(name, file, "pdf").unwrap());
            found[1].1 - found[0].1
        };
        let difference = distance(&apart) - distance(&together);
        assert!((difference - 10.0).abs() < 0.1, "{name}: {difference}");
        // An RTF file that is made from the document states the same rule.
        let again = convert(name, &together, "rtf").unwrap();
        assert!(
            String::from_utf8_lossy(&again).contains("\\htmautsp"),
            "{name}"
        );
    }
}

#[test]
fn frame_content_is_aligned_like_the_frame() {
    if !has("pdftotext") {
        return;
    }
    let framed = |frame: &str| {
        format!("<w:p><w:pPr><w:framePr {frame}/></w:pPr><w:r><w:t>12</w:t></w:r></w:p>")
    };
    let frames = [
        "w:hAnchor=\"margin\"",
        "w:xAlign=\"center\"",
        "w:xAlign=\"right\"",
    ];
    let body: String = frames.into_iter().map(framed).collect();
    let pdf = convert("frames.docx", &word(&body, ""), "pdf").unwrap();
    let found = edges("frames", &pdf).into_iter();
    let found: Vec<f64> = found
        .filter_map(|(word, x)| (word == "12").then_some(x))
        .collect();
    assert!(
        found[0] < 100.0 && (250.0..350.0).contains(&found[1]) && found[2] > 450.0,
        "{found:?}"
    );
}

/// Each attribute of a frame (ECMA-376 part 1, 17.3.1.11) is inherited separately.
#[test]
fn paragraphs_override_the_frame_of_their_style() {
    if !has("pdftotext") {
        return;
    }
    let styles = "<w:style w:type=\"paragraph\" w:styleId=\"Aside\"><w:name w:val=\"aside\"/>\
                  <w:pPr><w:framePr w:w=\"2000\" w:hAnchor=\"page\" w:vAnchor=\"page\" w:x=\"721\" w:y=\"14000\"/></w:pPr></w:style>\
                  <w:style w:type=\"paragraph\" w:styleId=\"Address\"><w:name w:val=\"address\"/><w:basedOn w:val=\"Aside\"/></w:style>";
    let paragraph = |properties: &str, text: &str| {
        format!("<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
    };
    let body = paragraph("<w:pStyle w:val=\"Address\"/>", "styled")
        + &paragraph("", "plain")
        + &paragraph(
            "<w:pStyle w:val=\"Aside\"/><w:framePr w:x=\"6000\"/>",
            "moved",
        );
    let pdf = convert("a.docx", &word_with(&body, "styles", styles), "pdf").unwrap();
    let (left, top) = (
        places("frames-of-styles", "xMin", &pdf),
        places("frames-of-styles", "yMin", &pdf),
    );
    let at = |places: &[(String, f64)], word: &str| {
        let found = places.iter().find(|(found, _)| found == word);
        found.unwrap_or_else(|| panic!("{word}: {places:?}")).1
    };
    // The document states positions in twentieths of a point.
    assert!((at(&left, "styled") - 36.05).abs() < 1.0, "{left:?}");
    assert!((at(&left, "moved") - 300.0).abs() < 1.0, "{left:?}");
    assert!((at(&top, "styled") - 700.0).abs() < 6.0, "{top:?}");
    assert!((at(&top, "moved") - 700.0).abs() < 6.0, "{top:?}");
    assert!(at(&top, "plain") < 120.0, "{top:?}");
}

#[test]
fn words_with_slashes_stay_whole_and_widen_their_columns() {
    if !has("pdftotext") {
        return;
    }
    let cell = |text: &str| {
        format!(
            "<w:tc><w:tcPr><w:tcW w:w=\"1000\" w:type=\"dxa\"/></w:tcPr><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>"
        )
    };
    let body = format!(
        "<w:tbl><w:tblGrid><w:gridCol w:w=\"1000\"/><w:gridCol w:w=\"1000\"/></w:tblGrid><w:tr>{}{}</w:tr></w:tbl>",
        cell("inputs/of/all/others"),
        cell("b")
    );
    let found = places(
        "slashes",
        "yMin",
        &convert("a.docx", &word(&body, ""), "pdf").unwrap(),
    );
    let words: Vec<&str> = found.iter().map(|(word, _)| &word[..]).collect();
    // The last word is the page number.
    assert_eq!(words[..2], ["inputs/of/all/others", "b"]);
}

#[test]
fn complex_script_size_is_separate() {
    if !has("pdftotext") {
        return;
    }
    let line = |text: &str| {
        format!(
            "<w:p><w:r><w:rPr><w:sz w:val=\"20\"/><w:szCs w:val=\"60\"/></w:rPr><w:t>{text}</w:t></w:r></w:p>"
        )
    };
    let body = line("abc") + &line("\u{5d0}\u{5d1}\u{5d2}") + &line("end");
    let pdf = convert("a.docx", &word(&body, ""), "pdf").unwrap();
    let (top, bottom) = (
        places("complex", "yMin", &pdf),
        places("complex", "yMax", &pdf),
    );
    let heights: Vec<f64> = top
        .iter()
        .zip(&bottom)
        .map(|(top, bottom)| bottom.1 - top.1)
        .collect();
    assert!(heights[1] > 2.0 * heights[0], "{heights:?}");
    assert!(heights[2] < 1.1 * heights[0], "{heights:?}");
}

#[test]
fn first_row_formatting_does_not_repeat_the_row() {
    if !has("pdftotext") {
        return;
    }
    let row = |mark: &str, text: &str| {
        format!(
            "<w:tr><w:trPr>{mark}</w:trPr><w:tc><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc></w:tr>"
        )
    };
    let heads = |mark: &str| {
        let body = format!(
            "<w:tbl><w:tblPr><w:tblLook w:firstRow=\"1\"/></w:tblPr><w:tblGrid><w:gridCol w:w=\"3000\"/></w:tblGrid>{}{}</w:tbl>",
            row(mark, "head"),
            row("", "cell").repeat(90)
        );
        let found = places(
            "heads",
            "yMin",
            &convert("a.docx", &word(&body, ""), "pdf").unwrap(),
        );
        found.iter().filter(|(word, _)| word == "head").count()
    };
    assert_eq!(heads(""), 1);
    assert!(heads("<w:tblHeader/>") > 1);
}

#[test]
fn table_style_properties_stay_in_the_table() {
    let style = "<w:style w:type=\"paragraph\" w:default=\"1\" w:styleId=\"Normal\"><w:name w:val=\"Normal\"/></w:style><w:style w:type=\"table\" w:styleId=\"Grid\"><w:name w:val=\"Light Grid\"/><w:tblStylePr w:type=\"firstRow\"><w:rPr><w:b/></w:rPr></w:tblStylePr><w:tblStylePr w:type=\"firstCol\"><w:rPr><w:b/></w:rPr></w:tblStylePr></w:style>";
    let cell = |text: &str| format!("<w:tc><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>");
    let row = format!("<w:tr>{}{}</w:tr>", cell("head"), cell("cell"));
    let table = format!(
        "<w:tbl><w:tblPr><w:tblStyle w:val=\"Grid\"/><w:tblLook w:firstRow=\"1\" w:firstColumn=\"1\" w:noHBand=\"1\" w:noVBand=\"1\"/></w:tblPr><w:tblGrid><w:gridCol w:w=\"2000\"/><w:gridCol w:w=\"2000\"/></w:tblGrid>{}</w:tbl>",
        row.repeat(8)
    );
    let plain = "<w:p><w:r><w:t>plain text</w:t></w:r></w:p>";
    for body in [format!("{plain}{table}{plain}"), table.clone()] {
        let file = word_with(&body, "styles", style);
        for to in ["docx", "odt", "rtf"] {
            let made = convert("a.docx", &file, to).unwrap();
            let name = format!("a.{to}");
            let shown = String::from_utf8(convert(&name, &made, "md").unwrap()).unwrap();
            assert!(!shown.contains("**plain text**"), "{to}: {shown}");
            assert!(
                shown.contains("**head**") || shown.contains("| head"),
                "{to}: {shown}"
            );
        }
        // The style of the paragraph itself is not bold.
        let made = convert("a.docx", &file, "docx").unwrap();
        let parts = zips::entries(&made);
        let (_, styles) = parts
            .iter()
            .find(|(name, _)| name == "word/styles.xml")
            .unwrap();
        let styles = String::from_utf8_lossy(styles).into_owned();
        let normal = styles.split("w:styleId=\"Normal\"").nth(1).unwrap();
        let normal = normal.split("</w:style>").next().unwrap();
        assert!(!normal.contains("<w:b/>"), "{normal}");
    }
}
