//! Conversions between presentations: the slides look the same, and a copy in the same format keeps its parts.

use crate::{
    harness::{convert_with, text_of},
    slides::{at, deck, paragraph, part, relationships, shape, shapes, slide},
    tools,
    zips::{Zip, entries},
};
use std::process::Command;

/// English Metric Units per inch.
const INCH: i64 = 914_400;

/// Picture of the first slide, which is ten inches wide, at 36 dots per inch.
#[track_caller]
fn picture(name: &str, file: &[u8]) -> image::RgbImage {
    let (png, _) = convert_with(name, file, "png", &[("dpi", "36")]).unwrap();
    image::load_from_memory(&png).unwrap().to_rgb8()
}

/// Checks that a slide with these shapes looks the same after its conversion to an OpenDocument presentation, and after
/// the conversion of that to a PowerPoint presentation.
#[track_caller]
fn check(tree: &str) {
    let notes = check_file(&slide(tree, &[]).finish());
    assert!(notes.is_empty(), "{notes:?}");
}

/// Checks the first slide of a PowerPoint presentation in the same way. Returns the notes of the conversions.
#[track_caller]
fn check_file(file: &[u8]) -> Vec<String> {
    check_within(file, 50)
}

/// The same, but one of `share` pixels that are not white may differ.
#[track_caller]
fn check_within(file: &[u8], share: usize) -> Vec<String> {
    let before = picture("a.pptx", file);
    let ink = before.pixels().filter(|pixel| pixel.0 != [255; 3]).count();
    assert!(ink > 100, "the slide is empty");
    let (odp, mut notes) = convert_with("a.pptx", file, "odp", &[]).unwrap();
    let (pptx, more) = convert_with("a.odp", &odp, "pptx", &[]).unwrap();
    notes.0.extend(more.0);
    for (name, file) in [("a.odp", odp), ("a.pptx", pptx)] {
        let after = picture(name, &file);
        assert_eq!(after.dimensions(), before.dimensions(), "{name}");
        let pairs = before.pixels().zip(after.pixels());
        let differ = pairs.filter(|(one, other)| {
            let mut channels = one.0.iter().zip(other.0);
            channels.any(|(one, other)| one.abs_diff(other) > 48)
        });
        // Edges are drawn from rounded coordinates.
        let differ = differ.count();
        assert!(differ * share < ink, "{name}: {differ} of {ink}");
    }
    notes.0
}

/// A shape 2 inches from the left and from the top, 4 inches wide and 2 inches high, with these attributes of its
/// place.
fn shaped(attributes: &str, look: &str, text: &str) -> String {
    let place = at(2 * INCH, 2 * INCH, 4 * INCH, 2 * INCH);
    let place = place.replace("<a:xfrm>", &format!("<a:xfrm {attributes}>"));
    shape("", &format!("{place}{look}"), text)
}

fn solid(colour: &str) -> String {
    format!("<a:solidFill><a:srgbClr val=\"{colour}\"/></a:solidFill>")
}

