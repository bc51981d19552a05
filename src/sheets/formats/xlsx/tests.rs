//! Tests of reading workbooks as other programs write them, and of reading the program's own output.

use super::*;
use crate::{
    cells::Value,
    containers::zip::{Packing, Writer},
    job::testing::with_job,
    number::{Number, NumberStyle},
    sheet::View,
    testing::{drawn, drawn_in, notes, written_row},
    time::{Epoch, Moment},
};
use std::io::Cursor;

const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const STRICT: &str = "http://purl.oclc.org/ooxml/spreadsheetml/main";

/// Builds a workbook of one sheet.
fn book(space: &str, properties: &str, sheet: &str) -> Vec<u8> {
    related(space, properties, sheet, "<Relationships/>")
}

/// Builds a workbook of one sheet with these relationships.
fn related(space: &str, properties: &str, sheet: &str, relationships: &str) -> Vec<u8> {
    let own = relationships.to_owned();
    let rels =
        "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>";
    let workbook = format!(
        "<x:workbook xmlns:x='{space}'>{properties}<x:sheets><x:sheet name='A' id='r1'/></x:sheets></x:workbook>"
    );
    let references = format!(
        "{rels}<Relationship Id='r1' Type='x/worksheet' Target='/xl/s.xml'/><Relationship Id='r2' Type='x/sharedStrings' Target='ss.xml'/><Relationship Id='r3' Type='x/styles' Target='st.xml'/></Relationships>"
    );
    let strings = format!(
        "<sst xmlns='{space}'><si><t>one</t></si><si><r><t>t</t></r><r><t xml:space='preserve'>wo </t></r><rPh><t>no</t></rPh></si><si/><si><t>a_x000D_&#10;b</t></si></sst>"
    );
    let styles = format!(
        "<styleSheet xmlns='{space}'><numFmts><numFmt numFmtId='164' formatCode='yyyy\\-mm\\-dd hh:mm'/><numFmt numFmtId='165' formatCode='@\\!'/></numFmts><cellStyleXfs><xf numFmtId='9'/></cellStyleXfs><cellXfs><xf/><xf numFmtId='14'/><xf numFmtId='164'/><xf numFmtId='10'/><xf numFmtId='46'/><xf numFmtId='165'/></cellXfs></styleSheet>"
    );
    let sheet = format!("<worksheet xmlns='{space}'>{sheet}</worksheet>");
    with_job(|job| {
        let mut output = Cursor::new(Vec::new());
        let mut zip = Writer::new(job, &mut output);
        for (name, part) in [
            ("xl/workbook.xml", &workbook),
            ("xl/_rels/workbook.xml.rels", &references),
            ("XL/SS.xml", &strings),
            ("xl/st.xml", &styles),
            ("xl/s.xml", &sheet),
            ("xl/_rels/s.xml.rels", &own),
        ] {
            zip.add(name, part.as_bytes(), Packing::Deflated).unwrap();
        }
        zip.finish().unwrap();
        output.into_inner()
    })
}

#[track_caller]
fn check(sheet: &str, expected: &str) {
    for space in [MAIN, STRICT] {
        let file = book(space, "", &format!("<sheetData>{sheet}</sheetData>"));
        assert_eq!(drawn(ROW.open, &file).unwrap(), expected, "{sheet}");
    }
}

#[test]
fn cells_have_the_types_that_the_file_states() {
    check(
        "<row r='2'><c r='B2' t='s'><v>0</v></c><c r='D2' t='s'><v>1</v></c></row>",
        "2: |one||two \n",
    );
    check(
        "<row><c><v>1.5</v></c><c t='b'><v>1</v></c><c t='e'><v>#N/A</v></c><c t='str'><f>x</f><v>&lt;a&gt;</v></c></row>",
        "1: #1.5|?TRUE|!#N/A|<a>\n",
    );
    check(
        "<row><c t='inlineStr'><is><r><t>a</t></r><r><t>b</t></r></is></c><c t='s'><v>3</v></c><c t='s'><v>2</v></c></row>",
        "1: ab|a\r\nb\n",
    );
    check(
        "<row><c s='1'><v>43831</v></c><c s='2'><v>43831.5</v></c><c s='3'><v>0.155</v></c><c s='4'><v>1.25</v></c><c s='1'><v>-1</v></c></row>",
        "1: @2020-01-01|@2020-01-01T12:00:00|#15.50%|@30:00:00|#-1\n",
    );
    check(
        "<row><c t='d'><v>2020-01-01T12:00:00.000Z</v></c><c t='d'><v>2020-01-01</v></c></row>",
        "1: @2020-01-01T12:00:00|@2020-01-01\n",
    );
    check(
        "<row><c><v>1E-05</v></c><c><v>0.1000000000000001</v></c></row>",
        "1: #0.00001|#0.1000000000000001\n",
    );
}

