//! Reads documents in the form that Word, LibreOffice and other programs write.

use super::*;
use crate::{error::Kind, job::testing::with_job};
use convertd_tree::{Length, PageSetup, testing::draw};
use std::io::Cursor;

fn read_file(file: &[u8]) -> Result<(String, Vec<String>)> {
    with_job(|job| {
        let job = Job {
            input_len: file.len() as u64,
            ..*job
        };
        let mut notes = Notes::default();
        let document = read(&job, &mut Cursor::new(file.to_vec()), &mut notes)?;
        Ok((draw(&document), notes.0))
    })
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let file = format!("{{\\rtf1\\ansi {text}}}");
    let (drawn, _) = read_file(file.as_bytes()).expect(text);
    assert_eq!(drawn, expected, "{text}");
}

#[test]
fn code_page_and_unicode_characters_are_decoded() {
    check("a\\'e4\\~b\\par", "p(aä\u{a0}b)");
    check("\\u8364?\\u228 ?x\\par", "p(€äx)");
    check("\\uc0\\u8364 x\\par", "p(€x)");
    check("\\uc2\\u8364\\'80?x\\par", "p(€x)");
    check("\\u-10179?\\u-8694?\\par", "p(😊)");
    check(
        "a\\u-10179? b\\u-8694?\\b c\\par",
        "p(a\u{fffd} b\u{fffd}Strong(c))",
    );
    check("a\\u-10179?\\par", "p(a\u{fffd})");
    check(
        "\\deff0{\\fonttbl{\\f0\\fcharset204 A;}}\\f0\\'cf\\par",
        "p(П)",
    );
    check(
        "\\deff0{\\fonttbl{\\f0\\fcharset2 Symbol;}}\\f0 a\\par",
        "p(α)",
    );
    check(
        "\\deff0{\\fonttbl{\\f0\\fcharset128 A;}}\\f0\\'93\\'fa\\'96\\'7b\\par",
        "p(日本)",
    );
    check(
        "\\emdash\\lquote\\rdblquote\\bullet\\tab x\\line y\\par",
        "p(—‘”•\tx/y)",
    );
    check("\\{\\}\\\\\\par", "p({}\\)");
    // A code page of the Macintosh, as TextEdit writes it.
    check(
        "\\deff0{\\fonttbl{\\f0\\fcharset78 A;}}\\f0\\'82\\'a8\\par",
        "p(お)",
    );
    check("\\ansicpg10001\\'82\\'a8\\par", "p(お)");
    check("\\ansicpg20866\\'f0\\par", "p(П)");
}

#[test]
fn marks_links_and_notes_are_read() {
    check(
        "{\\b b{\\i i}} {\\ul u}{\\strike s}\\par",
        "p(Strong(bEmphasis(i)) Underline(u)Strikethrough(s))",
    );
    check(
        "x{\\super 2}{\\sub 3}{\\scaps c}\\par",
        "p(xSuperscript(2)Subscript(3)SmallCaps(c))",
    );
    check("\\b b\\b0 n\\par", "p(Strong(b)n)");
    check(
        "{\\field{\\*\\fldinst HYPERLINK \"http://a/\"}{\\fldrslt{\\ul l}}}\\par",
        "p(<http://a/>(l))",
    );
    check("{\\field{\\*\\fldinst PAGE}{\\fldrslt 3}}\\par", "p(Page)");
    check(
        "{\\field{\\*\\fldinst { HYPERLINK \"http://a/\" }{{\\*\\datafield 00d0}}}{\\fldrslt{l}}}\\par",
        "p(<http://a/>(l))",
    );
    check(
        "{\\shp{\\*\\shpinst{\\shptxt b\\par}}{\\shprslt{\\*\\do{\\dptxbxtext b\\par}}}}a\\par",
        "p(b)p(a)",
    );
    check("{\\*\\bkmkstart x}a{\\*\\bkmkend x}\\par", "p(#xa)");
    check(
        "a{\\super\\chftn{\\footnote\\pard\\plain n\\par m}}b\\par",
        "p(a^0b)note[p(n)p(m)]",
    );
    check(
        "{\\*\\unknown x}{\\*\\shppict{\\pict\\pngblip 89504e470d0a1a0a}}\\par",
        "p(!())",
    );
    check(
        "{\\pict{\\*\\picprop\\shplid7{\\sp{\\sn wzName}{\\sv no}}{\\sp{\\sn wzDescription}{\\sv a \\'e9\\u8364?}}}\\pngblip 89504e470d0a1a0a}\\par",
        "p(!(a é€))",
    );
    check("{\\pict\\jpegblip\\bin4 \u{1}\u{2}\u{3}}}\\par", "p(!())");
}

