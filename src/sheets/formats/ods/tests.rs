//! Tests of reading spreadsheets as other programs write them, and of reading the program's own output.

use super::*;
use crate::{
    cells::Value,
    containers::zip::{Packing, Writer},
    job::testing::with_job,
    number::{Number, NumberStyle},
    sheet::View,
    testing::{drawn, drawn_in, written_row},
    time::Moment,
};
use std::io::Cursor;

fn document(body: &str) -> Vec<u8> {
    let spaces: String = NAMESPACES
        .iter()
        .map(|(space, name)| format!(" xmlns:{name}='{space}'"))
        .collect();
    let content = format!(
        "<office:document-content{spaces} xmlns:draw='urn:x'><office:automatic-styles><number:number-style style:name='N2'><number:number number:decimal-places='2'/></number:number-style><style:style style:name='ce1' style:family='table-cell' style:data-style-name='N2'/><style:style style:name='ta2' style:family='table'><style:table-properties table:display='false'/></style:style></office:automatic-styles><office:body><office:spreadsheet>{body}</office:spreadsheet></office:body></office:document-content>"
    );
    with_job(|job| {
        let mut output = Cursor::new(Vec::new());
        let mut zip = Writer::new(job, &mut output);
        zip.add("content.xml", content.as_bytes(), Packing::Deflated)
            .unwrap();
        zip.finish().unwrap();
        output.into_inner()
    })
}

#[track_caller]
fn check(rows: &str, expected: &str) {
    let file = document(&format!("<table:table table:name='A'>{rows}</table:table>"));
    assert_eq!(drawn(ROW.open, &file).unwrap(), expected, "{rows}");
}

#[test]
fn cells_have_the_types_that_the_file_states() {
    check(
        "<table:table-row><table:table-cell office:value-type='string'><text:p>a <text:span>b</text:span></text:p><text:p>c<text:s text:c='2'/>d</text:p></table:table-cell><table:table-cell office:value-type='float' office:value='1.5' table:style-name='ce1'><text:p>1,50</text:p></table:table-cell><table:table-cell office:value-type='percentage' office:value='0.15'/><table:table-cell office:value-type='boolean' office:boolean-value='true'/></table:table-row>",
        "1: a b\nc  d|#1.50|#15%|?TRUE\n",
    );
    check(
        "<table:table-row><table:table-cell office:value-type='date' office:date-value='2020-01-31'/><table:table-cell office:value-type='date' office:date-value='2020-01-31T12:00:00.500000000'/><table:table-cell office:value-type='time' office:time-value='PT13H20M00S'/><table:table-cell office:value-type='time' office:time-value='PT26H00M00S'/></table:table-row>",
        "1: @2020-01-31|@2020-01-31T12:00:00.500|@13:20:00|@26:00:00\n",
    );
    check(
        "<table:table-row><table:table-cell office:value-type='string' table:value-type='error'><text:p>#N/A</text:p></table:table-cell><table:table-cell office:value-type='string' office:string-value='x'/></table:table-row>",
        "1: !#N/A|x\n",
    );
}

#[test]
fn shown_cells_have_the_text_of_the_file() {
    let row = "<table:table-row><table:table-cell office:value-type='float' office:value='1.5'><text:p>1,50 €</text:p></table:table-cell><table:table-cell office:value-type='date' office:date-value='2020-01-31'/><table:table-cell office:value-type='string'><text:p>a</text:p></table:table-cell></table:table-row>";
    let file = document(&format!("<table:table table:name='A'>{row}</table:table>"));
    let shown = drawn_in(View::Shown, ROW.open, &file).unwrap();
    assert_eq!(shown, "1: #1,50 €|@2020-01-31|a\n");
}

#[test]
fn repetitions_have_an_end() {
    let one = "<table:table-cell office:value-type='float' office:value='1'/>";
    check(
        &format!(
            "<table:table-row table:number-rows-repeated='2'><table:table-cell table:number-columns-repeated='2'/>{one}</table:table-row><table:table-row table:number-rows-repeated='1048574'><table:table-cell table:number-columns-repeated='16384'/></table:table-row>"
        ),
        "1: ||#1\n2: ||#1\n",
    );
    for rows in [
        format!("<table:table-row table:number-rows-repeated='4000000000'>{one}</table:table-row>"),
        "<table:table-row table:number-rows-repeated='1000000'><table:table-cell table:number-columns-repeated='16384' office:value-type='float' office:value='1'/></table:table-row>".to_owned(),
    ] {
        let file = document(&format!("<table:table table:name='A'>{rows}</table:table>"));
        assert!(drawn(ROW.open, &file).is_err(), "{rows}");
    }
}

#[test]
fn content_outside_cells_is_left_out() {
    check(
        "<table:shapes><draw:frame><text:p>no</text:p></draw:frame></table:shapes><table:table-header-rows><table:table-row><table:table-cell office:value-type='string'><office:annotation><text:p>no</text:p></office:annotation><text:p>yes</text:p><draw:frame><text:p>no</text:p></draw:frame></table:table-cell><table:covered-table-cell office:value-type='string'><text:p>no</text:p></table:covered-table-cell></table:table-row></table:table-header-rows>",
        "1: yes\n",
    );
}

#[test]
fn sheets_are_the_tables_of_the_document() {
    let file = document(
        "<table:tracked-changes><table:table table:name='no'/></table:tracked-changes><table:table table:name='A'/><table:table table:name='B' table:style-name='ta2'><table:table-row table:visibility='collapse'><table:table-cell office:value-type='string'><text:p>b</text:p></table:table-cell></table:table-row></table:table>",
    );
    assert_eq!(
        drawn(ROW.open, &file).unwrap(),
        "= B (hidden)\n1:hidden b\n"
    );
}

#[test]
fn written_workbooks_can_be_read() {
    let number = |value, look| Value::Number(Number { value, look });
    let values = [
        Value::Text("=cmd|' /C calc'!A0"),
        Value::Text(" a  <&>\n\tb "),
        number(0.1 + 0.2, NumberStyle::General),
        number(1e300, NumberStyle::General),
        number(1.5, NumberStyle::Fixed(2)),
        number(0.155, NumberStyle::Percent(1)),
        number(1.5e-10, NumberStyle::Scientific(2)),
        Value::Boolean(true),
        Value::Error("#DIV/0!"),
        Value::Moment(Moment::parse("1066-10-14").unwrap()),
        Value::Moment(Moment::parse("2026-11-22T13:20:00.123").unwrap()),
        Value::Moment(Moment::parse("13:20:00").unwrap()),
        Value::Moment(Moment::Duration(100 * 3_600_000)),
        Value::Written("007"),
    ];
    let file = written_row(ROW.write.as_ref().unwrap().create, &values);
    assert_eq!(
        drawn(ROW.open, &file).unwrap(),
        "1: =cmd|' /C calc'!A0| a  <&>\n\tb |#0.30000000000000004|#1E+300|#1.50|#15.5%|#1.50E-10|?TRUE|!#DIV/0!|@1066-10-14|@2026-11-22T13:20:00.123|@13:20:00|@100:00:00|007\n"
    );
}
