//! Slides as pages: a PDF with a page for each slide, and pictures of slides.

use crate::{
    harness::{convert_with, text_of},
    slides::{at, deck, paragraph, part, relationships, shape, shapes, slide},
    tools,
};

/// English Metric Units per inch.
const INCH: i64 = 914_400;

/// The picture of the first slide, which is ten inches wide, at 36 dots per inch.
#[track_caller]
fn picture(file: &[u8]) -> image::RgbImage {
    let (png, _) = convert_with("a.pptx", file, "png", &[("dpi", "36")]).unwrap();
    image::load_from_memory(&png).unwrap().to_rgb8()
}

/// Checks the colour at a position in inches.
#[track_caller]
fn check(tree: &str, (x, y): (f64, f64), expected: [u8; 3]) {
    let picture = picture(&slide(tree, &[]).finish());
    assert_eq!(picture.dimensions(), (360, 270));
    let found = picture.get_pixel((x * 36.0) as u32, (y * 36.0) as u32).0;
    let near = found
        .iter()
        .zip(expected)
        .all(|(one, other)| one.abs_diff(other) < 4);
    assert!(near, "{found:?}");
}

/// A shape with this outline and this fill, at 2 inches, 4 inches wide and 2 inches high.
fn filled(outline: &str, fill: &str) -> String {
    let place = at(2 * INCH, 2 * INCH, 4 * INCH, 2 * INCH);
    shape("", &format!("{place}{outline}{fill}"), "")
}

fn solid(colour: &str) -> String {
    format!("<a:solidFill><a:srgbClr val=\"{colour}\"/></a:solidFill>")
}

#[test]
fn shapes_are_drawn_where_they_are() {
    let red = filled("<a:prstGeom prst=\"rect\"/>", &solid("ff0000"));
    check(&red, (4.0, 3.0), [255, 0, 0]);
    check(&red, (1.0, 3.0), [255, 255, 255]);
    let round = filled("<a:prstGeom prst=\"ellipse\"/>", &solid("00ff00"));
    check(&round, (4.0, 3.0), [0, 255, 0]);
    check(&round, (2.1, 2.1), [255, 255, 255]);
    let line = "<a:ln w=\"914400\"><a:solidFill><a:srgbClr val=\"0000ff\"/></a:solidFill></a:ln>";
    check(&filled("", line), (2.0, 3.0), [0, 0, 255]);
    let gradient = "<a:gradFill><a:gsLst><a:gs pos=\"0\"><a:srgbClr val=\"000000\"/></a:gs>\
        <a:gs pos=\"100000\"><a:srgbClr val=\"ffffff\"/></a:gs></a:gsLst><a:lin ang=\"0\"/></a:gradFill>";
    check(&filled("", gradient), (2.1, 3.0), [6, 6, 6]);
}

#[test]
fn outlines_of_the_file_itself_are_drawn() {
    let own = "<a:custGeom><a:gdLst><a:gd name=\"x\" fmla=\"*/ w 1 2\"/></a:gdLst><a:pathLst><a:path>\
        <a:moveTo><a:pt x=\"x\" y=\"0\"/></a:moveTo><a:lnTo><a:pt x=\"r\" y=\"b\"/></a:lnTo>\
        <a:lnTo><a:pt x=\"l\" y=\"b\"/></a:lnTo><a:close/></a:path></a:pathLst></a:custGeom>";
    check(&filled(own, &solid("ff0000")), (4.0, 3.5), [255, 0, 0]);
    check(&filled(own, &solid("ff0000")), (2.2, 2.2), [255, 255, 255]);
}

#[test]
fn shapes_are_drawn_from_back_to_front() {
    let tree = filled("", &solid("ff0000")) + &filled("", &solid("0000ff"));
    check(&tree, (4.0, 3.0), [0, 0, 255]);
}