#[test]
fn paragraphs_lists_and_headings_are_read() {
    check(
        "{\\stylesheet{\\s1\\b heading 1;}{\\s2 Quote;}}\\s1\\b H\\par\\pard\\plain\\s2 q\\par\\pard\\plain p\\par",
        "h1#h(H)quote[p(q)]p(p)",
    );
    check(
        "\\outlinelevel1{\\b H}\\par\\pard x\\page y\\par",
        "h2#h(H)p(x)pagep(y)",
    );
    let lists = "{\\*\\listtable{\\list{\\listlevel\\levelnfc0\\levelstartat3{\\leveltext\\'02\\'00.;}{\\levelnumbers\\'01;}}{\\listlevel\\levelnfc23{\\leveltext\\'01\\u8226 ?;}}\\listid7}}{\\*\\listoverridetable{\\listoverride\\listid7\\ls1}}";
    check(
        &format!(
            "{lists}{{\\listtext 3.\\tab}}\\ls1\\ilvl0 a\\par\\ilvl1 b\\par\\ilvl0 c\\par\\pard d\\par"
        ),
        "3.([p(a)list([p(b)])][p(c)])p(d)",
    );
    check(&format!("{lists}\\ls1\\ilvl0 a\\par b"), "3.([p(a)][p(b)])");
    check(
        &format!(
            "{{\\stylesheet{{\\s3 Source Code;}}}}{lists}\\ls1\\ilvl0 a\\par\\pard\\s3\\li720 c\\par\\pard\\ls1\\ilvl0 b\\par\\pard\\s3 d\\par"
        ),
        "3.([p(a)code(c)][p(b)])code(d)",
    );
    check(
        "{\\pntext\\'b7}{\\*\\pn\\pnlvlblt}a\\par b\\par\\pard c\\par",
        "list([p(a)][p(b)])p(c)",
    );
}

#[test]
fn typed_labels_make_lists() {
    let item = |text: &str| format!("{{\\pard\\li360\\fi-360 {text}\\par}}");
    let list = |texts: &[&str]| texts.iter().map(|text| item(text)).collect::<String>();
    // The form that pandoc writes.
    check(
        &list(&["\\bullet \\tx360\\tab a", "\\bullet \\tx360\\tab b"]),
        "list([p(a)][p(b)])",
    );
    check(
        &(list(&["3.\\tab{\\b a}"])
            + "{\\pard\\li360\\fi0 b\\par}{\\pard\\li720\\fi-360\\bullet\\tab c\\par}"
            + &list(&["4.\\tab d"])
            + "{\\pard\\li720 e\\par}"),
        "3.([p(Strong(a))p(b)list([p(c)])][p(d)])quote[p(e)]",
    );
    // An indent of zero counts as no indent, although the paragraph states it.
    check(
        &(list(&["\\bullet\\tab a"]) + "{\\pard\\li0\\fi0 b\\par}"),
        "list([p(a)])p(b)",
    );
    check("{\\listtext\\bullet\\tab} a\\par", "list([p(a)])");
    check("{\\listtext\\u61692\\'3f\\tab}\\ls0 a\\par", "list([p(a)])");
    // The form of text that was copied from a list, without the list table.
    check(
        "{\\listtext\\f1 \\'95\\tab}\\ls3 a\\par{\\pntext b)\\tab}b\\par{\\pntext (i)\\tab}c\\par",
        "list([p(a)])p(b)(i)([p(c)])",
    );
    check("\\bullet\\tab a\\par", "p(•\ta)");
    check(
        &list(&["\\bullet a", "A.\\tab b", "5\\tab c"]),
        "p(•a)p(A.\tb)p(5\tc)",
    );
}

#[test]
fn a_list_definition_outside_the_list_table_is_not_text() {
    check(
        "{\\list{\\listlevel{\\leveltext\\'02\\'00.}{\\levelnumbers\\'01}}{\\listname A;}\\listid1}b\\par",
        "p(b)",
    );
}

