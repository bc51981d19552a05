//! OpenDocument presentations written by hand: the text in them, and the visible result.

use crate::{
    harness::{convert_with, text_of},
    zips::Zip,
};

const SPACES: [(&str, &str); 8] = [
    ("office", "office:1.0"),
    ("style", "style:1.0"),
    ("text", "text:1.0"),
    ("table", "table:1.0"),
    ("draw", "drawing:1.0"),
    ("presentation", "presentation:1.0"),
    ("svg", "svg-compatible:1.0"),
    ("fo", "xsl-fo-compatible:1.0"),
];

/// Styles for a page of 10 × 7.5 inches.
const LAYOUT: &str = "<style:page-layout style:name='L'><style:page-layout-properties fo:page-width='10in' \
    fo:page-height='7.5in'/></style:page-layout>";

/// A flat file with styles, the content of a master page, and slides.
fn deck(styles: &str, master: &str, slides: &str) -> String {
    let spaces = SPACES.map(|(prefix, name)| {
        format!(" xmlns:{prefix}=\"urn:oasis:names:tc:opendocument:xmlns:{name}\"")
    });
    format!(
        "<?xml version=\"1.0\"?><office:document{} xmlns:xlink=\"http://www.w3.org/1999/xlink\" \
         office:mimetype=\"application/vnd.oasis.opendocument.presentation\">\
         <office:styles>{styles}</office:styles><office:automatic-styles>{LAYOUT}</office:automatic-styles>\
         <office:master-styles><style:master-page style:name='M' style:page-layout-name='L'>{master}</style:master-page>\
         </office:master-styles><office:body><office:presentation>{slides}</office:presentation></office:body>\
         </office:document>",
        spaces.concat()
    )
}

/// A slide with the master page `M`.
fn slide(attributes: &str, content: &str) -> String {
    format!("<draw:page draw:master-page-name='M' {attributes}>{content}</draw:page>")
}

/// A text frame at 2 inches, 4 inches wide and 2 inches high.
fn frame(attributes: &str, content: &str) -> String {
    format!(
        "<draw:frame svg:x='2in' svg:y='2in' svg:width='4in' svg:height='2in' {attributes}><draw:text-box>{content}\
         </draw:text-box></draw:frame>"
    )
}

#[track_caller]
fn check(slides: &str, expected: &str) {
    let file = deck("", "", slides);
    assert_eq!(text_of("a.fodp", file.as_bytes(), "md").unwrap(), expected);
}

#[test]
fn a_slide_is_a_heading_with_lists() {
    let item = |text: &str, more: &str| {
        format!("<text:list-item><text:p>{text}</text:p>{more}</text:list-item>")
    };
    let inner = format!("<text:list>{}</text:list>", item("two", ""));
    let style = "<text:list-style style:name='B'><text:list-level-style-bullet text:level='1' text:bullet-char='●'/>\
        <text:list-level-style-bullet text:level='2' text:bullet-char='–'/></text:list-style>";
    let list = format!(
        "<text:list text:style-name='B'>{}</text:list>",
        item("one", &inner)
    );
    let title = frame(
        "presentation:class='title'",
        "<text:p>A  <text:span>title</text:span></text:p>",
    );
    let notes = format!(
        "<presentation:notes>{}</presentation:notes>",
        frame(
            "presentation:class='notes'",
            "<text:p>Speak<text:s text:c='2'/>up.</text:p>"
        )
    );
    let body = frame("presentation:class='outline'", &list);
    let file = deck(style, "", &slide("", &(body + &title + &notes)));
    let text = text_of("a.fodp", file.as_bytes(), "md").unwrap();
    assert_eq!(text, "# A title\n\n- one\n  - two\n\n> Speak  up.\n");
}

#[test]
fn prompts_and_hidden_slides_are_left_out() {
    let prompt = frame(
        "presentation:class='title' presentation:placeholder='true'",
        "<text:p>Click</text:p>",
    );
    check(&slide("", &prompt), "# Slide 1\n");
    let hidden = "<style:style style:name='H' style:family='drawing-page'><style:drawing-page-properties \
        presentation:visibility='hidden'/></style:style>";
    let file = deck(
        hidden,
        "",
        &(slide("draw:style-name='H'", "") + &slide("", "")),
    );
    let (text, notes) = convert_with("a.fodp", file.as_bytes(), "md", &[]).unwrap();
    assert_eq!(text, b"# Slide 2\n");
    assert!(format!("{notes:?}").contains("hidden"), "{notes:?}");
}

