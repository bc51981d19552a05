//! Rotated pictures, groups of shapes, and frames that are as high as their text: the colours of places on a page, as
//! poppler draws it. LibreOffice shows the same colours there.

use crate::{
    harness::{convert, directory, drawn, has},
    zips,
};
use std::{fs, panic::Location};

/// A picture whose left half is red and whose right half is blue, as hexadecimal digits. It has many pixels, because
/// poppler blends those of a few when it rotates them.
const PNG: &str = "89504e470d0a1a0a0000000d4948445200000028000000100802000000ebb5aafa000000234944415478da63f8cfc04036a240eb7f86518b472d1eb578d4e2518b472d1eb518860020d57d9fc9c7570d0000000049454e44ae426082";

const RED: [u8; 3] = [255, 0, 0];
const BLUE: [u8; 3] = [0, 0, 255];
const YELLOW: [u8; 3] = [255, 255, 0];
const WHITE: [u8; 3] = [255; 3];

/// Checks the colours at positions of the first page, in points.
#[track_caller]
fn check(name: &str, file: &[u8], expected: &[(u32, u32, [u8; 3])]) {
    if !has("pdftoppm") {
        return;
    }
    let at = directory(&format!("turned-{}", Location::caller().line()));
    let pdf = at.join("a.pdf");
    fs::write(&pdf, convert(name, file, "pdf").unwrap()).unwrap();
    let page = drawn(&pdf, "72");
    let _ = fs::remove_dir_all(at);
    for (x, y, colour) in expected {
        let found = page.get_pixel(*x, *y).0;
        let is_near = found
            .iter()
            .zip(colour)
            .all(|(one, other)| one.abs_diff(*other) < 40);
        assert!(is_near, "{found:?} instead of {colour:?} at {x}, {y}");
    }
}

/// A Word document of a page of 200 by 200 points without margins, with VML in its first paragraph.
fn vml(shapes: &str) -> Vec<u8> {
    let png: Vec<u8> = (0..PNG.len() / 2)
        .map(|at| u8::from_str_radix(&PNG[at * 2..at * 2 + 2], 16).unwrap())
        .collect();
    let document = format!(
        "<?xml version=\"1.0\"?><w:document {} xmlns:v=\"urn:schemas-microsoft-com:vml\"><w:body><w:p><w:r><w:pict>{shapes}</w:pict></w:r></w:p><w:sectPr><w:pgSz w:w=\"4000\" w:h=\"4000\"/><w:pgMar w:top=\"0\" w:right=\"0\" w:bottom=\"0\" w:left=\"0\" w:header=\"0\" w:footer=\"0\" w:gutter=\"0\"/></w:sectPr></w:body></w:document>",
        zips::W
    );
    zips::word()
        .packed("word/document.xml", document.as_bytes())
        .packed(
            "word/_rels/document.xml.rels",
            zips::relations(&[("p", "image", "p.png", false)]).as_bytes(),
        )
        .packed("word/p.png", &png)
        .finish()
}

/// A picture in VML with these properties.
fn picture(style: &str) -> String {
    format!("<v:shape style=\"{style}\" stroked=\"f\"><v:imagedata r:id=\"p\"/></v:shape>")
}

#[test]
fn pictures_of_vml_are_rotated() {
    let at = "position:absolute;margin-left:50pt;margin-top:60pt;width:100pt;height:40pt";
    let plain = [(60, 80, RED), (140, 80, BLUE), (100, 40, WHITE)];
    check("a.docx", &vml(&picture(at)), &plain);
    // A quarter turn about the middle: the red half is above.
    let quarter = [
        (100, 50, RED),
        (100, 110, BLUE),
        (60, 80, WHITE),
        (140, 80, WHITE),
    ];
    check(
        "a.docx",
        &vml(&picture(&format!("{at};rotation:90"))),
        &quarter,
    );
    let other = [(100, 50, BLUE), (100, 110, RED), (60, 80, WHITE)];
    let units = format!("{at};rotation:{}fd", 270 * 65_536);
    check("a.docx", &vml(&picture(&units)), &other);
    // The middle of the red half moves to the upper left.
    let tilted = [
        (82, 62, RED),
        (118, 98, BLUE),
        (55, 95, WHITE),
        (145, 65, WHITE),
    ];
    check(
        "a.docx",
        &vml(&picture(&format!("{at};rotation:45"))),
        &tilted,
    );
}

