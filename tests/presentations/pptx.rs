//! Content of PowerPoint presentations in the documents that they are converted to.

use crate::{
    harness::{convert_with, text_of},
    slides::{at, deck, paragraph, part, relationships, shape, shapes, slide},
};

#[track_caller]
fn check(tree: &str, expected: &str) {
    let file = slide(tree, &[("rId9", "hyperlink", "https://example.org/")]).finish();
    assert_eq!(text_of("a.pptx", &file, "md").unwrap().trim_end(), expected);
}

#[test]
fn a_slide_is_a_heading_with_lists() {
    let title = shape("type=\"title\"", "", &paragraph("", "Title"));
    check(&title, "# Title");
    check(&shape("", "", &paragraph("", "Text")), "# Slide 1\n\nText");
    let bullet = "<a:pPr><a:buChar char=\"•\"/></a:pPr>";
    let below = "<a:pPr lvl=\"1\"><a:buChar char=\"–\"/></a:pPr>";
    let numbered = "<a:pPr><a:buAutoNum type=\"arabicPeriod\" startAt=\"3\"/></a:pPr>";
    let paragraphs = [
        paragraph("", "Plain"),
        paragraph(bullet, "One"),
        paragraph(below, "Below"),
        paragraph(bullet, "Two"),
        paragraph(numbered, "Three"),
        paragraph(numbered, "Four"),
    ];
    check(
        &(title + &shape("idx=\"1\"", "", &paragraphs.concat())),
        "# Title\n\nPlain\n\n- One\n  - Below\n- Two\n\n3. Three\n4. Four",
    );
}

#[test]
fn only_marks_links_and_fields_are_kept_of_the_formatting() {
    let run = |properties: &str, text: &str| {
        format!("<a:r><a:rPr {properties}</a:rPr><a:t>{text}</a:t></a:r>")
    };
    let paragraph = [
        "<a:p>",
        &run("b=\"1\" sz=\"4400\">", "bold"),
        &run(">", " "),
        &run(
            "i=\"1\"><a:solidFill><a:srgbClr val=\"ff0000\"/></a:solidFill>",
            "italic",
        ),
        "<a:br/>",
        &run("><a:hlinkClick r:id=\"rId9\"/>", "link"),
        "<a:fld type=\"slidenum\"><a:t>‹#›</a:t></a:fld></a:p>",
    ];
    check(
        &shape("", "", &paragraph.concat()),
        "# Slide 1\n\n**bold** *italic*\\\n[link](https://example.org/)1",
    );
}

#[test]
fn frames_are_read_from_the_top_and_side_by_side_from_the_left() {
    let frame = |x, y, text: &str| shape("", &at(x, y, 100, 100), &paragraph("", text));
    let tree = [
        frame(500, 210, "right"),
        frame(0, 600, "below"),
        shape(
            "type=\"title\"",
            &at(0, 900, 100, 100),
            &paragraph("", "Title"),
        ),
        frame(0, 200, "left"),
    ];
    check(&tree.concat(), "# Title\n\nleft\n\nright\n\nbelow");
}

#[test]
fn content_repeated_on_every_slide_is_left_out() {
    let tree = ["dt", "ftr", "sldNum"].map(|kind| {
        let kind = format!("type=\"{kind}\"");
        shape(&kind, "", &paragraph("", "repeated"))
    });
    check(&tree.concat(), "# Slide 1");
}