#[test]
fn a_shape_may_show_the_background_through_shapes_below_it() {
    let red = filled("<a:prstGeom prst=\"rect\"/>", &solid("ff0000"));
    let hole = red.replace("ff0000", "00ff00");
    let hole = hole.replacen("<p:sp>", "<p:sp useBgFill=\"1\">", 1);
    // A shape that shows the background does not use a fill of its own.
    let hole = hole.replace(&solid("00ff00"), "");
    check(&format!("{red}{hole}"), (4.0, 3.0), [255, 255, 255]);
    let background = format!("<p:bg><p:bgPr>{}</p:bgPr></p:bg>", solid("0000ff"));
    let slide = shapes("p:sld", "", &format!("{red}{hole}"), "");
    let slide = slide.replacen("<p:spTree>", &format!("{background}<p:spTree>"), 1);
    let picture = picture(&deck(&[(&slide, &relationships(&[]))]).finish());
    assert_eq!(picture.get_pixel(144, 108).0, [0, 0, 255]);
}

#[test]
fn left_and_right_are_those_of_the_slide() {
    /// Checks the share of the ink that is in the left half of the slide.
    #[track_caller]
    fn check(properties: &str, expected: std::ops::Range<f64>) {
        let text = format!("<a:p><a:pPr {properties}/><a:r><a:t>אבגדהוז</a:t></a:r></a:p>");
        let tree = shape("", &at(0, INCH, 10 * INCH, INCH), &text);
        let picture = picture(&slide(&tree, &[]).finish());
        let ink = |x: &dyn Fn(u32) -> bool| -> f64 {
            let dots = picture.enumerate_pixels().filter(|(at, _, _)| x(*at));
            dots.map(|(_, _, dot)| 255.0 - f64::from(dot.0[0])).sum()
        };
        let part = ink(&|x| x < 180) / ink(&|_| true);
        assert!(expected.contains(&part), "{properties}: {part}");
    }
    check("algn=\"r\" rtl=\"1\"", 0.0..0.01);
    check("algn=\"l\" rtl=\"1\"", 0.99..1.01);
    check("rtl=\"1\"", 0.0..0.01);
}

#[test]
fn a_style_of_its_own_fills_a_placeholder() {
    let style = "<p:style><a:lnRef idx=\"0\"/><a:fillRef idx=\"1\"><a:srgbClr val=\"00ff00\"/></a:fillRef></p:style>";
    let one = shape(
        "type=\"title\"",
        &at(2 * INCH, 2 * INCH, 4 * INCH, 2 * INCH),
        "",
    );
    let styled = one.replace("<p:txBody>", &format!("{style}<p:txBody>"));
    let layout = shapes(
        "p:sldLayout",
        "",
        &shape("type=\"title\"", "<a:noFill/>", ""),
        "",
    );
    let master = shapes("p:sldMaster", "", "", "");
    let theme = part(
        "a:theme",
        "",
        "<a:themeElements><a:clrScheme name=\"x\"/><a:fontScheme name=\"x\"/><a:fmtScheme name=\"x\"><a:fillStyleLst>\
         <a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill></a:fillStyleLst></a:fmtScheme></a:themeElements>",
    );
    let file = slide(&styled, &[("rId1", "slideLayout", "../l.xml")])
        .packed("ppt/l.xml", layout.as_bytes())
        .packed(
            "ppt/_rels/l.xml.rels",
            relationships(&[("rId1", "slideMaster", "m.xml")]).as_bytes(),
        )
        .packed("ppt/m.xml", master.as_bytes())
        .packed(
            "ppt/_rels/m.xml.rels",
            relationships(&[("rId1", "theme", "t.xml")]).as_bytes(),
        )
        .packed("ppt/t.xml", theme.as_bytes())
        .finish();
    assert_eq!(picture(&file).get_pixel(144, 108).0, [0, 255, 0]);
}

#[test]
fn a_slide_is_a_page() {
    let one = |text: &str, attributes: &str| {
        let title = shape(
            "type=\"title\"",
            &at(0, 0, 8 * INCH, INCH),
            &paragraph("", text),
        );
        shapes("p:sld", attributes, &title, "")
    };
    let (first, hidden, last) = (
        one("First", ""),
        one("Hidden", "show=\"0\""),
        one("Last", ""),
    );
    let file = deck(&[(&first, "<x/>"), (&hidden, "<x/>"), (&last, "<x/>")]).finish();
    let (pdf, _) = convert_with("a.pptx", &file, "pdf", &[]).unwrap();
    let text = text_of("a.pdf", &pdf, "txt").unwrap();
    assert!(
        text.contains("First") && text.contains("Last") && !text.contains("Hidden"),
        "{text}"
    );
    let page = |number: &str| convert_with("a.pptx", &file, "png", &[("page", number)]);
    assert!(page("2").is_ok());
    assert!(page("3").is_err());
    let (zip, _) = page("all").unwrap();
    assert!(zip.starts_with(b"PK"));
}