#[test]
fn groups_of_vml_contain_pictures() {
    let group = format!(
        "<v:group style=\"position:absolute;margin-left:20pt;margin-top:40pt;width:120pt;height:80pt\" coordsize=\"1200,800\"><v:rect style=\"position:absolute;left:0;top:0;width:600;height:400\" fillcolor=\"#ffff00\" stroked=\"f\"/>{}</v:group>",
        picture("position:absolute;left:600;top:400;width:600;height:400;rotation:180")
    );
    let expected = [
        (40, 60, YELLOW),
        (90, 100, BLUE),
        (130, 100, RED),
        (110, 60, WHITE),
    ];
    check("a.docx", &vml(&group), &expected);
}

/// An RTF of a page of 200 by 200 points without margins.
fn rtf(content: &str) -> Vec<u8> {
    format!(
        "{{\\rtf1\\ansi\\paperw4000\\paperh4000\\margl0\\margr0\\margt0\\margb0 {content}\\par}}"
    )
    .into_bytes()
}

/// Properties of a shape in RTF.
fn properties(of: &[(&str, i64)]) -> String {
    let property = |(name, value): &(&str, i64)| format!("{{\\sp{{\\sn {name}}}{{\\sv {value}}}}}");
    of.iter().map(property).collect()
}

#[test]
fn groups_of_rtf_are_drawn_with_their_texts() {
    let own = |place: [i64; 4], fill: i64, more: &[(&str, i64)]| {
        let [left, top, right, bottom] = place;
        let place = [
            ("relLeft", left),
            ("relTop", top),
            ("relRight", right),
            ("relBottom", bottom),
        ];
        let look = [("shapeType", 1), ("fillColor", fill), ("fLine", 0)];
        properties(&place) + &properties(&look) + &properties(more)
    };
    let shape = |own: String, text: &str| {
        let text = match text {
            "" => String::new(),
            text => format!("{{\\shptxt \\pard\\plain {text}\\par}}"),
        };
        format!("{{\\shp{{\\*\\shpinst {own}{text}}}}}")
    };
    let group = |edges: &str, own: &[(&str, i64)], content: &str| {
        format!(
            "{{\\shpgrp{{\\*\\shpinst{edges}{}{content}}}}}",
            properties(own)
        )
    };
    let picture = format!(
        "{{\\shp{{\\*\\shpinst {}{{\\sp{{\\sn pib}}{{\\sv {{\\pict\\pngblip {PNG}}}}}}}}}}}",
        own([0, 0, 100, 100], 0, &[("shapeType", 75), ("fFilled", 0)])
    );
    let inner = group(
        "",
        &[
            ("relLeft", 600),
            ("relTop", 400),
            ("relRight", 1200),
            ("relBottom", 800),
            ("groupLeft", 0),
            ("groupTop", 0),
            ("groupRight", 100),
            ("groupBottom", 100),
        ],
        &picture,
    );
    let edges = "\\shpleft400\\shptop800\\shpright2800\\shpbottom2400\\shpbxcolumn\\shpbypara\\shpwr3\\shpz1";
    let coordinates = [
        ("groupLeft", 0),
        ("groupTop", 0),
        ("groupRight", 1200),
        ("groupBottom", 800),
    ];
    let content = [
        shape(own([0, 0, 600, 400], 0xffff, &[]), "text"),
        // In front of the first one, because it comes later.
        shape(own([300, 0, 600, 200], 0xff, &[]), ""),
        inner,
    ];
    let file = rtf(&group(edges, &coordinates, &content.concat()));
    let expected = [
        (30, 75, YELLOW),
        (70, 50, RED),
        (90, 110, RED),
        (130, 110, BLUE),
        (110, 60, WHITE),
    ];
    check("a.rtf", &file, &expected);
    let txt = String::from_utf8(convert("a.rtf", &file, "txt").unwrap()).unwrap();
    assert_eq!(txt.trim(), "text\n\n[picture]");
    // A group that does not end.
    let cut = &file[..file.len() - 20];
    let txt = String::from_utf8(convert("a.rtf", cut, "txt").unwrap()).unwrap();
    assert!(txt.contains("text"), "{txt}");
    assert!(convert("a.rtf", cut, "pdf").is_ok());
}

