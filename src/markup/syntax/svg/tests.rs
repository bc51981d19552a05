//! Tests of drawings in a page, which are read from its tokens.

use super::Drawing;
use crate::syntax::tokens::{Markup, Syntax, Tokenizer};

/// The only drawing in a page.
#[track_caller]
fn drawing(page: &str) -> Drawing {
    let drawings = Tokenizer::new(page, Syntax::Html).filter_map(|markup| match markup {
        Markup::Drawing(_, drawing) => Some(drawing),
        _ => None,
    });
    let mut drawings: Vec<_> = drawings.collect();
    assert_eq!(drawings.len(), 1, "{page}");
    drawings.remove(0)
}

/// Compares the file that a drawing becomes, without the namespaces of its root.
#[track_caller]
fn check(inside: &str, expected: &str) {
    let drawing = drawing(&format!("<svg>{inside}</svg>"));
    let start =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">";
    let file = drawing.file.unwrap_or_default();
    let found = file.strip_prefix(start).unwrap();
    assert_eq!(found.strip_suffix("</svg>").unwrap(), expected, "{inside}");
}

#[test]
fn html_shorthand_becomes_well_formed_xml() {
    check(
        "<PATH D=M0,0 fill='\"a\"' Stroke=\"&quot;&amp;&eacute;\" hidden/>",
        "<path d=\"M0,0\" fill=\"&quot;a&quot;\" stroke=\"&quot;&amp;é\" hidden=\"\"/>",
    );
    check(
        "<g><text>a &lt; b<tspan>c</g><path>",
        "<g><text>a &lt; b<tspan>c</tspan></text></g><path></path>",
    );
    check("<path/></b></g></nothing>", "<path/>");
    check("<path a=1 a=2 />", "<path a=\"1\"/>");
}

#[test]
fn names_get_their_svg_case() {
    check(
        "<lineargradient GRADIENTunits=x></lineargradient><path viewbox='0 0 1 1'/>",
        "<linearGradient gradientUnits=\"x\"></linearGradient><path viewBox=\"0 0 1 1\"/>",
    );
    check(
        "<clippath><path/></CLIPPATH><rect/>",
        "<clipPath><path/></clipPath><rect/>",
    );
}

#[test]
fn html_in_a_drawing_is_xhtml() {
    check(
        "<foreignobject><div viewbox=1>a<br>b<p>c<svg><rect/></svg></div></foreignobject><path/>",
        "<foreignObject><div xmlns=\"http://www.w3.org/1999/xhtml\" viewbox=\"1\">a<br/>b<p>c\
         <svg xmlns=\"http://www.w3.org/2000/svg\"><rect/></svg></p></div></foreignObject><path/>",
    );
}

#[test]
fn style_sheets_may_be_in_cdata_sections() {
    check(
        "<style>/*<![CDATA[*/ g > a{} /*]]>*/</style><path/>",
        "<style>/**/ g &gt; a{} /**/</style><path/>",
    );
    check(
        "<text><![CDATA[a&amp;b]]>c</text>",
        "<text>a&amp;amp;bc</text>",
    );
}

#[test]
fn scripts_and_external_references_are_removed() {
    check(
        "<script>if (a < b) c</script><a xlink:href='javascript:x' onclick=y><path onload=x style=z /></a>",
        "<a><path style=\"z\"/></a>",
    );
    check(
        "<path filter='url(#a)'/><use xlink:href=#a /><use href='icons.svg#b'/>",
        "<path filter=\"url(#a)\"/><use xlink:href=\"#a\"/>",
    );
    check(
        "<metadata><rdf:a>b</rdf:a></metadata><sodipodi:view/><path inkscape:a=1 xml:space=preserve />",
        "<path xml:space=\"preserve\"/>",
    );
    check(
        "<image href=' DATA:image/png;base64,AAAA'/>",
        "<image href=\" DATA:image/png;base64,AAAA\"/>",
    );
}