#[test]
fn cells_have_their_positions_and_spans() {
    check(
        "\\trowd\\trhdr\\cellx100\\cellx200\\intbl a\\cell b\\cell\\row\\trowd\\cellx200\\intbl c\\cell\\row\\pard d\\par",
        "table2[](([p(a)][p(b)])(2x1[p(c)]))p(d)",
    );
    check(
        "\\trowd\\clvmgf\\cellx100\\cellx200\\intbl a\\cell b\\cell\\row\\trowd\\clvmrg\\cellx100\\cellx200\\intbl\\cell c\\par d\\cell\\row\\pard",
        "table2[]((1x2[p(a)][p(b)])([p(c)p(d)]))",
    );
    check(
        "\\intbl a\\cell b\\cell\\row\\pard c\\par",
        "table2[](([p(a)][p(b)]))p(c)",
    );
}

#[test]
fn fields_breaks_and_captions_are_read() {
    let link = "{\\field{\\*\\fldinst HYPERLINK \\\\l \"_Toc1\"}{\\fldrslt l}}";
    check(
        &format!("{link}{{\\*\\bkmkstart _Toc1}}{{\\*\\bkmkstart _Toc2}}a\\par"),
        "p(<#_Toc1>(l)#_Toc1a)",
    );
    check("{\\b a\\line b}\\par", "p(Strong(a/b))");
    check(
        "{\\field{\\*\\fldinst REF {\\field{\\*\\fldinst X}{\\fldrslt x}}}{\\fldrslt b}}\\par",
        "p(b)",
    );
    check(
        "{\\stylesheet{\\s1 caption;}}\\pard\\s1 c\\par\\trowd\\cellx100\\pard\\intbl a\\cell\\row",
        "table1[p(c)](([p(a)]))",
    );
    check(
        "{\\stylesheet{\\s1 heading 1;}}\\pard\\s1\\outlinelevel9 a\\par",
        "p(a)",
    );
}

#[test]
fn column_widths_and_row_heights_are_read() {
    use convertd_tree::{Block, Length, Width};
    let file = b"{\\rtf1\\trowd\\trrh300\\cellx1000\\cellx1400\\intbl a\\cell b\\cell\\row}";
    let document = with_job(|job| {
        let job = Job {
            input_len: file.len() as u64,
            ..*job
        };
        read(&job, &mut Cursor::new(file.to_vec()), &mut Notes::default())
    })
    .expect("a table");
    let Some(Block::Table(table)) = document.blocks().next() else {
        panic!("no table");
    };
    let widths: Vec<_> = table.columns.iter().map(|column| column.width).collect();
    let fixed = |twips| Some(Width::Fixed(Length::twips(twips)));
    assert_eq!(widths, [fixed(1000), fixed(400)]);
    assert_eq!(table.body[0].height, Some(Length::twips(300)));
}

#[test]
fn nested_tables_are_read() {
    let row = "{\\*\\nesttableprops\\trowd\\cellx50\\cellx90\\nestrow}{\\nonesttables\\par}";
    let outer = "\\pard\\intbl\\itap1";
    check(
        &format!(
            "\\trowd\\cellx100{outer} a\\par\\pard\\intbl\\itap2 b\\nestcell c\\par d\\nestcell{row}\\pard\\intbl\\itap2 e\\nestcell\\nestcell{row}{outer} f\\cell\\row\\pard g\\par"
        ),
        "table1[](([p(a)table2[](([p(b)][p(c)p(d)])([p(e)][p()]))p(f)]))p(g)",
    );
    // Nested tables in two adjacent cells. Their rows state more cells than they have. The paragraph in the second
    // table also skips a depth (`\itap3` instead of `\itap2`), so another table is added around it.
    check(
        &format!(
            "\\trowd\\cellx100\\cellx200\\pard\\intbl\\itap2 a\\nestcell{row}{outer}\\cell\\pard\\intbl\\itap3 b\\nestcell{row}{outer}\\cell\\row"
        ),
        "table2[](([table2[](([p(a)]))][table1[](([table2[](([p(b)]))]))]))",
    );
    // A depth beyond the limit.
    let deep = "\\pard\\intbl\\itap1000 a\\nestcell{\\*\\nesttableprops\\nestrow}\\row";
    let file = format!("{{\\rtf1 {deep}}}");
    assert!(read_file(file.as_bytes()).is_ok());
}