#[test]
fn shapes_keep_their_places_outlines_and_fills() {
    let preset = |name: &str| format!("<a:prstGeom prst=\"{name}\"><a:avLst/></a:prstGeom>");
    let red = solid("c82814");
    check(&shaped("", &format!("{}{red}", preset("cloud")), ""));
    check(&shaped(
        "rot=\"1800000\" flipH=\"1\"",
        &format!("{}{red}", preset("rightArrow")),
        "",
    ));
    let own = "<a:custGeom><a:pathLst><a:path w=\"2\" h=\"2\"><a:moveTo><a:pt x=\"1\" y=\"0\"/></a:moveTo>\
        <a:lnTo><a:pt x=\"2\" y=\"2\"/></a:lnTo><a:lnTo><a:pt x=\"0\" y=\"2\"/></a:lnTo><a:close/></a:path></a:pathLst></a:custGeom>";
    check(&shaped("flipV=\"1\"", &format!("{own}{red}"), ""));
    let gradient = "<a:gradFill><a:gsLst><a:gs pos=\"0\"><a:srgbClr val=\"2060c0\"/></a:gs>\
        <a:gs pos=\"100000\"><a:srgbClr val=\"f0e0a0\"/></a:gs></a:gsLst><a:lin ang=\"2700000\"/></a:gradFill>";
    check(&shaped("", &format!("{}{gradient}", preset("rect")), ""));
    let line = "<a:lin ang=\"2700000\"/>";
    let around = "<a:path path=\"rect\"><a:fillToRect l=\"50000\" t=\"50000\" r=\"50000\" b=\"50000\"/></a:path>";
    let around = gradient.replace(line, around);
    check(&shaped("", &format!("{}{around}", preset("rect")), ""));
    let axial = "<a:gs pos=\"50000\"><a:srgbClr val=\"f0e0a0\"/></a:gs><a:gs pos=\"100000\"><a:srgbClr val=\"2060c0\"/></a:gs>";
    let axial = gradient
        .replace(
            "<a:gs pos=\"100000\"><a:srgbClr val=\"f0e0a0\"/></a:gs>",
            axial,
        )
        .replace(line, "<a:lin ang=\"5400000\"/>");
    check(&shaped("", &format!("{}{axial}", preset("rect")), ""));
    let line = format!("<a:ln w=\"114300\">{red}<a:prstDash val=\"dash\"/></a:ln>");
    check(&shaped("", &format!("{}{line}", preset("ellipse")), ""));
    let arrow = format!("<a:ln w=\"57150\">{red}<a:tailEnd type=\"triangle\"/></a:ln>");
    check(&shaped(
        "flipV=\"1\"",
        &format!("{}{arrow}", preset("line")),
        "",
    ));
    let inner = shaped("", &format!("{}{red}", preset("star5")), "");
    check(&format!(
        "<p:grpSp><p:nvGrpSpPr/><p:grpSpPr><a:xfrm rot=\"5400000\"><a:off x=\"0\" y=\"0\"/><a:ext cx=\"6000000\" \
         cy=\"6000000\"/><a:chOff x=\"0\" y=\"0\"/><a:chExt cx=\"9000000\" cy=\"9000000\"/></a:xfrm></p:grpSpPr>{inner}</p:grpSp>"
    ));
}

#[test]
fn texts_keep_their_formatting() {
    let run = |properties: &str, text: &str| {
        format!("<a:r><a:rPr {properties}</a:rPr><a:t>{text}</a:t></a:r>")
    };
    let dark = format!("<a:prstGeom prst=\"roundRect\"/>{}", solid("203040"));
    let white = run(
        &format!("sz=\"3200\" b=\"1\">{}", solid("ffffff")),
        "White on dark",
    );
    check(&shaped(
        "",
        &dark,
        &format!("<a:p><a:pPr algn=\"ctr\"/>{white}</a:p>"),
    ));
    let large = run("sz=\"4000\" i=\"1\">", "Large");
    let right = format!(
        "<a:p><a:pPr algn=\"r\"><a:spcBef><a:spcPts val=\"2400\"/></a:spcBef></a:pPr>{large}</a:p>"
    );
    check(&shaped("", "", &right));
    let spaced = run("sz=\"2800\" spc=\"800\">", "Spaced");
    check(&shaped("", "", &format!("<a:p>{spaced}</a:p>")));
    let edges = format!("<a:ln w=\"12700\">{}</a:ln><a:noFill/>", solid("c82814"));
    let edges = run(&format!("sz=\"6000\" b=\"1\">{edges}"), "Edges");
    check(&shaped("", "", &format!("<a:p>{edges}</a:p>")));
    let item = |level: u8, bullet: &str, text: &str| {
        let margin = 457_200 * (i64::from(level) + 1);
        format!(
            "<a:p><a:pPr lvl=\"{level}\" marL=\"{margin}\" indent=\"-342900\">{bullet}</a:pPr>{}</a:p>",
            run("sz=\"2000\">", text)
        )
    };
    let dot = "<a:buChar char=\"•\"/>";
    let number = "<a:buAutoNum type=\"romanUcPeriod\" startAt=\"3\"/>";
    check(&shaped(
        "",
        "",
        &[
            item(0, dot, "one"),
            item(1, number, "two"),
            item(1, number, "three"),
        ]
        .concat(),
    ));
    let turned = shaped("", "", &format!("<a:p>{large}</a:p>"));
    check(&turned.replace("<a:bodyPr/>", "<a:bodyPr vert=\"vert\" anchor=\"ctr\"/>"));
    let lines = format!("<a:p>{}</a:p>", run("sz=\"2400\">", "HHHH")).repeat(6);
    let columns = "<a:bodyPr numCol=\"2\" spcCol=\"457200\"/>";
    check(&shaped("", "", &lines).replace("<a:bodyPr/>", columns));
}

