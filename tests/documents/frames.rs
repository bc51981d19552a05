//! Text boxes of Word documents that are as high as their text, as pixels of their pages.

use crate::{
    harness::{convert, directory, drawn, has},
    zips,
};
use std::fs;

/// A document with a box of this height in points, 20 points from the margins, 200 wide and with a blue outline of 6
/// points.
fn boxed(height: u32, text: &str) -> Vec<u8> {
    let emu = |points: u32| points * 12_700;
    let body = format!(
        "<w:body><w:p><w:r><w:drawing><wp:anchor relativeHeight=\"2\" behindDoc=\"0\"><wp:positionH relativeFrom=\"margin\"><wp:posOffset>{at}</wp:posOffset></wp:positionH><wp:positionV relativeFrom=\"margin\"><wp:posOffset>{at}</wp:posOffset></wp:positionV><wp:extent cx=\"{wide}\" cy=\"{high}\"/><wp:wrapNone/><wp:docPr id=\"1\" name=\"x\"/><a:graphic><a:graphicData uri=\"http://schemas.microsoft.com/office/word/2010/wordprocessingShape\"><wps:wsp><wps:spPr><a:xfrm><a:off x=\"0\" y=\"0\"/><a:ext cx=\"{wide}\" cy=\"{high}\"/></a:xfrm><a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom><a:solidFill><a:srgbClr val=\"FFFF00\"/></a:solidFill><a:ln w=\"76200\"><a:solidFill><a:srgbClr val=\"0000FF\"/></a:solidFill></a:ln></wps:spPr><wps:txbx><w:txbxContent>{text}</w:txbxContent></wps:txbx><wps:bodyPr><a:spAutoFit/></wps:bodyPr></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></w:r></w:p><w:sectPr><w:pgSz w:w=\"12240\" w:h=\"15840\"/><w:pgMar w:top=\"1440\" w:right=\"1440\" w:bottom=\"1440\" w:left=\"1440\" w:header=\"708\" w:footer=\"708\" w:gutter=\"0\"/></w:sectPr></w:body>",
        at = emu(20),
        wide = emu(200),
        high = emu(height),
    );
    let document = format!(
        "<w:document {} xmlns:wp=\"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing\" xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" xmlns:wps=\"http://schemas.microsoft.com/office/word/2010/wordprocessingShape\">{body}</w:document>",
        zips::W
    );
    zips::word()
        .packed("word/document.xml", document.as_bytes())
        .finish()
}

#[test]
fn outlines_of_boxes_that_fit_their_text_keep_their_width() {
    #[track_caller]
    fn check(height: u32) {
        let text = "<w:p><w:r><w:t>x</w:t></w:r></w:p>".repeat(8);
        let at = directory("frames");
        let file = at.join("a.pdf");
        fs::write(
            &file,
            convert("a.docx", &boxed(height, &text), "pdf").unwrap(),
        )
        .unwrap();
        let page = drawn(&file, "72");
        let _ = fs::remove_dir_all(at);
        // The colours down the middle of the box, each with the number of its pixels.
        let mut runs: Vec<(bool, u32)> = Vec::new();
        for y in 80..400 {
            let [red, _, blue] = page.get_pixel(192, y).0;
            let is_outline = blue > 128 && red < 128;
            let is_ground = red > 128 && blue < 128;
            match runs.last_mut() {
                _ if !is_outline && !is_ground => {}
                Some((kind, count)) if *kind == is_outline => *count += 1,
                _ => runs.push((is_outline, 1)),
            }
        }
        let [(true, top), (false, ground), (true, bottom)] = runs[..] else {
            panic!("{height}: {runs:?}");
        };
        assert!(
            (5..=7).contains(&top) && (5..=7).contains(&bottom),
            "{height}: {runs:?}"
        );
        // Eight lines of text.
        assert!((85..150).contains(&ground), "{height}: {runs:?}");
    }
    if has("pdftoppm") {
        check(20);
        check(300);
        check(110);
    }
}