#[test]
fn groups_tables_charts_and_diagrams_are_read() {
    let group = format!(
        "<p:grpSp><p:nvGrpSpPr/><p:grpSpPr/>{}<p:grpSp>{}</p:grpSp></p:grpSp>",
        shape("", "", &paragraph("", "outer")),
        shape("", "", &paragraph("", "inner")),
    );
    check(&group, "# Slide 1\n\nouter\n\ninner");
    let cell = |more: &str, text: &str| {
        let text = paragraph("", text);
        format!("<a:tc {more}><a:txBody><a:bodyPr/>{text}</a:txBody></a:tc>")
    };
    let frame = |content: &str| {
        format!(
            "<p:graphicFrame><a:graphic><a:graphicData>{content}</a:graphicData></a:graphic></p:graphicFrame>"
        )
    };
    let table = format!(
        "<a:tbl><a:tblPr firstRow=\"1\"/><a:tblGrid><a:gridCol w=\"10\"/><a:gridCol w=\"10\"/></a:tblGrid>\
         <a:tr h=\"1\">{}{}</a:tr><a:tr h=\"1\">{}{}</a:tr></a:tbl>",
        cell("", "A"),
        cell("", "B"),
        cell("gridSpan=\"2\"", "C"),
        cell("hMerge=\"1\"", "hidden"),
    );
    let file = slide(&frame(&table), &[]).finish();
    let html = text_of("a.pptx", &file, "html").unwrap();
    assert!(
        html.contains("<th scope=\"col\">A</th>") || html.contains(">A</th>"),
        "{html}"
    );
    assert!(
        html.contains("colspan=\"2\"") && !html.contains("hidden"),
        "{html}"
    );

    let points = |name: &str, values: &[&str]| {
        let points = values.iter().enumerate();
        let points =
            points.map(|(nth, value)| format!("<c:pt idx=\"{nth}\"><c:v>{value}</c:v></c:pt>"));
        let points: String = points.collect();
        format!("<c:{name}><c:numRef><c:numCache>{points}</c:numCache></c:numRef></c:{name}>")
    };
    let series = format!(
        "<c:ser><c:tx><c:strRef><c:strCache><c:pt idx=\"0\"><c:v>S</c:v></c:pt></c:strCache></c:strRef></c:tx>{}{}</c:ser>",
        points("cat", &["x", "y"]),
        points("val", &["1", "8.1999999999999993"]),
    );
    let chart =
        format!("<c:chart><c:plotArea><c:barChart>{series}</c:barChart></c:plotArea></c:chart>");
    let file = slide(
        &frame("<c:chart r:id=\"rId2\"/>"),
        &[("rId2", "chart", "../charts/c.xml")],
    )
    .packed(
        "ppt/charts/c.xml",
        part("c:chartSpace", "", &chart).as_bytes(),
    )
    .finish();
    let (md, notes) = convert_with("a.pptx", &file, "md", &[]).unwrap();
    let md = String::from_utf8(md).unwrap();
    assert!(md.contains("| y | 8.2 |") || md.contains("8.2"), "{md}");
    assert_eq!(notes.0, ["A chart became a table of its values."]);

    let inner = "<dsp:sp><dsp:spPr/><dsp:txBody><a:bodyPr/><a:p><a:r><a:t>step</a:t></a:r></a:p></dsp:txBody></dsp:sp>";
    let drawing = part(
        "dsp:drawing",
        "",
        &format!("<dsp:spTree>{inner}</dsp:spTree>"),
    );
    let data = part("dgm:dataModel", "", "<dsp:dataModelExt relId=\"rId3\"/>");
    let own = [
        ("rId2", "diagramData", "../d.xml"),
        ("rId3", "diagramDrawing", "../e.xml"),
    ];
    let file = slide(&frame("<dgm:relIds r:dm=\"rId2\"/>"), &own)
        .packed("ppt/d.xml", data.as_bytes())
        .packed("ppt/e.xml", drawing.as_bytes())
        .finish();
    assert_eq!(
        text_of("a.pptx", &file, "txt").unwrap().trim(),
        "Slide 1\n\nstep"
    );
    // An older file contains only the data of a diagram.
    let said = "<dgm:pt><dgm:t><a:bodyPr/><a:p><a:r><a:t>said</a:t></a:r></a:p></dgm:t></dgm:pt>";
    let data = part(
        "dgm:dataModel",
        "",
        &format!("<dgm:ptLst>{said}</dgm:ptLst>"),
    );
    let file = slide(&frame("<dgm:relIds r:dm=\"rId2\"/>"), &own[..1])
        .packed("ppt/d.xml", data.as_bytes())
        .finish();
    let (text, notes) = convert_with("a.pptx", &file, "txt", &[]).unwrap();
    assert_eq!(String::from_utf8(text).unwrap().trim(), "Slide 1\n\nsaid");
    assert_eq!(
        notes.0,
        ["A diagram is shown as its text: the file has no picture of it."]
    );
}