#[test]
fn tables_and_links_are_kept() {
    let cell = |text: &str| format!("<table:table-cell><text:p>{text}</text:p></table:table-cell>");
    let row = |cells: String| format!("<table:table-row>{cells}</table:table-row>");
    let link = "<text:a xlink:href='https://a.example/'>b</text:a>";
    let table = format!(
        "<draw:frame svg:width='4in'><table:table table:use-first-row-styles='true'>\
         <table:table-column table:number-columns-repeated='2'/>{}{}</table:table></draw:frame>",
        row(cell("h") + &cell("i")),
        row(cell(link) + &cell("c"))
    );
    let expected = "# Slide 1\n\n| h                      | i   |\n| ---------------------- | --- |\n| [b](https://a.example/) | c   |\n";
    let file = deck("", "", &slide("", &table));
    let text = text_of("a.fodp", file.as_bytes(), "md").unwrap();
    let plain = |text: &str| text.replace(['-', ' '], "");
    assert_eq!(plain(&text), plain(expected));
}

#[test]
fn damaged_and_foreign_files_are_refused_with_a_reason() {
    #[track_caller]
    fn check(name: &str, file: &[u8], expected: &str) {
        let err = text_of(name, file, "txt").unwrap_err();
        assert!(err.message().contains(expected), "{err:?}");
    }
    let whole = deck("", "", &slide("", ""));
    check(
        "a.fodp",
        &whole.as_bytes()[..whole.len() - 40],
        "XML is damaged",
    );
    let package = |content: &str| {
        Zip::default()
            .stored(
                "mimetype",
                b"application/vnd.oasis.opendocument.presentation",
            )
            .packed("content.xml", content.as_bytes())
    };
    check("a.odp", &package("<x/>").finish(), "not a presentation");
    let manifest = "<m:manifest xmlns:m='urn:oasis:names:tc:opendocument:xmlns:manifest:1.0'><m:file-entry \
        m:full-path='content.xml'><m:encryption-data/></m:file-entry></m:manifest>";
    let locked = package("<x/>").packed("META-INF/manifest.xml", manifest.as_bytes());
    check("a.odp", &locked.finish(), "encrypted");
}

#[test]
fn conversion_ends_despite_cyclic_references() {
    let styles = "<style:style style:name='A' style:family='graphic' style:parent-style-name='B'/>\
        <style:style style:name='B' style:family='graphic' style:parent-style-name='A'/>";
    let shape = "<draw:custom-shape draw:style-name='A' svg:width='1in' svg:height='1in'><text:p>words</text:p>\
        <draw:enhanced-geometry draw:enhanced-path='M ?a 0 L ?b 9 Z N'><draw:equation draw:name='a' draw:formula='?b'/>\
        <draw:equation draw:name='b' draw:formula='?a'/></draw:enhanced-geometry></draw:custom-shape>";
    let nested = "<draw:g>".repeat(200) + shape + &"</draw:g>".repeat(200);
    let file = deck(styles, "", &slide("", &nested));
    let text = text_of("a.fodp", file.as_bytes(), "txt").unwrap();
    assert!(text.contains("words"), "{text}");
}

#[cfg(feature = "pdf")]
mod seen {
    use super::*;

    /// Checks the colour at a position on the first slide, in inches.
    #[track_caller]
    fn check(style: &str, content: &str, (x, y): (f64, f64), expected: [u8; 3]) {
        let styles = format!(
            "<draw:gradient draw:name='G' draw:style='linear' draw:start-color='#000000' draw:end-color='#ffffff' \
             draw:angle='900'/><style:style style:name='S' style:family='graphic'><style:graphic-properties {style}/></style:style>"
        );
        let file = deck(&styles, "", &slide("", content));
        let (png, _) = convert_with("a.fodp", file.as_bytes(), "png", &[("dpi", "36")]).unwrap();
        let picture = image::load_from_memory(&png).unwrap().to_rgb8();
        assert_eq!(picture.dimensions(), (360, 270));
        let found = picture.get_pixel((x * 36.0) as u32, (y * 36.0) as u32).0;
        let near = found
            .iter()
            .zip(expected)
            .all(|(one, other)| one.abs_diff(other) < 12);
        assert!(near, "{found:?}");
    }

