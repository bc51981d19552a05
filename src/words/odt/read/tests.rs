//! Reads flat documents in the form that LibreOffice and other programs write.

use super::*;
use crate::{error::Kind, job::testing::with_job};
use convertd_tree::{Alignment, Block, testing::draw};
use std::io::Cursor;

const STYLES: &str = r##"<office:styles>
<style:style style:name="Standard" style:family="paragraph"/>
<style:style style:name="Quotations" style:family="paragraph"/>
<style:style style:name="Preformatted_20_Text" style:display-name="Preformatted Text" style:family="paragraph"/>
<style:style style:name="Caption" style:family="paragraph"/>
<style:style style:name="Table" style:family="paragraph" style:parent-style-name="Caption"/>
<style:style style:name="Title" style:family="paragraph"/>
<style:style style:name="Horizontal_20_Line" style:family="paragraph"/>
<style:style style:name="Round" style:family="paragraph" style:parent-style-name="Circle"/>
<style:style style:name="Circle" style:family="paragraph" style:parent-style-name="Round"/>
<style:style style:name="Source_20_Text" style:family="text"/>
<text:outline-style style:name="Outline">
<text:outline-level-style text:level="1" style:num-format="1"/>
<text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/>
</text:outline-style>
<text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-format="a" style:num-suffix=")"/>
<text:list-level-style-bullet text:level="2" text:bullet-char="-"/></text:list-style>
<text:list-style style:name="R"><text:list-level-style-number text:level="1" style:num-format="I" style:num-suffix="."/>
<text:list-level-style-number text:level="2" style:num-format="1" style:num-suffix="."/></text:list-style>
</office:styles><office:automatic-styles>
<style:style style:name="B" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>
<style:style style:name="I" style:family="text"><style:text-properties fo:font-style="italic"/></style:style>
<style:style style:name="S" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>
<style:style style:name="H" style:family="text"><style:text-properties text:display="none"/></style:style>
</office:automatic-styles>"##;

pub(in crate::odt) fn flat(body: &str) -> String {
    let mut file = String::from("<?xml version=\"1.0\"?><office:document");
    for (prefix, name) in [
        ("office", "office"),
        ("text", "text"),
        ("style", "style"),
        ("table", "table"),
        ("draw", "drawing"),
        ("fo", "xsl-fo-compatible"),
        ("svg", "svg-compatible"),
    ] {
        file += &format!(" xmlns:{prefix}=\"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0\"");
    }
    file += " xmlns:xlink=\"http://www.w3.org/1999/xlink\" xmlns:math=\"http://www.w3.org/1998/Math/MathML\">";
    file + STYLES
        + "<office:body><office:text>"
        + body
        + "</office:text></office:body></office:document>"
}

fn read_text(file: &[u8]) -> Result<(String, Vec<String>)> {
    with_job(|job| {
        let mut notes = Notes::default();
        let document = read_flat(
            &Job {
                input_len: file.len() as u64,
                ..*job
            },
            &mut Cursor::new(file.to_vec()),
            &mut notes,
        )?;
        Ok((draw(&document), notes.0))
    })
}

#[track_caller]
fn check(body: &str, expected: &str) {
    let (drawn, _) = read_text(flat(body).as_bytes()).expect(body);
    assert_eq!(drawn, expected, "{body}");
}

#[test]
fn paragraphs_and_their_content_are_read() {
    check(
        "<text:p> a \n b<text:s text:c=\"2\"/>c </text:p>",
        "p(a b  c)",
    );
    check(
        "<text:p>a<text:tab/>b<text:line-break/>c</text:p>",
        "p(a\tb/c)",
    );
    check(
        "<text:p><text:span text:style-name=\"B\">b<text:span text:style-name=\"I\">i</text:span></text:span></text:p>",
        "p(Strong(bEmphasis(i)))",
    );
    check(
        "<text:p>x<text:span text:style-name=\"S\">2</text:span> <text:span text:style-name=\"Source_20_Text\">c</text:span></text:p>",
        "p(xSuperscript(2) `c`)",
    );
    check(
        "<text:p><text:a xlink:href=\"http://a/\">l</text:a><text:a xlink:href=\"#a b\">m</text:a><text:bookmark text:name=\"a b\"/></text:p>",
        "p(<http://a/>(l)<#a-b>(m)#a-b)",
    );
    check(
        "<text:p><text:sequence text:ref-name=\"refTable0\">1</text:sequence> <text:sequence-ref text:ref-name=\"refTable0\">Table 1</text:sequence-ref> \
         <text:bibliography-mark text:url=\"http://a/\">[A]</text:bibliography-mark></text:p>",
        "p(#refTable01 <#refTable0>(Table 1) <http://a/>([A]))",
    );
    check(
        "<text:p>a<text:note text:note-class=\"footnote\"><text:note-citation>1</text:note-citation><text:note-body><text:p>n</text:p></text:note-body></text:note></text:p>",
        "p(a^0)note[p(n)]",
    );
    check(
        "<text:p><text:page-number>3</text:page-number></text:p>",
        "p(Page)",
    );
    check("<text:p><text:date>today</text:date></text:p>", "p(today)");
    check(
        "<text:p><draw:frame><draw:object><math:math><math:mi>x</math:mi></math:math></draw:object></draw:frame></text:p>",
        "p($x$)",
    );
    check(
        "<text:p><draw:frame svg:width=\"1cm\"><draw:image><office:binary-data>AAAA</office:binary-data></draw:image><svg:desc>d</svg:desc></draw:frame></text:p>",
        "p(!(d))",
    );
}