#[test]
fn placeholders_take_bullets_from_layout_and_master() {
    let style = "<p:txStyles><p:bodyStyle><a:lvl1pPr><a:buChar char=\"•\"/></a:lvl1pPr></p:bodyStyle></p:txStyles>";
    let master = shapes("p:sldMaster", "", &shape("type=\"body\"", "", ""), style);
    let layout = shapes("p:sldLayout", "", &shape("idx=\"7\"", "", ""), "");
    let tree = shape("idx=\"7\"", "", &paragraph("", "item"));
    let file = slide(&tree, &[("rId1", "slideLayout", "../l.xml")])
        .packed("ppt/l.xml", layout.as_bytes())
        .packed(
            "ppt/_rels/l.xml.rels",
            relationships(&[("rId1", "slideMaster", "m.xml")]).as_bytes(),
        )
        .packed("ppt/m.xml", master.as_bytes())
        .finish();
    assert_eq!(
        text_of("a.pptx", &file, "md").unwrap().trim(),
        "# Slide 1\n\n- item"
    );
}

#[test]
fn hidden_slides_are_left_out_unless_they_are_asked_for() {
    let slide = |attributes: &str, text: &str| {
        let title = shape("type=\"title\"", "", &paragraph("", text));
        shapes("p:sld", attributes, &title, "")
    };
    let (shown, hidden) = (slide("", "shown"), slide("show=\"0\"", "hidden"));
    let file = deck(&[(&hidden, "<x/>"), (&shown, "<x/>")]).finish();
    let (text, notes) = convert_with("a.pptx", &file, "txt", &[]).unwrap();
    assert_eq!(String::from_utf8(text).unwrap().trim(), "shown");
    assert_eq!(
        notes.0,
        ["A hidden slide was left out; `hidden=keep` keeps it."]
    );
    let (text, notes) = convert_with("a.pptx", &file, "txt", &[("hidden", "keep")]).unwrap();
    assert_eq!(String::from_utf8(text).unwrap().trim(), "hidden\n\nshown");
    assert!(notes.0.is_empty());
}

#[test]
fn notes_are_quotations() {
    let notes = shapes(
        "p:notes",
        "",
        &shape("type=\"body\" idx=\"1\"", "", &paragraph("", "Say it")),
        "",
    );
    let file = slide("", &[("rId1", "notesSlide", "../n.xml")])
        .packed("ppt/n.xml", notes.as_bytes())
        .finish();
    assert_eq!(
        text_of("a.pptx", &file, "md").unwrap().trim(),
        "# Slide 1\n\n> Say it"
    );
}

#[test]
fn every_target_is_written() {
    let file = slide(&shape("", "", &paragraph("", "words")), &[]).finish();
    for to in ["docx", "epub", "html", "md", "odt", "rtf", "txt"] {
        assert!(
            !convert_with("a.pptx", &file, to, &[]).unwrap().0.is_empty(),
            "{to}"
        );
    }
}

#[test]
fn a_deck_is_recognised_by_its_parts_under_any_name() {
    let file = slide(&shape("", "", &paragraph("", "words")), &[])
        .stored(
            "ppt/embeddings/sheet.xlsx",
            b"PK\x03\x04[Content_Types].xml xl/workbook.xml",
        )
        .finish();
    for name in ["a.pptx", "a.xlsx", "a.docx", "a"] {
        assert!(
            text_of(name, &file, "txt").unwrap().contains("words"),
            "{name}"
        );
    }
}
