//! HTML pages in formats without boxes: words end at the edges of boxes, form controls show their values, colours look
//! as on paper; and XHTML is parsed as XML.

use crate::harness::{convert, convert_with};

/// Checks the Markdown that a page becomes.
#[track_caller]
fn check(page: &str, expected: &str) {
    let made = convert("page.html", page.as_bytes(), "md").unwrap();
    let made = String::from_utf8(made).unwrap();
    assert_eq!(made.trim(), expected, "{page}");
}

#[test]
fn display_separates_words_and_lines() {
    let two =
        |style: &str| format!("<style>{style}</style><div><span>a</span><span>b</span></div>");
    check(&two(""), "ab");
    check(&two("div {display: flex}"), "a\n\nb");
    check(&two("div {display: grid}"), "a\n\nb");
    check(&two("span {display: block}"), "a\n\nb");
    check(&two("span {display: table-cell}"), "a b");
    check(&two("span {display: inline-block}"), "ab");
    check(&two("@media screen {span {display: block}}"), "ab");
    check(
        "<div style='display:flex'><b>a</b><a href='x'>b</a></div>",
        "**a**\n\n[b](x)",
    );
    check(
        "<h1><span style='display:block'>a</span><span>b</span></h1>",
        "# a b",
    );
}

#[test]
fn content_not_printed_by_browsers_is_left_out() {
    let styled = |style: &str| {
        format!("<style>{style}</style><p>a <span class=x>b<i class=y>c</i></span></p>")
    };
    check(&styled(".x {visibility: hidden}"), "a");
    check(
        &styled(".x {visibility: hidden} .y {visibility: visible}"),
        "a b*c*",
    );
    check(&styled("body {visibility: hidden}"), "a b*c*");
    check(
        &styled("body {visibility: hidden} p {text-align: right}"),
        "a b*c*",
    );
    check("<p>a</p><div popover>b</div>", "a");
}

#[test]
fn lists_are_numbered_by_list_style() {
    let two = |style: &str, list: &str| {
        format!("<style>{style}</style><{list}><li>a<li>b</{}>", &list[..2])
    };
    check(
        &two("ol {list-style-type: upper-roman}", "ol"),
        "1. a\n2. b",
    );
    check(&two("ol li {list-style: square}", "ol"), "- a\n- b");
    check(
        &two("", "ul style='list-style: decimal inside'"),
        "1. a\n2. b",
    );
    // Without the backslash, `01.` would begin an ordered list in the item.
    check(
        &two("ol {list-style-type: decimal-leading-zero}", "ol"),
        "- 01\\. a\n- 02\\. b",
    );
    check(
        &two("", "ol start=3 style='list-style-type: hebrew'"),
        "- ג. a\n- ד. b",
    );
    check("<ol><li>a<li value=7>b<li>c</ol>", "1. a\n\n7) b\n8) c");
    check("<ol><li value=5>a<li>b</ol>", "5. a\n6. b");
    // A style attribute overrides the sheet.
    check(
        &two(
            "ol {list-style-type: decimal-leading-zero}",
            "ol style='list-style-type: decimal'",
        ),
        "1. a\n2. b",
    );
}

#[test]
fn form_controls_show_their_values() {
    check("<label>Name</label><input value='Ann B.'>", "Name Ann B.");
    check(
        "<input type=checkbox checked> yes <input type=checkbox> no",
        "☒ yes ☐ no",
    );
    check(
        "<input type=radio checked>a<input type=radio>b",
        "(•) a ( ) b",
    );
    check(
        "<ul><li><input type=checkbox checked> done</ul>",
        "- [x] done",
    );
    check(
        "<input type=hidden value=h><input type=file><input type=password value=abc>",
        "•••",
    );
    check("<p>a<textarea>\none\ntwo</textarea>b</p>", "a one\\\ntwo b");
    check("<select><option>x<option selected>y<option>z</select>", "y");
    check("<select><option disabled>none<option>x</select>", "x");
    check(
        "<select multiple><option selected>x<option>y<option selected>z</select>",
        "x, z",
    );
    check(
        "<select multiple><option>x</select><select><option>p<input value=q>",
        "p q",
    );
    check(
        "<input type=submit value=Send><input value=secret hidden><select style='display:none'><option>s</select>",
        "Send",
    );
}

#[test]
fn closed_elements_are_not_shown() {
    #[track_caller]
    fn check_notes(page: &str, expected: &str, notes: usize) {
        let (made, told) = convert_with("page.html", page.as_bytes(), "md", "medium", &[]).unwrap();
        assert_eq!(String::from_utf8(made).unwrap().trim(), expected, "{page}");
        assert_eq!(told.0.len(), notes, "{told:?}");
    }
    check_notes(
        "<details><summary>More</summary><p>text<table><tr><td>x</table></details><p>after",
        "More\n\nafter",
        1,
    );
    check_notes(
        "<details open><summary>More</summary><p>text</details>",
        "More\n\ntext",
        0,
    );
    check_notes(
        "<dialog>hidden</dialog><dialog open>seen</dialog>",
        "seen",
        1,
    );
    // A Markdown document is not a page.
    let made = convert(
        "a.md",
        b"<details><summary>More</summary>\n\ntext\n\n</details>",
        "txt",
    );
    assert!(String::from_utf8(made.unwrap()).unwrap().contains("text"));
}