#[test]
fn charts_of_masters_and_layouts_keep_their_places() {
    let chart = |kind: &str, values: [u8; 2]| {
        let points = values.iter().enumerate();
        let points: String = points
            .map(|(at, value)| format!("<c:pt idx=\"{at}\"><c:v>{value}</c:v></c:pt>"))
            .collect();
        let series = format!(
            "<c:ser><c:idx val=\"0\"/><c:val><c:numRef><c:numCache>{points}</c:numCache></c:numRef></c:val></c:ser>"
        );
        let area =
            format!("<c:chart><c:plotArea><c:{kind}>{series}</c:{kind}></c:plotArea></c:chart>");
        part("c:chartSpace", "", &area)
    };
    let frame = |x: i64| {
        let place = at(x * INCH, 2 * INCH, 3 * INCH, 3 * INCH).replace("a:xfrm", "p:xfrm");
        format!(
            "<p:graphicFrame>{place}<a:graphic><a:graphicData><c:chart r:id=\"rId2\"/></a:graphicData></a:graphic></p:graphicFrame>"
        )
    };
    let chart_of = |name| ("rId2", "chart", name);
    let file = slide(
        &frame(6),
        &[("rId1", "slideLayout", "../l.xml"), chart_of("../a.xml")],
    )
    .packed("ppt/a.xml", chart("pieChart", [1, 1]).as_bytes())
    .packed(
        "ppt/l.xml",
        shapes("p:sldLayout", "", &frame(3), "").as_bytes(),
    )
    .packed(
        "ppt/_rels/l.xml.rels",
        relationships(&[("rId1", "slideMaster", "m.xml"), chart_of("b.xml")]).as_bytes(),
    )
    .packed("ppt/b.xml", chart("barChart", [9, 2]).as_bytes())
    .packed(
        "ppt/m.xml",
        shapes("p:sldMaster", "", &frame(0), "").as_bytes(),
    )
    .packed(
        "ppt/_rels/m.xml.rels",
        relationships(&[chart_of("c.xml")]).as_bytes(),
    )
    .packed("ppt/c.xml", chart("lineChart", [1, 8]).as_bytes())
    .finish();
    // Charts consist of thin lines and small letters, whose edges differ most. A chart with the drawing of another would
    // differ in a third of the pixels.
    assert_eq!(check_within(&file, 12), ["3 charts became pictures."]);
}