#[test]
fn styles_decide_the_kind_of_paragraph() {
    let p =
        |style: &str, text: &str| format!("<text:p text:style-name=\"{style}\">{text}</text:p>");
    check(&p("Quotations", "q"), "quote[p(q)]");
    check(
        &(p("Preformatted_20_Text", "a") + &p("Preformatted_20_Text", "b")),
        "code(a\nb)",
    );
    // A link inside code would be lost, so a paragraph with a link is code only if the text of the link is its address.
    let link = |text: &str| {
        p(
            "Preformatted_20_Text",
            &format!("<text:a xlink:href=\"http://a.b/\">{text}</text:a>"),
        )
    };
    check(&link("http://a.b"), "code(http://a.b)");
    check(&link("there"), "p(<http://a.b/>(there))");
    check(&p("Horizontal_20_Line", ""), "rule");
    check(&p("Round", "a"), "p(a)");
    check(&p("Missing", "a"), "p(a)");
    check(
        "<text:h text:outline-level=\"1\">A</text:h><text:h text:outline-level=\"2\">B</text:h><text:h text:outline-level=\"2\" text:is-list-header=\"true\">C</text:h>",
        "h1#a1(A)h2#b1.1(B)h2#c(C)",
    );
    // This link contains a number that its heading no longer has, so the text of the heading decides.
    check(
        "<text:p><text:a xlink:href=\"#2.1.C|outline\">l</text:a></text:p><text:h text:is-list-header=\"true\">C</text:h>",
        "p(<#2.1.C-outline>(l))h1#c(C#2.1.C-outline)",
    );
}

#[test]
fn form_checkboxes_show_their_state() {
    let mark = |more: &str| {
        format!(
            "<text:p>a <f:fieldmark xmlns:f=\"urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0\" f:type=\"vnd.oasis.opendocument.field.FORMCHECKBOX\"><f:param f:name=\"Checkbox_Name\" f:value=\"true\"/>{more}</f:fieldmark> b</text:p>"
        )
    };
    check(&mark(""), "p(a \u{2610} b)");
    check(
        &mark("<f:param f:name=\"Checkbox_Checked\" f:value=\"true\"/>"),
        "p(a \u{2612} b)",
    );
}

#[test]
fn lists_continue_and_restart_as_stated() {
    let item = |attributes: &str, content: &str| {
        format!("<text:list-item{attributes}>{content}</text:list-item>")
    };
    let list = |attributes: &str, content: &str| {
        format!("<text:list text:style-name=\"N\"{attributes}>{content}</text:list>")
    };
    let p = |text: &str| format!("<text:p>{text}</text:p>");
    check(
        &list("", &(item("", &p("x")) + &item("", &p("y")))),
        "a)([p(x)][p(y)])",
    );
    check(
        &(list("", &item("", &p("x")))
            + &p("m")
            + &list(" text:continue-numbering=\"true\"", &item("", &p("y")))),
        "a)([p(x)])p(m)b)([p(y)])",
    );
    // An item may have a label of another kind. The next item continues the numbers.
    check(
        &list(
            "",
            &(item("", &p("x"))
                + &item(" text:style-override=\"R\"", &p("y"))
                + &item(" text:style-override=\"R\"", &p("y"))
                + &item("", &p("z"))),
        ),
        "a)([p(x)])II.([p(y)][p(y)])d)([p(z)])",
    );
    // An item that begins with a list has no label, and is not counted.
    let inner = |text: &str| "<text:list>".to_owned() + &item("", &p(text)) + "</text:list>";
    check(
        &list(
            "",
            &(item("", &p("x")) + &item("", &inner("y")) + &item("", &p("z"))),
        ),
        "a)([p(x)list([p(y)])][p(z)])",
    );
    check(
        &(list("", &item("", &p("x")))
            + &p("m")
            + &list(
                " text:continue-numbering=\"true\"",
                &(item("", &inner("y")) + &item("", &p("z"))),
            )),
        "a)([p(x)])p(m)a)([list([p(y)])][p(z)])",
    );
    // The style of an item applies to the list within it, too. If the outer list continues no other list, the numbers
    // start again.
    let other = list("", &item(" text:style-override=\"R\"", &inner("x")));
    check(
        &(other.clone() + &p("m") + &other),
        "I.([1.([p(x)])])p(m)I.([1.([p(x)])])",
    );
    check(
        &list(
            "",
            &(item(" text:start-value=\"3\"", &p("x"))
                + &item("", &p("y"))
                + &item(" text:start-value=\"9\"", &p("z"))),
        ),
        "c)([p(x)][p(y)])i)([p(z)])",
    );
    check(
        &list(
            "",
            &item(
                "",
                &(p("x") + "<text:list>" + &item("", &p("y")) + "</text:list>"),
            ),
        ),
        "a)([p(x)list([p(y)])])",
    );
    check(
        &list(
            "",
            &(item("", "<text:h text:outline-level=\"1\">A</text:h>")
                + &item("", "<text:h text:outline-level=\"1\">B</text:h>")),
        ),
        "h1#aa)(A)h1#bb)(B)",
    );
    check(&list("", &item("", &p("\u{2610} x"))), "a)([p(x)])");
}