#[test]
fn texts_in_groups_are_rotated_with_their_own_shapes() {
    // The background of the text is at the upper left of the right shape, and upside down at its lower right.
    let expected = [
        (40, 60, YELLOW),
        (90, 50, YELLOW),
        (125, 70, RED),
        (40, 110, WHITE),
    ];
    let text = "<w:r><w:rPr><w:sz w:val=\"40\"/><w:shd w:val=\"clear\" w:fill=\"FF0000\"/></w:rPr><w:t>\u{a0}\u{a0}\u{a0}\u{a0}\u{a0}\u{a0}</w:t></w:r>";
    let shape = |left: u32, more: &str, content: &str| {
        format!(
            "<v:rect style=\"position:absolute;left:{left};top:0;width:600;height:400{more}\" fillcolor=\"#ffff00\" stroked=\"f\">{content}</v:rect>"
        )
    };
    let words = format!("<v:textbox><w:txbxContent><w:p>{text}</w:p></w:txbxContent></v:textbox>");
    let group = format!(
        "<v:group style=\"position:absolute;margin-left:20pt;margin-top:40pt;width:120pt;height:80pt\" coordsize=\"1200,800\">{}{}</v:group>",
        shape(0, "", ""),
        shape(600, ";rotation:180", &words)
    );
    check("a.docx", &vml(&group), &expected);
    let shape = |left: i64, more: &[(&str, i64)], text: &str| {
        let place = [
            ("relLeft", left),
            ("relTop", 0),
            ("relRight", left + 600),
            ("relBottom", 400),
            ("shapeType", 1),
            ("fillColor", 0xffff),
            ("fLine", 0),
        ];
        format!(
            "{{\\shp{{\\*\\shpinst {}{}{text}}}}}",
            properties(&place),
            properties(more)
        )
    };
    let words = "{\\shptxt \\pard\\plain\\fs40\\chcbpat1 \\~\\~\\~\\~\\~\\~\\par}";
    let own = [
        ("groupLeft", 0),
        ("groupTop", 0),
        ("groupRight", 1200),
        ("groupBottom", 800),
    ];
    let content = format!(
        "{{\\colortbl;\\red255\\green0\\blue0;}}{{\\shpgrp{{\\*\\shpinst\\shpleft400\\shptop800\\shpright2800\\shpbottom2400\\shpbxcolumn\\shpbypara\\shpwr3\\shpz1{}{}{}}}}}",
        properties(&own),
        shape(0, &[], ""),
        shape(600, &[("rotation", 180 * 65_536)], words)
    );
    check("a.rtf", &rtf(&content), &expected);
}

#[test]
fn pictures_of_rtf_are_rotated() {
    let shape = |turn: i64| {
        rtf(&format!(
            "{{\\shp{{\\*\\shpinst\\shpleft1000\\shptop1200\\shpright3000\\shpbottom2000\\shpbxcolumn\\shpbypara\\shpwr3 {}{{\\sp{{\\sn pib}}{{\\sv {{\\pict\\pngblip {PNG}}}}}}}{}}}}}",
            properties(&[("shapeType", 75)]),
            properties(&[("rotation", turn * 65_536)]),
        ))
    };
    let plain = [(60, 80, RED), (140, 80, BLUE), (100, 40, WHITE)];
    check("a.rtf", &shape(0), &plain);
    let quarter = [
        (100, 50, RED),
        (100, 110, BLUE),
        (60, 80, WHITE),
        (140, 80, WHITE),
    ];
    check("a.rtf", &shape(90), &quarter);
    let tilted = [
        (82, 62, RED),
        (118, 98, BLUE),
        (55, 95, WHITE),
        (145, 65, WHITE),
    ];
    check("a.rtf", &shape(45), &tilted);
}