#[test]
fn referenced_images_are_reported() {
    let found = drawing("<svg><image xlink:href='cover.jpg' width=600 /></svg>");
    assert_eq!(found.file, None);
    assert!(!found.lost);
    let images = found.images.iter();
    let images: Vec<_> = images.map(|image| image.get("xlink:href")).collect();
    assert_eq!(images, [Some("cover.jpg")]);
    let found = drawing("<svg><image href=a.png></image><text>b</text></svg>");
    assert!(found.file.unwrap().ends_with("><text>b</text></svg>"));
    assert_eq!(found.images.len(), 1);
}

#[test]
fn drawings_without_content_are_no_pictures() {
    #[track_caller]
    fn check(inside: &str, lost: bool) {
        let found = drawing(&format!("<svg>{inside}</svg>"));
        assert_eq!((found.file, found.lost), (None, lost), "{inside}");
    }
    check("", false);
    check("<symbol id=a><path/></symbol><defs><rect/></defs>", false);
    check("<use href=#a></use>", true);
    check("<use href='icons.svg#a'/>", true);
    let found = drawing("<svg><symbol id='a&amp;'><path/></symbol><use href='#a&amp;'></svg>");
    assert!(found.file.is_some() && !found.lost);
}

#[test]
fn title_and_description_give_the_text() {
    #[track_caller]
    fn check(page: &str, expected: &str) {
        assert_eq!(drawing(page).words, expected, "{page}");
    }
    check("<svg><title> A\n chart </title><path/></svg>", "A chart");
    check("<svg><desc>that <i>rises</i></desc></svg>", "that");
    check("<svg><title>a<desc>b</desc></svg>", "a");
    check("<svg><title>a</title><desc>b c</desc></svg>", "a: b c");
    check("<svg aria-label='d'><title>a</title></svg>", "d");
    check("<svg><g><title>of a part</title></g></svg>", "");
}

#[test]
fn drawings_end_where_a_browser_ends_them() {
    #[track_caller]
    fn check(page: &str, expected: &str) {
        let tokens = Tokenizer::new(page, Syntax::Html).map(|markup| match markup {
            Markup::Start(start) => start.name().to_owned(),
            Markup::End(tag) => format!("/{}", tag.name()),
            Markup::Text(text) => text,
            Markup::Drawing(..) => "drawing".into(),
            Markup::Doctype(_) => "doctype".into(),
        });
        let tokens: Vec<_> = tokens.collect();
        assert_eq!(tokens.join(" "), expected, "{page}");
    }
    check("a<svg><path></svg>b", "a drawing b");
    check("<svg><g><svg></svg></g></svg>b", "drawing b");
    check("<svg><path><p>b", "drawing p b");
    check("<svg><title><p>b</p></title></svg>c", "drawing c");
    check("<svg><path>", "drawing");
    check("<svg />b", "b");
    // A title of a drawing is not raw text, and one after it is.
    check("<svg></svg><title><b></title>", "drawing title <b> /title");
    check(
        "<svg><div><style><b></style>",
        "drawing div style <b> /style",
    );
    check("<svg:svg><svg:path/></svg:svg>b", "drawing b");
}

#[test]
fn drawings_have_limits() {
    for inside in [
        "<g>".repeat(200) + "<svg></svg>",
        "<svg>".repeat(300) + &"</svg>".repeat(300),
        format!("<path d='{}'/>", "1 ".repeat(3 << 20)),
        format!("<text>{}</text>", "\"".repeat(1 << 20)),
        format!("<path d='{}'/>", "1 ".repeat(500)).repeat(4500),
    ] {
        let page = format!("<svg>{inside}</svg><p>after</p>");
        let found = drawing(&page);
        assert!(found.file.is_none() && found.lost);
        let after = Tokenizer::new(&page, Syntax::Html)
            .filter(|markup| matches!(markup, Markup::Text(text) if text == "after"));
        assert_eq!(after.count(), 1);
    }
    let deep = "<g>".repeat(100) + "<path/>";
    assert!(drawing(&format!("<svg>{deep}</svg>")).file.is_some());
}