#[test]
fn css_colours_are_composited_on_white() {
    /// Checks the shading and colours of runs in a docx.
    #[track_caller]
    fn check(page: &str, expected: &[&str]) {
        let docx = convert("page.html", page.as_bytes(), "docx").unwrap();
        let rtf = String::from_utf8(convert("a.docx", &docx, "html").unwrap()).unwrap();
        for colour in expected {
            assert!(rtf.contains(colour), "{page}: {rtf}");
        }
        assert!(!rtf.contains("background-color: #000000"), "{rtf}");
    }
    check("<p style='background-color: rgba(0, 0, 0, 0)'>a", &[]);
    check("<p style='background: transparent'>a", &[]);
    check(
        "<span style='background: rgba(255,0,0,.5)'>a</span>",
        &["#ff8080"],
    );
    check(
        "<span style='color: tomato; background: rgb(255, 255, 0)'>a</span>",
        &["#ff6347", "#ffff00"],
    );
    check(
        "<style>span {background: #0000; color: hsl(120, 100%, 25%)}</style><span>a</span>",
        &["#008000"],
    );
    check("<table><tr><td bgcolor='rebeccapurple'>a", &["#663399"]);
    // A translucent colour is blended with the ground that the text has.
    let sheet = "<style>b { background: #000040; color: #fff } i { background: rgba(255,255,255,.5) } u { color: rgba(255,255,0,.5) }</style>";
    check(
        &format!("{sheet}<p><b>a <i>b</i> <u>c</u></b> <i>d</i>"),
        &["#000040", "#8080a0", "#808020"],
    );
}

#[test]
fn xhtml_is_read_as_xml() {
    const HEAD: &str = "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>";
    let page =
        |head: &str, body: &str| format!("{HEAD}<head>{head}</head><body>{body}</body></html>");
    check(&page("<title/>", "<p>text</p>"), "text");
    check(
        &page("<script src='x'/>", "<p>a<a id='x'/>b</p><div/><p>c</p>"),
        "ab\n\nc",
    );
    check(
        &page(
            "<style><![CDATA[ p > b {display: none} ]]></style>",
            "<p>a<b>hidden</b></p>",
        ),
        "a",
    );
    check(
        &page(
            "<style>p &gt; b {display: none}</style>",
            "<p>a<b>hidden</b></p>",
        ),
        "a",
    );
    check(
        &page("", "<p><![CDATA[1 < 2 > 0 & so on]]></p>"),
        "1 < 2 > 0 & so on",
    );
    // A page that is not well-formed is parsed as HTML.
    check(&page("", "<p>a<br>b<p>c"), "a\\\nb\n\nc");
    #[cfg(feature = "pdf")]
    {
        let pdf = convert(
            "page.xhtml",
            page("<title/>", "<p>text</p>").as_bytes(),
            "pdf",
        )
        .unwrap();
        let words = String::from_utf8(convert("a.pdf", &pdf, "txt").unwrap()).unwrap();
        assert_eq!(words.trim(), "text");
    }
}

#[test]
fn generated_content_is_shown() {
    #[track_caller]
    fn check(sheet: &str, body: &str, expected: &str) {
        let page = format!("<style>{sheet}</style>{body}");
        let text = String::from_utf8(convert("a.html", page.as_bytes(), "md").unwrap()).unwrap();
        assert_eq!(text.trim(), expected, "{sheet}");
    }
    check(
        ".price::before {content: '$ '} .price::after {content: ' net'}",
        "<p>Lamp <b class=price>20</b> each</p>",
        "Lamp **\\$ 20 net** each",
    );
    check(
        "a::after {content: ' (' attr(title) ')'}",
        "<p><a href='https://a.example/' title='A'>link</a></p>",
        "[link (A)](https://a.example/ \"A\")",
    );
    check(
        "body {counter-reset: part} h2 {counter-increment: part} h2::before {content: 'Part ' counter(part, upper-roman) ': '}",
        "<h2>One</h2><h2>Two</h2>",
        "## Part I: One\n\n## Part II: Two",
    );
    // Characters of icon fonts, empty boxes, and boxes that are not displayed have no text.
    check(
        "p::before {content: '\\f101'} p::after {content: ''; display: table} b::after {content: 'x'; display: none}",
        "<p>a <b>b</b></p>",
        "a **b**",
    );
    // The marks of a quotation are generated text as well, which the sheet replaces.
    check(
        "q::before {content: '«'} q::after {content: '»'}",
        "<p><q>a</q> b</p>",
        "«a» b",
    );
    check("q::before {content: '«'}", "<p><q>a</q> b</p>", "«a” b");
    // Markers that are texts.
    check(
        "ol {list-style: none; counter-reset: n} li {counter-increment: n} li::before {content: counter(n) '. '}",
        "<ol><li>a</li><li>b</li></ol>",
        "1. a\n2. b",
    );
    check(
        "ul {list-style: none} li::before {content: '→ '}",
        "<ul><li>a</li></ul>",
        "- a",
    );
}