#[test]
fn tables_keep_their_cells() {
    let cell = |attributes: &str, text: &str, colour: &str| {
        format!(
            "<a:tc {attributes}><a:txBody><a:bodyPr/>{}</a:txBody><a:tcPr anchor=\"ctr\"><a:lnB w=\"38100\">{}</a:lnB>{}</a:tcPr></a:tc>",
            paragraph("", text),
            solid("000000"),
            solid(colour),
        )
    };
    let table = format!(
        "<a:tbl><a:tblPr/><a:tblGrid><a:gridCol w=\"1828800\"/><a:gridCol w=\"1828800\"/></a:tblGrid>\
         <a:tr h=\"914400\">{}{}</a:tr><a:tr h=\"457200\">{}{}</a:tr><a:tr h=\"457200\">{}{}</a:tr></a:tbl>",
        cell("gridSpan=\"2\"", "wide", "ffd080"),
        cell("hMerge=\"1\"", "", "000000"),
        cell("rowSpan=\"2\"", "high", "80d0ff"),
        cell("", "a", "c0ffc0"),
        cell("vMerge=\"1\"", "", "000000"),
        cell("", "b", "ffc0c0"),
    );
    let place = at(INCH, INCH, 4 * INCH, 2 * INCH).replace("a:xfrm", "p:xfrm");
    check(&format!(
        "<p:graphicFrame>{place}<a:graphic><a:graphicData>{table}</a:graphicData></a:graphic></p:graphicFrame>"
    ));
}

#[test]
fn slides_notes_and_links_are_kept() {
    let title = |text: &str| {
        shape(
            "type=\"title\"",
            &at(0, 0, INCH, INCH),
            &paragraph("", text),
        )
    };
    let link = "<a:p><a:r><a:rPr><a:hlinkClick r:id=\"rId2\" action=\"ppaction://hlinksldjump\"/></a:rPr><a:t>go on</a:t></a:r></a:p>";
    let first = title("First") + &shape("", &at(INCH, INCH, INCH, INCH), link);
    let notes = shapes(
        "p:notes",
        "",
        &shape("type=\"body\" idx=\"1\"", "", &paragraph("", "Say it")),
        "",
    );
    let file = deck(&[
        (
            &shapes("p:sld", "", &first, ""),
            &relationships(&[
                ("rId1", "notesSlide", "../n.xml"),
                ("rId2", "slide", "slide2.xml"),
            ]),
        ),
        (&shapes("p:sld", "show=\"0\"", &title("Hidden"), ""), "<x/>"),
        (&shapes("p:sld", "", &title("Last"), ""), "<x/>"),
    ])
    .packed("ppt/n.xml", notes.as_bytes())
    .finish();
    let (odp, _) = convert_with("a.pptx", &file, "odp", &[]).unwrap();
    let (pptx, _) = convert_with("a.odp", &odp, "pptx", &[]).unwrap();
    for (name, file) in [("a.odp", &odp), ("a.pptx", &pptx)] {
        let (text, _) = convert_with(name, file, "md", &[("hidden", "keep")]).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(
            text.contains("# Hidden") && text.contains("> Say it"),
            "{name}: {text}"
        );
        let text = text_of(name, file, "md").unwrap();
        assert!(!text.contains("Hidden"), "{name}: {text}");
    }
    let content = String::from_utf8(named(&odp, "content.xml")).unwrap();
    assert!(content.contains("xlink:href=\"#page3\""), "{content}");
    let links = String::from_utf8(named(&pptx, "ppt/slides/_rels/slide1.xml.rels")).unwrap();
    assert!(links.contains("\"slide3.xml\""), "{links}");
    // Without the hidden slide, the last one is the second.
    let (odp, notes) = convert_with("a.pptx", &file, "odp", &[("hidden", "omit")]).unwrap();
    assert_eq!(
        notes.0,
        ["A hidden slide was left out; `hidden=keep` keeps it."]
    );
    let content = String::from_utf8(named(&odp, "content.xml")).unwrap();
    assert!(content.contains("xlink:href=\"#page2\""), "{content}");
}

/// An entry of an archive.
fn named(file: &[u8], name: &str) -> Vec<u8> {
    let all = entries(file);
    let found = all.into_iter().find(|(known, _)| known == name);
    found.unwrap_or_else(|| panic!("no {name}")).1
}