#[test]
fn omitted_content_is_noted() {
    #[track_caller]
    fn check(text: &str, drawn: &str, note: &str) {
        let read = read_file(format!("{{\\rtf1 {text}}}").as_bytes()).expect(text);
        assert_eq!(read, (drawn.into(), vec![note.into()]));
    }
    check(
        "a{\\v h}\\par",
        "p(a)",
        "A piece of hidden text was left out.",
    );
    check(
        "a{\\deleted d}\\par",
        "p(a)",
        "A tracked change was accepted.",
    );
    check(
        "a{\\*\\annotation c}\\par",
        "p(a)",
        "A comment was left out.",
    );
    check(
        "a{\\pict\\wmetafile8 0100}\\par",
        "p(a)",
        "A picture was left out: it is a metafile of an unknown format.",
    );
}

#[test]
fn truncated_and_deeply_nested_files_are_read() {
    #[track_caller]
    fn refused(file: &[u8]) {
        let err = read_file(file).expect_err("it is damaged");
        assert_eq!(err.kind(), Kind::BadInput);
    }
    refused(b"");
    refused(b"{\\rt");
    refused(b"plain text");
    let file = b"{\\rtf1{\\fonttbl{\\f0 A;}}\\trowd\\cellx9\\intbl a\\cell\\row{\\pict 00}\\u8364?{\\field{\\*\\fldinst X}}}";
    let whole = read_file(file).expect("whole").1.len();
    for end in b"{\\rtf".len()..file.len() {
        let (_, notes) = read_file(&file[..end]).expect("as far as it goes");
        assert!(
            notes.iter().any(|note| note.contains("cut off")),
            "{end}: {notes:?}"
        );
        assert!(notes.len() <= whole + 2, "{end}: {notes:?}");
    }
    let read = |file: &[u8]| read_file(file).expect("as far as it goes").0;
    assert_eq!(read(b"{\\rtf1 a{\\b bold"), "p(aStrong(bold))");
    assert_eq!(read(b"{\\rtf1 a\\par b\\pa"), "p(a)p(b)");
    let deep = format!(
        "{{\\rtf1 {}deep{}\\par}}",
        "{\\b ".repeat(100_000),
        "}".repeat(100_000)
    );
    assert_eq!(
        read_file(deep.as_bytes()).expect("deep").0,
        "p(Strong(deep))"
    );
    let notes = format!(
        "{{\\rtf1 a{}n{}\\par}}",
        "{\\footnote ".repeat(5000),
        "}".repeat(5000)
    );
    assert!(read_file(notes.as_bytes()).expect("notes").0.contains('n'));
    let rows = format!(
        "{{\\rtf1\\trowd{}{}}}",
        "\\cellx1".repeat(1000),
        "\\row".repeat(50_000)
    );
    assert!(read_file(rows.as_bytes()).is_ok());
}

#[test]
fn white_space_between_groups_is_handled() {
    check("\n  { \\fonttbl\n    { \\f0 A;}\n  }\n  a\\par", "p(  a)");
    check("\n  { \\*\\unknown b}\n  {\\b a}\\par", "p(Strong(a))");
    check("a{ b}{ \\b c}\\par", "p(a b Strong(c))");
}

#[test]
fn unicode_alternative_replaces_text() {
    check(
        "{\\upr{plain}{\\*\\ud{\\u20320?\\u22909?}}} a\\par",
        "p(你好 a)",
    );
    check("{\\upr plain{\\*\\ud \\u20320?}}\\par", "p(你)");
    let title = |file: &str| {
        with_job(|job| {
            let file = format!("{{\\rtf1{{\\info{file}}}a}}").into_bytes();
            let job = Job {
                input_len: file.len() as u64,
                ..*job
            };
            let read = read(&job, &mut Cursor::new(file), &mut Notes::default());
            read.expect("a document").metadata.title
        })
    };
    let file = "{\\upr{\\title ?}{\\*\\ud{\\title \\u20320?}}}";
    assert_eq!(title(file).as_deref(), Some("你"));
}