#[test]
fn notes_have_pages_if_they_are_asked_for() {
    let notes = shapes(
        "p:notes",
        "",
        &shape("type=\"body\" idx=\"1\"", "", &paragraph("", "spoken")),
        "",
    );
    let file = slide(
        &shape("", &at(0, 0, INCH, INCH), &paragraph("", "seen")),
        &[("rId1", "notesSlide", "../n.xml")],
    )
    .packed("ppt/n.xml", notes.as_bytes())
    .finish();
    let words = |fields: &[(&str, &str)]| {
        let (pdf, _) = convert_with("a.pptx", &file, "pdf", fields).unwrap();
        text_of("a.pdf", &pdf, "txt").unwrap()
    };
    assert!(!words(&[]).contains("spoken"));
    assert!(words(&[("notes", "pages")]).contains("spoken"));
}

#[test]
fn text_is_turned_with_its_shape() {
    let place = format!(
        "<a:xfrm rot=\"5400000\"><a:off x=\"{INCH}\" y=\"{}\"/><a:ext cx=\"{}\" cy=\"{INCH}\"/></a:xfrm>",
        4 * INCH,
        5 * INCH
    );
    let file = slide(&shape("", &place, &paragraph("", "turned")), &[]).finish();
    let picture = picture(&file);
    let dark = picture
        .enumerate_pixels()
        .filter(|(.., pixel)| pixel.0[0] < 128);
    let places: Vec<_> = dark.map(|(x, y, _)| (x / 36, y / 36)).collect();
    assert!(!places.is_empty());
    // The rectangle is upright now, from 2 to 7 inches, and its text begins at the top.
    assert!(
        places
            .iter()
            .all(|(x, y)| *x >= 3 && *x <= 4 && (2..=3).contains(y)),
        "{places:?}"
    );
}

#[test]
fn a_deck_without_slides_gives_no_pdf() {
    let err = convert_with("a.pptx", &deck(&[]).finish(), "pdf", &[]).unwrap_err();
    assert!(err.message().contains("no slides"), "{err:?}");
    let hidden = shapes("p:sld", "show=\"0\"", "", "");
    let file = deck(&[(&hidden, &relationships(&[]))]).finish();
    let err = convert_with("a.pptx", &file, "pdf", &[]).unwrap_err();
    assert!(
        err.message().contains("hidden=keep") || err.message().contains("hidden"),
        "{err:?}"
    );
}

#[test]
fn hidden_content_is_in_no_format() {
    let shown = |row: i64, hidden: &str, words: &str| {
        shape(
            "",
            &at(0, row * INCH, 4 * INCH, INCH),
            &paragraph("", words),
        )
        .replace("name=\"x\"", &format!("name=\"x\"{hidden}"))
    };
    let group = |row: i64, hidden: &str, words: &str| {
        format!(
            "<p:grpSp><p:nvGrpSpPr><p:cNvPr id=\"9\" name=\"g\"{hidden}/></p:nvGrpSpPr><p:grpSpPr/>{}</p:grpSp>",
            shown(row, "", words)
        )
    };
    let tree = [
        shown(0, "", "seen"),
        shown(1, " hidden=\"1\"", "first"),
        shown(2, " hidden=\"0\"", "stays"),
        group(3, " hidden=\"true\"", "second"),
        group(4, "", "grouped"),
    ];
    let file = slide(&tree.concat(), &[]).finish();
    for to in ["txt", "md", "html", "docx", "pdf"] {
        let (made, _) = convert_with("a.pptx", &file, to, &[]).unwrap();
        let words = match to {
            "txt" => String::from_utf8(made).unwrap(),
            _ => text_of(&format!("a.{to}"), &made, "txt").unwrap(),
        };
        for (word, there) in [
            ("seen", true),
            ("stays", true),
            ("grouped", true),
            ("first", false),
            ("second", false),
        ] {
            assert_eq!(words.contains(word), there, "{to}: {words}");
        }
    }
}

