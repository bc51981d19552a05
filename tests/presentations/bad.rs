//! Files that are damaged or made to do harm: each gets a message with the reason, or a right result.

use crate::{
    harness::{convert_with, text_of},
    slides::{at, deck, paragraph, part, relationships, shape, shapes, slide},
};
use convertd::error::Kind;

/// Checks the outcome for a file: words of the error, or of the result.
#[track_caller]
fn check(file: &[u8], expected: Result<&str, &str>) {
    match (text_of("a.pptx", file, "txt"), expected) {
        (Ok(text), Ok(words)) => assert!(text.contains(words), "{text:.200}"),
        (Err(err), Err(words)) => assert!(err.message().contains(words), "{err:?}"),
        (found, _) => panic!("{:.300}", format!("{found:?}")),
    }
}

#[test]
fn missing_parts_are_tolerated() {
    let tree = shape("idx=\"1\"", "", &paragraph("", "words"));
    let layout = ("rId1", "slideLayout", "../nowhere.xml");
    check(&slide(&tree, &[layout]).finish(), Ok("words"));
    let picture = "<p:pic><p:blipFill><a:blip r:embed=\"rId7\"/></p:blipFill></p:pic>";
    check(&slide(&(tree.clone() + picture), &[]).finish(), Ok("words"));
    let chart = "<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id=\"rId7\"/></a:graphicData></a:graphic></p:graphicFrame>";
    check(&slide(&(tree + chart), &[]).finish(), Ok("words"));
    check(&deck(&[]).finish(), Ok(""));
}

#[test]
fn layouts_and_masters_that_lead_in_circles_end() {
    let tree = shape("idx=\"1\"", "", &paragraph("", "words"));
    let layout = shapes("p:sldLayout", "", &shape("idx=\"1\"", "", ""), "");
    let own = relationships(&[
        ("rId1", "slideMaster", "l.xml"),
        ("rId2", "slideLayout", "l.xml"),
    ]);
    let file = slide(&tree, &[("rId1", "slideLayout", "../l.xml")])
        .packed("ppt/l.xml", layout.as_bytes())
        .packed("ppt/_rels/l.xml.rels", own.as_bytes())
        .finish();
    check(&file, Ok("words"));
}

#[test]
fn a_slide_that_is_listed_twice_is_shown_once() {
    let title = shapes("p:sld", "", &shape("", "", &paragraph("", "words")), "");
    let list = "<p:sldId r:id=\"rId1\"/>".repeat(100_000);
    let content = format!("<p:sldIdLst>{list}</p:sldIdLst>");
    let file = crate::zips::Zip::default()
        .packed("[Content_Types].xml", b"<Types/>")
        .packed(
            "ppt/presentation.xml",
            part("p:presentation", "", &content).as_bytes(),
        )
        .packed(
            "ppt/_rels/presentation.xml.rels",
            relationships(&[("rId1", "slide", "s.xml")]).as_bytes(),
        )
        .packed("ppt/s.xml", title.as_bytes())
        .finish();
    assert_eq!(
        text_of("a.pptx", &file, "txt")
            .unwrap()
            .matches("words")
            .count(),
        1
    );
}

#[test]
fn groups_within_groups_are_read_or_refused() {
    let nested = |depth: usize| {
        let inner = shape("", "", &paragraph("", "words"));
        let tree = "<p:grpSp>".repeat(depth) + &inner + &"</p:grpSp>".repeat(depth);
        slide(&tree, &[]).finish()
    };
    check(&nested(100), Ok("words"));
    check(&nested(1000), Err("512 elements are nested"));
}

#[test]
fn tables_that_do_not_add_up_are_read() {
    let cell = |more: &str| {
        let text = paragraph("", "words");
        format!("<a:tc {more}><a:txBody>{text}</a:txBody></a:tc>")
    };
    let rows = [
        cell("gridSpan=\"60000\" rowSpan=\"-7\""),
        cell("rowSpan=\"900\"").repeat(3),
        cell("vMerge=\"1\""),
        String::new(),
    ];
    let rows = rows
        .map(|cells| format!("<a:tr h=\"-5\">{cells}</a:tr>"))
        .concat();
    let tree = format!(
        "<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblGrid><a:gridCol w=\"x\"/></a:tblGrid>{rows}</a:tbl>\
         </a:graphicData></a:graphic></p:graphicFrame>"
    );
    check(&slide(&tree, &[]).finish(), Ok("words"));
}

#[test]
fn numbers_beyond_all_limits_are_tolerated() {
    let huge = "99999999999999999999";
    let paragraph = format!(
        "<a:p><a:pPr lvl=\"{huge}\" marL=\"-{huge}\"><a:buAutoNum type=\"x\" startAt=\"{huge}\"/></a:pPr>\
         <a:r><a:rPr sz=\"{huge}\" baseline=\"1e999\"/><a:t>words</a:t></a:r></a:p>"
    );
    let tree = shape("", &at(i64::MAX, i64::MIN, i64::MAX, -1), &paragraph);
    let group = format!(
        "<p:grpSp><p:grpSpPr><a:xfrm rot=\"{huge}\"><a:off x=\"0\" y=\"0\"/><a:ext cx=\"{huge}\" cy=\"0\"/>\
         <a:chOff x=\"0\" y=\"0\"/><a:chExt cx=\"0\" cy=\"0\"/></a:xfrm></p:grpSpPr>{tree}</p:grpSp>"
    );
    check(&slide(&group, &[]).finish(), Ok("words"));
}

#[test]
fn many_shapes_and_many_slides_are_read() {
    let tree = shape("", &at(0, 0, 1, 1), &paragraph("", "words"));
    check(&slide(&tree.repeat(20_000), &[]).finish(), Ok("words"));
    // Many equal shapes compress to almost nothing.
    check(
        &slide(&tree.repeat(100_000), &[]).finish(),
        Err("looks like a decompression bomb"),
    );
    let one = shapes("p:sld", "", &shape("", "", &paragraph("", "words")), "");
    let all = vec![(&*one, "<x/>"); 10_000];
    check(&deck(&all).finish(), Ok("Slide 10000"));
}

#[test]
fn inconsistent_documents_and_decks_are_refused_or_converted() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/bad/office");
    let mut tried = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.ends_with(".py") {
            continue;
        }
        let file = std::fs::read(&path).unwrap();
        for to in ["txt", "pdf", "docx"] {
            if let Err(err) = convert_with(name, &file, to, &[]) {
                assert_eq!(err.kind(), Kind::BadInput, "{name} to {to}: {err}");
            }
        }
        tried += 1;
    }
    assert_eq!(tried, 8);
}

#[test]
fn a_part_that_is_used_again_and_again_is_not_read_for_ever() {
    let frame = "<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id=\"rId1\"/></a:graphicData></a:graphic></p:graphicFrame>";
    let chart = part("c:chartSpace", "", &" ".repeat(16 << 20));
    let file = slide(&frame.repeat(1000), &[("rId1", "chart", "../c.xml")])
        .packed("ppt/c.xml", chart.as_bytes())
        .finish();
    check(&file, Err("more than 512 MiB of parts"));
}

#[test]
fn refusals_name_truncation_and_encryption() {
    let file = slide(&shape("", "", &paragraph("", "words")), &[]).finish();
    check(&file[..file.len() / 2], Err("cut off"));
    let mut encrypted = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
    encrypted.resize(512, 0);
    encrypted.extend("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes));
    check(&encrypted, Err("encrypted"));
    check(
        &deck(&[("<p:sld><p:cSld>", "<x/>")]).finish(),
        Err("XML is damaged"),
    );
}