#[test]
fn cells_are_shown_in_their_number_formats() {
    #[track_caller]
    fn check(sheet: &str, expected: &str) {
        let file = book(MAIN, "", &format!("<sheetData>{sheet}</sheetData>"));
        assert_eq!(drawn_in(View::Shown, ROW.open, &file).unwrap(), expected);
    }
    check(
        "<row><c><v>0.30000000000000004</v></c><c s='1'><v>43831</v></c><c s='2'><v>43831.5</v></c><c s='3'><v>0.155</v></c><c s='4'><v>1.25</v></c></row>",
        "1: #0.3|#1/1/2020|#2020-01-01 12:00|#15.50%|#30:00:00\n",
    );
    check(
        "<row><c t='s'><v>0</v></c><c t='b'><v>0</v></c><c t='d' s='1'><v>2020-01-01</v></c><c s='99'><v>1e300</v></c><c t='s' s='5'><v>0</v></c></row>",
        "1: one|?FALSE|#1/1/2020|#1E+300|one!\n",
    );
}

#[test]
fn references_are_optional_and_rows_may_be_missing() {
    check(
        "<row/><row><c><v>1</v></c></row><row r='5'><c><v>2</v></c></row>",
        "2: #1\n5: #2\n",
    );
    check(
        "<row r='1' hidden='1'><c r='C1'><v>1</v></c><c r='A1'><v>2</v></c></row>",
        "1:hidden #2||#1\n",
    );
    check(
        "<row r='1048576'><c r='XFD1048576'><v>1</v></c></row>",
        &format!("1048576: {}#1\n", "|".repeat(16_383)),
    );
    check("", "");
}

#[test]
fn days_may_be_counted_from_1904() {
    let sheet = "<sheetData><row><c s='1'><v>1</v></c></row></sheetData>";
    let file = book(MAIN, "<x:workbookPr date1904='1'/>", sheet);
    assert_eq!(drawn(ROW.open, &file).unwrap(), "1: @1904-01-02\n");
}

#[test]
fn rows_out_of_order_are_sorted_where_formulas_have_no_values() {
    let sheet = "<sheetData><row r='3'><c r='A3'><f>A1*2</f></c></row><row r='1'><c r='A1'><v>2</v></c></row></sheetData>";
    let file = book(MAIN, "", sheet);
    assert_eq!(drawn(ROW.open, &file).unwrap(), "1: #2\n3: #4\n");
}

#[test]
fn formulas_without_a_value_are_computed_or_noted() {
    let sheet = "<sheetData><row><c><v>2</v></c><c><f>A1*1.5</f></c><c s='3'><f>B1/10</f><v></v></c>\
        <c><f>A1&amp;&quot;x&quot;</f></c><c><f>A1=2</f></c><c><f>1/0</f></c><c><f>TODAY()</f></c>\
        <c><f>G1+1</f></c><c t='str'><f>x</f><v></v></c></row></sheetData>";
    let file = book(MAIN, "", sheet);
    let expected = "1: #2|#3|#30.00%|2x|?TRUE|!#DIV/0!\n";
    assert_eq!(drawn(ROW.open, &file).unwrap(), expected);
    let said = notes(ROW.open, &file);
    assert!(
        said[0].starts_with("The values of 2 formulas are missing"),
        "{said:?}"
    );
}

#[test]
fn damaged_sheets_are_refused() {
    for sheet in ["<row r='1048577'/>", "<row r='0'/>", "<row><c>"] {
        let file = book(MAIN, "", &format!("<sheetData>{sheet}</sheetData>"));
        assert!(drawn(ROW.open, &file).is_err(), "{sheet}");
    }
    let file = book(MAIN, "", "<sheetData/>");
    for len in (0..file.len()).step_by(7) {
        assert!(drawn(ROW.open, &file[..len]).is_err(), "{len}");
    }
}