#[test]
fn cells_of_tables_have_four_insets() {
    /// The extent of the letters in the only cell, which is 4 inches wide and 2 inches high, in inches from its corner.
    fn edges(insets: &str) -> [f64; 4] {
        let cell = format!(
            "<a:tc><a:txBody><a:bodyPr/>{}</a:txBody><a:tcPr {insets}/></a:tc>",
            paragraph("", "WWWW WWWW WWWW WWWW WWWW WWWW WWWW WWWW")
        );
        let tree = format!(
            "<p:graphicFrame><p:xfrm><a:off x=\"{INCH}\" y=\"{INCH}\"/><a:ext cx=\"{}\" cy=\"{}\"/></p:xfrm><a:graphic><a:graphicData><a:tbl><a:tblGrid><a:gridCol w=\"{}\"/></a:tblGrid><a:tr h=\"{}\">{cell}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>",
            4 * INCH,
            2 * INCH,
            4 * INCH,
            2 * INCH
        );
        let picture = picture(&slide(&tree, &[]).finish());
        let dark = picture
            .enumerate_pixels()
            .filter(|(.., pixel)| pixel.0[0] < 100);
        let places: Vec<(u32, u32)> = dark.map(|(x, y, _)| (x, y)).collect();
        let inches = |at: Option<u32>| f64::from(at.unwrap()) / 36.0 - 1.0;
        [
            inches(places.iter().map(|(x, _)| *x).min()),
            inches(places.iter().map(|(_, y)| *y).min()),
            inches(places.iter().map(|(x, _)| *x).max()),
            inches(places.iter().map(|(_, y)| *y).max()),
        ]
    }
    let plain = edges("");
    let inch = |name: &str| edges(&format!("{name}=\"{INCH}\""));
    assert!((inch("marL")[0] - plain[0] - 0.9).abs() < 0.1);
    assert!((inch("marT")[1] - plain[1] - 0.95).abs() < 0.1);
    assert!(inch("marR")[2] < plain[2] - 0.5);
    let raised = edges(&format!("anchor=\"b\" marB=\"{INCH}\""));
    assert!((edges("anchor=\"b\"")[3] - raised[3] - 0.95).abs() < 0.1);
}

#[test]
fn all_pages_of_notes_have_the_label_of_their_slide() {
    let spoken = paragraph("", "A line of what is spoken.").repeat(60);
    let notes = shapes(
        "p:notes",
        "",
        &shape("type=\"body\" idx=\"1\"", "", &spoken),
        "",
    );
    let own = relationships(&[("rId1", "notesSlide", "../n.xml")]);
    let first = shapes(
        "p:sld",
        "",
        &shape("", &at(0, 0, INCH, INCH), &paragraph("", "one")),
        "",
    );
    let second = shapes(
        "p:sld",
        "",
        &shape("", &at(0, 0, INCH, INCH), &paragraph("", "two")),
        "",
    );
    let file = deck(&[(&first, &own), (&second, &relationships(&[]))])
        .packed("ppt/n.xml", notes.as_bytes())
        .finish();
    let (pdf, _) = convert_with("a.pptx", &file, "pdf", &[("notes", "pages")]).unwrap();
    let (words, _) = convert_with("a.pdf", &pdf, "txt", &[("pages", "marked")]).unwrap();
    let pages = String::from_utf8(words)
        .unwrap()
        .matches("<!-- page ")
        .count();
    assert!(pages >= 4, "{pages}");
    if !tools::has("qpdf") {
        return;
    }
    let at = std::env::temp_dir().join(format!("convertd-labels-{}.pdf", std::process::id()));
    std::fs::write(&at, &pdf).unwrap();
    let listed = std::process::Command::new("qpdf")
        .args(["--json=1", "--json-key=pages"])
        .arg(&at)
        .output()
        .unwrap();
    std::fs::remove_file(at).unwrap();
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).unwrap();
    let labels: Vec<i64> = (listed["pages"].as_array().unwrap().iter())
        .map(|page| page["label"]["/St"].as_i64().unwrap())
        .collect();
    let (last, others) = labels.split_last().unwrap();
    assert_eq!((*last, others.len()), (2, pages - 1));
    assert!(others.iter().all(|label| *label == 1), "{labels:?}");
}