    const RED: &str = "draw:fill='solid' draw:fill-color='#ff0000'";
    const AT: &str = "draw:style-name='S' svg:x='2in' svg:y='2in' svg:width='4in' svg:height='2in'";

    #[test]
    fn shapes_are_drawn_where_they_are() {
        let rect = format!("<draw:rect {AT}/>");
        check(RED, &rect, (4.0, 3.0), [255, 0, 0]);
        check(RED, &rect, (1.0, 3.0), [255; 3]);
        let ellipse = format!("<draw:ellipse {AT}/>");
        check(RED, &ellipse, (4.0, 3.0), [255, 0, 0]);
        check(RED, &ellipse, (2.1, 2.1), [255; 3]);
        let polygon =
            format!("<draw:polygon {AT} svg:viewBox='0 0 10 10' draw:points='0,0 10,0 0,10'/>");
        check(RED, &polygon, (2.5, 2.5), [255, 0, 0]);
        check(RED, &polygon, (5.5, 3.5), [255; 3]);
        let turned = "<draw:rect draw:style-name='S' svg:width='4in' svg:height='2in' \
            draw:transform='rotate (1.5707963) translate (2in 6in)'/>";
        check(RED, turned, (3.0, 5.5), [255, 0, 0]);
        check(RED, turned, (5.0, 3.0), [255; 3]);
    }

    #[test]
    fn formulas_and_gradients_are_drawn() {
        let shape = format!(
            "<draw:custom-shape {AT}><draw:enhanced-geometry svg:viewBox='0 0 20 10' draw:modifiers='10' \
             draw:enhanced-path='M 0 0 L ?half 0 ?half 10 0 10 Z N'><draw:equation draw:name='half' draw:formula='$0*right/20'/>\
             </draw:enhanced-geometry></draw:custom-shape>"
        );
        check(RED, &shape, (3.0, 3.0), [255, 0, 0]);
        check(RED, &shape, (5.0, 3.0), [255; 3]);
        let gradient = "draw:fill='gradient' draw:fill-gradient-name='G'";
        check(gradient, &format!("<draw:rect {AT}/>"), (2.1, 3.0), [6; 3]);
    }
}

#[test]
fn drawings_are_pages_with_their_words() {
    let shape = "<draw:rect svg:x='1in' svg:y='1in' svg:width='3in' svg:height='1in'><text:p>In a box</text:p></draw:rect>";
    let pages = slide("", shape) + &slide("", &frame("", "<text:p>Second page</text:p>"));
    let drawing = deck("", "", &pages)
        .replace("opendocument.presentation", "opendocument.graphics")
        .replace("office:presentation>", "office:drawing>");
    let packed = Zip::default()
        .stored("mimetype", b"application/vnd.oasis.opendocument.graphics")
        .packed("content.xml", drawing.as_bytes())
        .finish();
    // Some programs write the entries of the archive in another order.
    let other = Zip::default()
        .packed("content.xml", drawing.as_bytes())
        .stored("mimetype", b"application/vnd.oasis.opendocument.graphics")
        .finish();
    for (name, file) in [
        ("a.fodg", drawing.as_bytes()),
        ("a", drawing.as_bytes()),
        ("a", &packed),
        ("a.odg", &other),
        ("a.otg", &packed),
    ] {
        let text = text_of(name, file, "txt").unwrap();
        assert!(text.contains("In a box"), "{name}: {text}");
        assert!(text.contains("Second page"), "{name}: {text}");
    }
    if cfg!(feature = "pdf") {
        let (pdf, _) = convert_with("a.odg", &packed, "pdf", &[]).unwrap();
        let text = text_of("a.pdf", &pdf, "txt").unwrap();
        assert!(text.contains("In a box"), "{text}");
    }
    let error = text_of("a.odg", &packed[..packed.len() / 2], "txt").unwrap_err();
    assert!(error.message().contains("not a readable odg"), "{error}");
}