#[test]
fn a_copy_keeps_all_parts_but_macros() {
    const MAIN: &str =
        "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml";
    let tree = shape("", &at(0, 0, INCH, INCH), &paragraph("", "words"));
    let types = "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\
        <Default Extension=\"bin\" ContentType=\"application/vnd.ms-office.vbaProject\"/>\
        <Override PartName=\"/ppt/presentation.xml\" ContentType=\"application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml\"/></Types>";
    let main = part(
        "p:presentation",
        "",
        "<p:sldIdLst><p:sldId id=\"256\" r:id=\"rId1\"/></p:sldIdLst><p:sldSz cx=\"9144000\" cy=\"6858000\"/>",
    );
    let own = relationships(&[
        ("rId1", "slide", "slides/slide1.xml"),
        ("rId2", "vbaProject", "vbaProject.bin"),
    ]);
    let root = relationships(&[("rId1", "officeDocument", "ppt/presentation.xml")]);
    let file = Zip::default()
        .packed("[Content_Types].xml", types.as_bytes())
        .packed("_rels/.rels", root.as_bytes())
        .packed("ppt/presentation.xml", main.as_bytes())
        .packed("ppt/_rels/presentation.xml.rels", own.as_bytes())
        .packed(
            "ppt/slides/slide1.xml",
            shapes("p:sld", "", &tree, "").as_bytes(),
        )
        .packed("ppt/vbaProject.bin", b"macros")
        .packed("ppt/vbaProjectSignature.bin", b"signed")
        .packed("ppt/comments/comment1.xml", b"<c/>")
        .finish();
    let (copy, notes) = convert_with("a.pptm", &file, "pptx", &[]).unwrap();
    assert_eq!(notes.0, ["The macros were left out."]);
    let before = entries(&file);
    let after = entries(&copy);
    let mut names: Vec<&str> = after.iter().map(|(name, _)| &**name).collect();
    names.sort_unstable();
    let mut expected: Vec<&str> = before.iter().map(|(name, _)| &**name).collect();
    expected.retain(|name| !name.contains("vbaProject"));
    expected.sort_unstable();
    assert_eq!(names, expected);
    for name in [
        "ppt/presentation.xml",
        "ppt/slides/slide1.xml",
        "ppt/comments/comment1.xml",
    ] {
        assert_eq!(named(&copy, name), named(&file, name), "{name}");
    }
    let types = String::from_utf8(named(&copy, "[Content_Types].xml")).unwrap();
    assert!(types.contains(MAIN) && !types.contains("vba"), "{types}");
    let own = String::from_utf8(named(&copy, "ppt/_rels/presentation.xml.rels")).unwrap();
    assert!(
        own.contains("slides/slide1.xml") && !own.contains("vba"),
        "{own}"
    );
}

#[test]
fn python_pptx_finds_every_frame_at_its_place() {
    const SCRIPT: &str = "import sys, pptx\n\
        for slide in pptx.Presentation(sys.argv[1]).slides:\n\
        \x20   for shape in slide.shapes:\n\
        \x20       text = shape.text_frame.text if shape.has_text_frame else ''\n\
        \x20       print(shape.left, shape.top, shape.width, shape.height, shape.rotation, text)\n";
    if !tools::has("python3") || !tools::has_module("pptx") {
        return;
    }
    let talk = include_bytes!("../data/presentations/talk.ppt");
    let (file, _) = convert_with("talk.ppt", talk, "pptx", &[]).unwrap();
    let path = std::env::temp_dir().join(format!("convertd-kept-{}.pptx", std::process::id()));
    std::fs::write(&path, &file).unwrap();
    let output = Command::new("python3")
        .args(["-c", SCRIPT])
        .arg(&path)
        .output()
        .unwrap();
    std::fs::remove_file(&path).unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let found = String::from_utf8(output.stdout).unwrap();
    // These places are in EMU. The presentation states them in master units, of which an inch has 576.
    for expected in [
        "457200 274638 8229600 1143000 0.0 A talk\n",
        "1079500 2160588 1800225 1079500 0.0 Round\n",
        "4319588 2160588 1439863 960438 0.0 \n",
        "1577975 4319588 2603500 577850 0.0 Bold and large\n",
    ] {
        assert!(found.contains(expected), "{expected} in {found}{said}");
    }
}
