//! Charts and shapes in OpenDocument texts: drawings in formats with drawings, otherwise a table with the values of the
//! chart.

use crate::harness::{convert, convert_with};

const NAMES: &str = "xmlns:office='urn:oasis:names:tc:opendocument:xmlns:office:1.0' xmlns:text='urn:oasis:names:tc:opendocument:xmlns:text:1.0' xmlns:draw='urn:oasis:names:tc:opendocument:xmlns:drawing:1.0' xmlns:svg='urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0' xmlns:chart='urn:oasis:names:tc:opendocument:xmlns:chart:1.0' xmlns:table='urn:oasis:names:tc:opendocument:xmlns:table:1.0'";

/// A text with a chart, which is an embedded document.
fn text(chart: &str) -> Vec<u8> {
    within(&format!(
        "<draw:frame svg:width='10cm' svg:height='6cm'><draw:object><office:document><office:body><office:chart>{chart}</office:chart></office:body></office:document></draw:object></draw:frame>"
    ))
}

/// A text with this in its first paragraph.
fn within(drawing: &str) -> Vec<u8> {
    let names = NAMES;
    format!(
        "<?xml version=\"1.0\"?><office:document {names} office:mimetype=\"application/vnd.oasis.opendocument.text\"><office:body><office:text><text:p>Before {drawing}</text:p><text:p>After</text:p></office:text></office:body></office:document>"
    )
    .into_bytes()
}

const CHART: &str = "<chart:chart chart:class='chart:bar'><chart:title><text:p>Sales</text:p></chart:title><chart:plot-area><chart:axis chart:dimension='x'/><chart:axis chart:dimension='y'/><chart:series/></chart:plot-area><table:table><table:table-header-columns/><table:table-header-rows><table:table-row><table:table-cell/><table:table-cell><text:p>Cars</text:p></table:table-cell></table:table-row></table:table-header-rows><table:table-rows><table:table-row><table:table-cell><text:p>Spring</text:p></table:table-cell><table:table-cell office:value-type='float' office:value='12.5'/></table:table-row></table:table-rows></table:table></chart:chart>";

#[test]
fn charts_of_opendocument_are_drawn_or_become_tables() {
    let file = text(CHART);
    let html = String::from_utf8(convert("a.fodt", &file, "html").unwrap()).unwrap();
    let at = html.find("data:image/svg+xml");
    let at = at.unwrap_or_else(|| panic!("{html}"));
    assert!(html[at..].contains("alt=\"Sales\""), "{html}");
    let (before, after) = (html.find("Before").unwrap(), html.find("After").unwrap());
    assert!(before < at && at < after, "{html}");
    let (md, notes) = convert_with("a.fodt", &file, "md", "medium", &[]).unwrap();
    let md = String::from_utf8(md).unwrap();
    assert!(
        md.contains("Cars") && md.contains("| Spring | 12.5 |"),
        "{md}"
    );
    assert!(md.find("Spring") < md.find("After"), "{md}");
    assert!(
        notes.0.iter().any(|note| note.contains("table")),
        "{notes:?}"
    );
    // Notes report parts that are not drawn or are damaged.
    for chart in [
        "<chart:chart chart:class='chart:surface'><chart:plot-area><chart:series/></chart:plot-area></chart:chart>",
        "<chart:chart/>",
        "",
    ] {
        let (_, notes) = convert_with("a.fodt", &text(chart), "html", "medium", &[]).unwrap();
        assert!(!notes.0.is_empty(), "{chart}");
    }
}

#[test]
fn shapes_of_opendocument_are_drawn() {
    let arrow = "<draw:custom-shape svg:width='4cm' svg:height='2cm'>%<draw:enhanced-geometry svg:viewBox='0 0 21600 21600' draw:enhanced-path='M 0 ?f0 L 21600 0 10800 21600 Z N'><draw:equation draw:name='f0' draw:formula='?f1 /2'/><draw:equation draw:name='f1' draw:formula='top+bottom'/></draw:enhanced-geometry></draw:custom-shape>";
    let group = format!(
        "<draw:g text:anchor-type='paragraph'><draw:line svg:x1='1cm' svg:y1='3cm' svg:x2='4cm' svg:y2='1cm'/>{arrow}</draw:g>"
    );
    #[track_caller]
    fn check(shapes: &str, drawings: usize, words: &str) {
        let file = within(shapes);
        let (html, notes) = convert_with("a.fodt", &file, "html", "medium", &[]).unwrap();
        let html = String::from_utf8(html).unwrap();
        let found = html.matches("<svg").count() + html.matches("data:image/svg+xml").count();
        assert_eq!(found, drawings, "{html}");
        assert!(html.contains(words), "{html}");
        let lost = notes.0.iter().any(|note| note.contains("left out"));
        assert!(!lost, "{notes:?}");
        let txt = String::from_utf8(convert("a.fodt", &file, "txt").unwrap()).unwrap();
        assert!(txt.contains("Before") && txt.contains(words), "{txt}");
    }
    check(&arrow.replace('%', ""), 1, "After");
    check(
        &arrow.replace('%', "<text:p>Words in it</text:p>"),
        1,
        "Words in it",
    );
    check(&group.replace('%', ""), 2, "After");
    // A group without an anchor type.
    let adrift = group.replace(" text:anchor-type='paragraph'", "");
    check(&adrift.replace('%', ""), 2, "After");
}

#[test]
fn shapes_of_rtf_are_drawn() {
    let shape = |kind: u8, inside: &str| {
        format!(
            "{{\\shp{{\\*\\shpinst\\shpleft500\\shptop600\\shpright2900\\shpbottom1800\\shpwr3{{\\sp{{\\sn shapeType}}{{\\sv {kind}}}}}{inside}}}{{\\shprslt{{\\par for old programs}}}}}}"
        )
    };
    #[track_caller]
    fn check(shapes: &str, drawings: usize, words: &str) {
        let file = format!("{{\\rtf1\\ansi Before{shapes}\\par After\\par}}");
        let html = convert("a.rtf", file.as_bytes(), "html").unwrap();
        let html = String::from_utf8(html).unwrap();
        let found = html.matches("<svg").count() + html.matches("data:image/svg+xml").count();
        assert_eq!(found, drawings, "{html}");
        assert!(html.contains("Before") && html.contains(words), "{html}");
        assert!(!html.contains("old programs"), "{html}");
        assert!(convert("a.rtf", file.as_bytes(), "pdf").is_ok());
    }
    check(&shape(3, ""), 1, "After");
    let unseen = "{\\sp{\\sn fFilled}{\\sv 0}}{\\sp{\\sn fLine}{\\sv 0}}";
    check(&shape(1, unseen), 0, "After");
    // A shape behind the text is shown only on pages.
    check(&shape(1, "{\\shptxt \\pard In a box\\par}"), 0, "In a box");
    let pixel = "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000a4944415408d763680000008200817d4c6d5b0000000049454e44ae426082";
    let filled = format!("{{\\sp{{\\sn fillBlip}}{{\\sv {{\\pict\\pngblip {pixel}}}}}}}");
    check(&shape(3, &filled), 1, "After");
}