#[test]
fn cells_have_their_positions_and_spans() {
    let cell = |attributes: &str, text: &str| {
        format!("<table:table-cell{attributes}><text:p>{text}</text:p></table:table-cell>")
    };
    let row = |cells: &str| format!("<table:table-row>{cells}</table:table-row>");
    let columns = "<table:table-column table:number-columns-repeated=\"2\"/>";
    let wide = cell(" table:number-columns-spanned=\"2\"", "w") + "<table:covered-table-cell/>";
    check(
        &format!(
            "<table:table>{columns}{}{}</table:table>",
            row(&wide),
            row(&(cell("", "a") + &cell("", "b")))
        ),
        "table2[]((2x1[p(w)])([p(a)][p(b)]))",
    );
    check(
        &format!(
            "<text:p text:style-name=\"Table\">T</text:p><table:table>{}</table:table>",
            row(&cell(" table:number-columns-repeated=\"2\"", "a"))
        ),
        "table2[p(T)](([p(a)][p(a)]))",
    );
    check(
        &format!(
            "<table:table>{}</table:table><text:p text:style-name=\"Table\">T</text:p>",
            row(&cell("", "a"))
        ),
        "table1[p(T)](([p(a)]))",
    );
}

#[test]
fn omitted_content_is_noted() {
    #[track_caller]
    fn check(body: &str, drawn: &str, note: &str) {
        let read = read_text(flat(body).as_bytes()).expect(body);
        assert_eq!(read, (drawn.into(), vec![note.into()]));
    }
    check(
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p></text:deletion></text:changed-region></text:tracked-changes><text:p>a<text:change/></text:p>",
        "p(a)",
        "A tracked change was accepted.",
    );
    check(
        "<text:p>a<office:annotation><text:p>c</text:p></office:annotation></text:p>",
        "p(a)",
        "A comment was left out.",
    );
    check(
        "<text:p>a<text:span text:style-name=\"H\">h</text:span></text:p>",
        "p(a)",
        "A piece of hidden text was left out.",
    );
    check(
        "<text:p>a<draw:frame><draw:text-box><text:p>b</text:p></draw:text-box></draw:frame></text:p>",
        "p(a)group[p(b)]",
        "A text box was moved to the end of its paragraph.",
    );
    check(
        "<text:p>a<draw:frame><draw:image xlink:href=\"Pictures/1.png\"/></draw:frame></text:p>",
        "p(a)",
        "A picture was left out: it is not in the file.",
    );
}

#[test]
fn deep_files_become_plain_text_and_damaged_ones_are_refused() {
    for (open, close) in [
        ("<text:section>", "</text:section>"),
        (
            "<text:list><text:list-item>",
            "</text:list-item></text:list>",
        ),
        ("<text:p><text:span>", "</text:span></text:p>"),
        (
            "<table:table><table:table-row><table:table-cell>",
            "</table:table-cell></table:table-row></table:table>",
        ),
        (
            "<text:p><draw:frame><draw:text-box>",
            "</draw:text-box></draw:frame></text:p>",
        ),
    ] {
        let body = open.repeat(150) + "<text:p>deep</text:p>" + &close.repeat(150);
        let (drawn, _) = read_text(flat(&body).as_bytes()).expect(open);
        assert!(drawn.contains("deep"), "{open}: {drawn}");
    }
    let file = flat(
        "<text:p>a<text:span text:style-name=\"B\">b</text:span></text:p><text:list text:style-name=\"N\"><text:list-item><text:p>c</text:p></text:list-item></text:list>",
    );
    for end in (0..file.len()).step_by(7) {
        let err = read_text(&file.as_bytes()[..end]).expect_err("it is cut off");
        assert_eq!(err.kind(), Kind::BadInput, "{end}");
    }
}