#[test]
fn letters_are_spaced_outlined_and_tabbed() {
    /// Horizontal positions of the ink of a paragraph in a box at 1 inch, in 36ths of an inch.
    fn columns(paragraph: &str) -> Vec<u32> {
        let place = at(INCH, INCH, 8 * INCH, INCH);
        let file = slide(&shape("", &place, paragraph), &[]).finish();
        let picture = picture(&file);
        let ink = picture.enumerate_pixels();
        let ink = ink.filter(|(.., pixel)| pixel.0[1] < 160);
        let mut columns: Vec<u32> = ink.map(|(x, ..)| x).collect();
        columns.sort_unstable();
        columns
    }
    let run = |properties: &str, text: &str| {
        format!("<a:r><a:rPr {properties}</a:rPr><a:t>{text}</a:t></a:r>")
    };
    let end = |paragraph: &str| columns(paragraph).last().copied().unwrap_or(0);
    let [usual, spaced] = ["", "spc=\"1200\""].map(|more| {
        end(&format!(
            "<a:p>{}</a:p>",
            run(&format!("sz=\"2000\" {more}>"), "MMMMM")
        ))
    });
    // Twelve points between letters, four times.
    assert!(
        (usual + 20..usual + 28).contains(&spaced),
        "{usual} {spaced}"
    );
    let tabs = "<a:pPr><a:tabLst><a:tab pos=\"4572000\" algn=\"r\"/></a:tabLst></a:pPr>";
    let tabbed = end(&format!("<a:p>{tabs}{}</a:p>", run("sz=\"2000\">", "M\tM")));
    // The tab stop is five inches from the inset, which is a tenth of an inch.
    assert!((217..=221).contains(&tabbed), "{tabbed}");
    // The text after a hanging label begins at the margin, even if a tab stop comes earlier.
    let hung = |stops: &str| {
        let label = format!(
            "<a:pPr marL=\"1828800\" indent=\"-914400\"><a:buChar char=\"•\"/>{stops}</a:pPr>"
        );
        end(&format!("<a:p>{label}{}</a:p>", run("sz=\"2000\">", "M")))
    };
    assert_eq!(
        hung("<a:tabLst><a:tab pos=\"1371600\" algn=\"l\"/></a:tabLst>"),
        hung("")
    );
    let edge = format!("<a:ln w=\"12700\">{}</a:ln><a:noFill/>", solid("ff0000"));
    let [outlined, filled] = [edge, solid("ff0000")].map(|paint| {
        columns(&format!(
            "<a:p>{}</a:p>",
            run(&format!("sz=\"6000\">{paint}"), "O")
        ))
        .len()
    });
    // The strokes of the letter are not filled.
    assert!(
        outlined > 0 && outlined < filled,
        "{outlined} of {filled} pixels"
    );
}

#[test]
fn text_columns_are_filled_one_after_the_other() {
    let text = paragraph("", "HHHH").repeat(4);
    let place = at(2 * INCH, 2 * INCH, 4 * INCH, INCH * 3 / 4);
    // Dark pixels in both halves of the box, and below it.
    let dark = |properties: &str| {
        let body = format!("<a:bodyPr {properties}/>");
        let tree = shape("", &place, &text).replace("<a:bodyPr/>", &body);
        let picture = picture(&slide(&tree, &[]).finish());
        let is_dark = |x: std::ops::Range<u32>, y: std::ops::Range<u32>| {
            let mut all = x.flat_map(|x| y.clone().map(move |y| (x, y)));
            all.any(|(x, y)| picture.get_pixel(x, y).0[0] < 128)
        };
        (
            is_dark(72..144, 72..100),
            is_dark(144..216, 72..100),
            is_dark(72..216, 104..150),
        )
    };
    assert_eq!(dark(""), (true, false, true));
    assert_eq!(dark("numCol=\"2\" spcCol=\"91440\""), (true, true, false));
    // Text that is not wrapped has one column.
    assert!(!dark("numCol=\"2\" wrap=\"none\"").1);
}