/// A flat ODT of a page of 200 by 200 points without margins, with these graphic properties as style `g`.
fn odt(graphic: &str, content: &str) -> Vec<u8> {
    format!(
        "<?xml version=\"1.0\"?><office:document xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" xmlns:style=\"urn:oasis:names:tc:opendocument:xmlns:style:1.0\" xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\" xmlns:draw=\"urn:oasis:names:tc:opendocument:xmlns:drawing:1.0\" xmlns:svg=\"urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0\" xmlns:fo=\"urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0\" office:mimetype=\"application/vnd.oasis.opendocument.text\" office:version=\"1.3\"><office:automatic-styles><style:style style:name=\"g\" style:family=\"graphic\"><style:graphic-properties style:wrap=\"run-through\" style:run-through=\"foreground\" style:horizontal-pos=\"from-left\" style:horizontal-rel=\"paragraph\" style:vertical-pos=\"from-top\" style:vertical-rel=\"paragraph\" {graphic}/></style:style><style:style style:name=\"P\" style:family=\"paragraph\" style:master-page-name=\"Standard\"/><style:page-layout style:name=\"L\"><style:page-layout-properties fo:page-width=\"200pt\" fo:page-height=\"200pt\" fo:margin=\"0pt\"/></style:page-layout></office:automatic-styles><office:master-styles><style:master-page style:name=\"Standard\" style:page-layout-name=\"L\"/></office:master-styles><office:body><office:text><text:p text:style-name=\"P\">{content}</text:p></office:text></office:body></office:document>"
    )
    .into_bytes()
}

#[cfg(feature = "presentation")]
#[test]
fn frames_of_odt_are_as_high_as_their_text() {
    let lines = "<text:p>a</text:p><text:p>a</text:p><text:p>a</text:p><text:p>a</text:p>";
    let frame = |size: &str, least: &str| {
        odt(
            "fo:background-color=\"#ff0000\" fo:padding=\"0pt\"",
            &format!(
                "<draw:frame draw:style-name=\"g\" text:anchor-type=\"paragraph\" svg:x=\"20pt\" svg:y=\"20pt\" svg:width=\"60pt\" {size}><draw:text-box {least}>{lines}</draw:text-box></draw:frame>"
            ),
        )
    };
    let grown = [
        (60, 22, RED),
        (60, 60, RED),
        (60, 15, WHITE),
        (60, 95, WHITE),
    ];
    check("a.fodt", &frame("", "fo:min-height=\"10pt\""), &grown);
    let least = [(60, 22, RED), (60, 118, RED), (60, 125, WHITE)];
    check("a.fodt", &frame("", "fo:min-height=\"100pt\""), &least);
    let fixed = [(60, 22, RED), (60, 29, RED), (60, 60, WHITE)];
    check("a.fodt", &frame("svg:height=\"10pt\"", ""), &fixed);
    let shape = |grows: &str| {
        odt(
            &format!(
                "draw:fill=\"solid\" draw:fill-color=\"#ff0000\" draw:stroke=\"none\" fo:padding=\"0pt\" draw:auto-grow-height=\"{grows}\""
            ),
            &format!(
                "<draw:custom-shape draw:style-name=\"g\" text:anchor-type=\"paragraph\" svg:x=\"20pt\" svg:y=\"20pt\" svg:width=\"60pt\" svg:height=\"10pt\">{lines}<draw:enhanced-geometry svg:viewBox=\"0 0 21600 21600\" draw:type=\"rectangle\" draw:enhanced-path=\"M 0 0 L 21600 0 21600 21600 0 21600 0 0 Z N\"/></draw:custom-shape>"
            ),
        )
    };
    check("a.fodt", &shape("true"), &grown);
    check("a.fodt", &shape("false"), &fixed);
}

#[cfg(feature = "presentation")]
#[test]
fn frames_in_groups_of_odt_are_at_their_places() {
    let group = "<draw:g draw:style-name=\"g\" text:anchor-type=\"paragraph\"><draw:frame draw:style-name=\"g\" svg:x=\"100pt\" svg:y=\"120pt\" svg:width=\"60pt\" svg:height=\"20pt\"><draw:text-box><text:p>a</text:p></draw:text-box></draw:frame></draw:g>";
    let file = odt("fo:background-color=\"#ff0000\" fo:padding=\"0pt\"", group);
    let expected = [(150, 130, RED), (150, 115, WHITE), (20, 10, WHITE)];
    check("a.fodt", &file, &expected);
}