#[test]
fn written_workbooks_can_be_read() {
    let number = |value, look| Value::Number(Number { value, look });
    let values = [
        Value::Text("=cmd|' /C calc'!A0"),
        Value::Text(" a \r\n\tb _x000D_ <&> \u{1} 😀"),
        Value::Text("007"),
        number(0.1 + 0.2, NumberStyle::General),
        number(1e300, NumberStyle::General),
        number(1.5, NumberStyle::Fixed(2)),
        number(0.155, NumberStyle::Percent(1)),
        number(1.5e-10, NumberStyle::Scientific(2)),
        Value::Boolean(true),
        Value::Boolean(false),
        Value::Error("#DIV/0!"),
        Value::Moment(Moment::parse("1900-01-01").unwrap()),
        Value::Moment(Moment::parse("2026-11-22T13:20:00.123").unwrap()),
        Value::Moment(Moment::parse("13:20:00").unwrap()),
        Value::Moment(Moment::Duration(100 * 3_600_000)),
        Value::Moment(Moment::parse("1899-12-31").unwrap()),
    ];
    let file = written_row(ROW.write.as_ref().unwrap().create, &values);
    assert_eq!(
        drawn(ROW.open, &file).unwrap(),
        "1: =cmd|' /C calc'!A0| a \r\n\tb _x000D_ <&> \u{1} 😀|007|#0.30000000000000004|#1E+300|#1.50|#15.5%|#1.50E-10|?TRUE|?FALSE|!#DIV/0!|@1900-01-01|@2026-11-22T13:20:00.123|@13:20:00|@100:00:00|1899-12-31\n"
    );
    assert_eq!(Epoch::default(), Epoch::From1900);
}

#[test]
fn what_is_untyped_becomes_typed_only_if_nothing_is_lost() {
    let values = [
        "007",
        "1.50",
        "1234567890123456",
        "2020-01-31",
        "31.1.2020",
        "TRUE",
        "1e5",
        "12%",
        "a",
    ];
    let values = values.map(Value::Written);
    let file = written_row(ROW.write.as_ref().unwrap().create, &values);
    assert_eq!(
        drawn(ROW.open, &file).unwrap(),
        "1: 007|#1.50|1234567890123456|@2020-01-31|31.1.2020|?TRUE|1e5|#12%|a\n"
    );
}

#[test]
fn cells_beyond_the_last_column_are_left_out_with_a_note() {
    #[track_caller]
    fn check(cells: &str, expected: &str, note: Option<&str>) {
        let row = format!("<sheetData><row r='1'>{cells}</row></sheetData>");
        let file = book(MAIN, "", &row);
        assert_eq!(drawn(ROW.open, &file).unwrap(), expected);
        let notes = notes(ROW.open, &file);
        assert_eq!(notes.first().map(String::as_str), note);
    }
    let a = "<c r='A1'><v>1</v></c>";
    let drawn_a = drawn(
        ROW.open,
        &book(
            MAIN,
            "",
            &format!("<sheetData><row r='1'>{a}</row></sheetData>"),
        ),
    )
    .unwrap();
    check(a, &drawn_a, None);
    let beyond = "<c r='XFE1'><v>2</v></c>";
    check(
        &format!("{a}{beyond}"),
        &drawn_a,
        Some("A cell was left out, because it lies beyond column XFD, the last one of a workbook."),
    );
    check(
        &format!("{a}{beyond}<c><v>3</v></c>"),
        &drawn_a,
        Some(
            "2 cells were left out, because they lie beyond column XFD, the last one of a workbook.",
        ),
    );
}

#[cfg(feature = "document")]
#[test]
fn damaged_relationships_of_a_sheet_are_no_drawings() {
    #[track_caller]
    fn check(relationships: &str, expected: bool) {
        let file = related(MAIN, "", "<sheetData/>", relationships);
        let found = with_job(|job| {
            let mut input = Cursor::new(&file);
            let mut workbook = (ROW.open)(job, &mut input, View::Exact)?;
            workbook.has_drawings(0)
        });
        assert_eq!(found.unwrap(), expected, "{relationships}");
    }
    let one = "<Relationship Id='r1' Type='x/drawing' Target='st.xml'/>";
    check(&format!("<Relationships>{one}</Relationships>"), true);
    check("<Relationships/>", false);
    check(&format!("<Relationships>{one}</Wrong>"), false);
}