#[test]
fn cell_and_table_styles_inherit_unset_properties() {
    let styles = "<style:style style:name=\"c\" style:family=\"table-cell\"><style:table-cell-properties fo:border=\"1pt solid #000000\"/></style:style>\
        <style:style style:name=\"d\" style:family=\"table-cell\" style:parent-style-name=\"c\"><style:table-cell-properties fo:border-top=\"none\" fo:border-left=\"3pt solid #000000\"/></style:style>\
        <style:style style:name=\"t\" style:family=\"table\"><style:table-properties fo:break-before=\"page\"/></style:style>\
        <style:style style:name=\"u\" style:family=\"table\" style:parent-style-name=\"t\"/></office:styles>";
    let file = flat(
        "<text:p>a</text:p><table:table table:style-name=\"u\"><table:table-row><table:table-cell table:style-name=\"d\"><text:p>b</text:p></table:table-cell></table:table-row></table:table>",
    );
    let file = file.replacen("</office:styles>", styles, 1);
    let document = with_job(|job| {
        let job = Job {
            input_len: file.len() as u64,
            ..*job
        };
        let input = &mut Cursor::new(file.clone().into_bytes());
        read_flat(&job, input, &mut Notes::default()).expect("a document")
    });
    let drawn = draw(&document);
    assert!(drawn.contains("break") || drawn.contains("page"), "{drawn}");
    let table = document.blocks().find_map(|block| match block {
        convertd_tree::Block::Table(table) => Some(table),
        _ => None,
    });
    let cell = &table.expect("a table").body[0].cells[0];
    let borders = document.cell_style(cell.style).borders;
    let sides = [borders.top, borders.end, borders.bottom, borders.start];
    let widths = sides.map(|line| line.map(|line| line.width.to_points()));
    assert_eq!(widths, [None, Some(1.0), Some(1.0), Some(3.0)]);
}

#[test]
fn a_frame_follows_the_empty_paragraph_that_it_is_anchored_in() {
    let frame = "<draw:frame text:anchor-type=\"paragraph\" svg:width=\"3cm\" svg:height=\"1cm\"><draw:text-box><text:p>b</text:p></draw:text-box></draw:frame>";
    let drawn = |body: &str| read_text(flat(body).as_bytes()).expect(body).0;
    let alone = drawn(&format!(
        "<text:p>a</text:p><text:p>{frame}</text:p><text:p>c</text:p>"
    ));
    let beside = drawn(&format!(
        "<text:p>a</text:p><text:p>x{frame}</text:p><text:p>c</text:p>"
    ));
    assert_eq!(alone, beside.replace("p(x)", "p()"));
}

#[test]
fn start_and_end_mean_left_and_right_in_libreoffice() {
    /// Alignments of two paragraphs from right to left, for a file by this program.
    fn alignments(generator: &str) -> Vec<Alignment> {
        let styles = "<office:automatic-styles>\
            <style:style style:name=\"X\" style:family=\"paragraph\"><style:paragraph-properties style:writing-mode=\"rl-tb\" fo:text-align=\"end\"/></style:style>\
            <style:style style:name=\"Y\" style:family=\"paragraph\"><style:paragraph-properties style:writing-mode=\"rl-tb\" fo:text-align=\"start\"/></style:style>";
        let body =
            "<text:p text:style-name=\"X\">x</text:p><text:p text:style-name=\"Y\">y</text:p>";
        let file = flat(body).replacen("<office:automatic-styles>", styles, 1);
        let meta = format!(
            "<office:meta><meta:generator>{generator}</meta:generator></office:meta><office:styles>"
        );
        let space =
            "<office:document xmlns:meta=\"urn:oasis:names:tc:opendocument:xmlns:meta:1.0\"";
        let file =
            file.replacen("<office:styles>", &meta, 1)
                .replacen("<office:document", space, 1);
        with_job(|job| {
            let job = Job {
                input_len: file.len() as u64,
                ..*job
            };
            let mut input = Cursor::new(file.into_bytes());
            let document = read_flat(&job, &mut input, &mut Notes::default()).expect("a document");
            let blocks = document
                .sections()
                .iter()
                .flat_map(|section| &section.blocks);
            blocks
                .map(|block| match block {
                    Block::Paragraph(paragraph) => {
                        let style = document.paragraph_style(paragraph.style);
                        style.alignment.unwrap_or(Alignment::Start)
                    }
                    other => panic!("{other:?}"),
                })
                .collect()
        })
    }
    let (start, end) = (Alignment::Start, Alignment::End);
    assert_eq!(alignments("LibreOffice/7.4.7.2$Linux_X86_64"), [start, end]);
    assert_eq!(alignments("MicrosoftOffice/15.0"), [end, start]);
}