#[test]
fn monospaced_text_is_code() {
    let fonts = "\\deff0{\\fonttbl{\\f0 A;}{\\f1\\fmodern B;}{\\f2 Courier New;}}";
    let check = |text: &str, expected: &str| check(&format!("{fonts}{text}"), expected);
    check("a {\\f1 b}\\par", "p(a `b`)");
    check("a {\\f2 b}\\par", "p(a `b`)");
    check(
        "a\\par{\\f1 b\\line c\\par}\\f0 d\\par",
        "p(a)code(b\nc)p(d)",
    );
    // If the whole document has a monospaced font, the font does not mark code.
    check("{\\f1 a\\par b\\par}", "p(span(a))p(span(b))");
}

/// The page setups of a file.
fn pages(text: &str) -> Vec<Option<PageSetup>> {
    let file = format!("{{\\rtf1\\ansi {text}}}").into_bytes();
    with_job(|job| {
        let job = Job {
            input_len: file.len() as u64,
            ..*job
        };
        let document = read(&job, &mut Cursor::new(file), &mut Notes::default());
        let document = document.expect(text);
        let sections = document.sections().iter();
        sections
            .map(|section| section.page.as_deref().cloned())
            .collect()
    })
}

#[test]
fn sections_that_state_no_paper_keep_their_other_properties() {
    let page = |text: &str| pages(text).remove(0);
    assert_eq!(page("\\sectd a\\par"), None);
    assert_eq!(page("\\sectd\\titlepg a\\par"), None);
    for text in [
        "\\sectd\\pgbrdrt\\brdrs\\brdrw10 a\\par",
        "\\sectd\\pgnrestart a\\par",
        "\\sectd\\pgnlcrm a\\par",
        "\\sectd\\linebetcol a\\par",
        "\\sectd\\sectlinegrid400\\sectspecifyl a\\par",
        "\\sectd\\sftnnalc a{\\footnote b}\\par",
    ] {
        assert!(page(text).is_some(), "{text}");
    }
}

#[test]
fn sections_begin_with_the_properties_of_the_document() {
    let found = pages(
        "\\paperw10000\\margl1000\\sectd\\pgwsxn20000\\marglsxn2000\\colsx100\\headery300\\footery400\\sectlinegrid400\\sectspecifyl a\\par\\sect\\sectd b\\par\\sect\\sectd\\marglsxn3000 c\\par\\sect d\\par",
    );
    let twips = |at: usize| {
        let page = found[at].as_ref().expect("a page");
        [
            page.width,
            page.left,
            page.column_gap,
            page.header_distance,
            page.footer_distance,
            page.grid.unwrap_or_default(),
        ]
        .map(Length::to_twips)
    };
    assert_eq!(twips(0), [20000, 2000, 100, 300, 400, 400]);
    assert_eq!(twips(1), [10000, 1000, 720, 720, 720, 0]);
    assert_eq!(twips(2), [10000, 3000, 720, 720, 720, 0]);
    // A section without `\\sectd` has the properties of the section before it.
    assert_eq!(twips(3), [10000, 3000, 720, 720, 720, 0]);
}

#[test]
fn gutters_add_to_the_left_margin() {
    let left = |text: &str| pages(text)[0].as_ref().expect("a page").left.to_twips();
    assert_eq!(left("\\gutter300\\margl1000 a\\par"), 1300);
    assert_eq!(
        left("\\margl1000\\gutter300\\sectd\\guttersxn500 a\\par"),
        1500
    );
    assert_eq!(left("\\gutter300\\sectd\\marglsxn2000 a\\par"), 2300);
    let other = "\\margl1000\\margr1000\\margt1000\\gutter300";
    assert_eq!(left(&format!("{other}\\gutterprl\\sectd a\\par")), 1000);
    assert_eq!(left(&format!("{other}\\sectd\\rtlgutter a\\par")), 1000);
}

#[test]
fn tables_in_notes_do_not_change_later_tables() {
    let table = "\\trowd\\cellx1000\\cellx2000\\intbl c\\cell d\\cell\\row\\trowd\\cellx2000\\intbl e\\cell\\row\\pard f\\par";
    let drawn = |text: &str| {
        read_file(format!("{{\\rtf1\\ansi {text}}}").as_bytes())
            .expect(text)
            .0
    };
    let alone = drawn(table);
    let note = "a{\\footnote b\\par\\trowd\\cellx9000\\intbl g\\cell\\row\\pard h}\\par";
    let both = drawn(&format!("{note}{table}"));
    assert!(both.contains(&alone), "{both}\n{alone}");
}
