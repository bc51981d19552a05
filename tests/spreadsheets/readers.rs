//! Both ways through a workbook: its rows, for csv, and the whole workbook with its styles, for xlsx. They find the
//! same values, and refuse the same files.

use crate::{
    bad::Zip,
    biff::{book, longs, short, shorts},
    harness::{convert, convert_with, text},
    looks::workbook,
    printed::unpacked,
    report::report,
};

/// Checks the displayed values of a file in its rows, and in a workbook that is made of it.
#[track_caller]
fn check(name: &str, file: &[u8], expected: &str) {
    let shown = |name: &str, file: &[u8]| {
        let (csv, _) = convert_with(name, file, "csv", &[("values", "shown")]).unwrap();
        text(csv)
    };
    assert_eq!(shown(name, file), expected, "rows");
    let whole = convert(name, file, "xlsx").unwrap();
    assert_eq!(shown("whole.xlsx", &whole), expected, "whole");
}

/// Checks that a file is refused either way, with this reason.
#[track_caller]
fn check_refused(name: &str, file: &[u8], reason: &str) {
    for to in ["csv", "xlsx"] {
        let error = convert(name, file, to).unwrap_err();
        assert!(error.to_string().contains(reason), "{to}: {error}");
    }
}

/// Checks a table of XML Spreadsheet 2003.
#[track_caller]
fn check_2003(table: &str, expected: &str) {
    check(
        "a.xls",
        &report(&format!("<Table>{table}</Table>")),
        expected,
    );
}

#[test]
fn number_formats_of_a_report_are_inherited() {
    check_2003(
        "<Row><Cell ss:StyleID='total'><Data ss:Type='Number'>1234.5</Data></Cell></Row>",
        "\"1,234.50\"\r\n",
    );
    check_2003(
        "<Column/><Column ss:StyleID='money'/><Row><Cell><Data ss:Type='Number'>7</Data></Cell><Cell><Data ss:Type='Number'>7</Data></Cell></Row>",
        "7,7.00\r\n",
    );
}

#[test]
fn a_report_can_state_the_general_format() {
    let table = "<Table><Row><Cell ss:StyleID='plain'><Data ss:Type='Number'>1234.5</Data></Cell></Row></Table>";
    let file = String::from_utf8(report(table)).unwrap();
    let plain = "<Style ss:ID='plain' ss:Parent='money'><NumberFormat/></Style></Styles>";
    let file = file.replace("</Styles>", plain);
    check("a.xls", file.as_bytes(), "1234.5\r\n");
}

#[test]
fn texts_of_a_report_keep_the_order_of_their_parts() {
    let html = "xmlns='http://www.w3.org/TR/REC-html40'";
    check_2003(
        &format!(
            "<Row><Cell><ss:Data ss:Type='String' {html}><B>bold</B> rest <I>end</I></ss:Data></Cell></Row>"
        ),
        "bold rest end\r\n",
    );
    let comment = format!(
        "<Table><Row><Cell><Data ss:Type='Number'>1</Data><Comment ss:Author='Ann'><ss:Data {html}><B>Ann:</B> twice</ss:Data></Comment></Cell></Row></Table>"
    );
    let made = convert("a.xls", &report(&comment), "xlsx").unwrap();
    let comments = unpacked(&made, "xl/comments1.xml");
    assert!(comments.contains("Ann: twice"), "{comments}");
}

#[test]
fn odd_values_of_a_report_are_the_same_either_way() {
    // A line end of Excel for Mac, numbers that are none, and a second value.
    check_2003(
        "<Row><Cell><Data ss:Type='String'>one&#13;two</Data></Cell><Cell><Data ss:Type='Number'>1e999</Data></Cell><Cell><Data ss:Type='Number'>1</Data><Data ss:Type='Number'>2</Data></Cell></Row>",
        "\"one\ntwo\",1e999,1\r\n",
    );
}

#[test]
fn cells_of_a_report_beyond_the_last_column_are_told() {
    let table = "<Table><Row><Cell><Data ss:Type='Number'>1</Data></Cell><Cell ss:Index='16385'><Data ss:Type='Number'>2</Data></Cell></Row></Table>";
    for to in ["csv", "xlsx"] {
        let (_, notes) = convert_with("a.xls", &report(table), to, &[]).unwrap();
        assert!(notes.0.join(" ").contains("beyond column XFD"), "{notes:?}");
    }
}

/// A workbook of one row.
fn row(cells: &str) -> Vec<u8> {
    let sheet = format!("<sheetData><row r='1'>{cells}</row></sheetData>");
    workbook("", "", &sheet, &[])
}

#[test]
fn numbers_out_of_range_are_texts_in_an_xlsx() {
    check(
        "a.xlsx",
        &row("<c r='A1'><v>1e999</v></c><c><v>NaN</v></c><c><v> 2 </v></c>"),
        "1e999,NaN,2\r\n",
    );
}

#[test]
fn formulas_with_texts_are_computed_in_an_xlsx() {
    check(
        "a.xlsx",
        &row(
            "<c r='A1' t='str'><f>\"a\"&amp;\"b\"</f></c><c t='str'><f>\"\"</f><v></v></c><c><v>1</v></c>",
        ),
        "ab,,1\r\n",
    );
}

#[test]
fn rows_of_an_xlsx_are_numbered_from_1() {
    let sheet = "<sheetData><row r='0'><c><v>1</v></c></row></sheetData>";
    check_refused("a.xlsx", &workbook("", "", sheet, &[]), "numbered from 1");
}

#[test]
fn runs_of_a_text_in_a_cell_keep_their_fonts() {
    let file = row(
        "<c r='A1' t='inlineStr'><is><r><t xml:space='preserve'>plain </t></r><r><rPr><b/><color rgb='FFFF0000'/></rPr><t>red</t></r><rPh><t>spoken</t></rPh></is></c>",
    );
    check("a.xlsx", &file, "plain red\r\n");
    let html = text(convert("a.xlsx", &file, "html").unwrap());
    let (_, run) = html.split_once("plain ").unwrap();
    assert!(
        run.contains("#ff0000") && run.contains(">red<") && !run.contains("spoken"),
        "{html}"
    );
}

#[test]
fn values_come_before_empty_cells_in_the_same_place_of_an_xlsx() {
    let text =
        "<c r='B1' t='inlineStr'><is><t xml:space='preserve'>plain </t><r><t>run</t></r></is></c>";
    let cells = format!("{text}<c r='A1' s='0'/><c r='A1'><v>5</v></c><c r='A1'><v>6</v></c>");
    check("a.xlsx", &row(&cells), "5,plain run\r\n");
}

/// A record of a cell in the first row of an xls.
fn cell(kind: u16, column: u16, value: &[u8]) -> Vec<u8> {
    short(kind, &[&shorts(&[0, column, 0])[..], value].concat())
}

#[test]
fn odd_values_of_an_xls_are_the_same_either_way() {
    const NUMBER: u16 = 0x203;
    const SHARED: u16 = 0xfd;
    let sheet = [
        cell(NUMBER, 0, &f64::NAN.to_le_bytes()),
        cell(SHARED, 1, &longs(&[7])),
        cell(NUMBER, 2, &1.5_f64.to_le_bytes()),
    ];
    let file = book(&[], &sheet.concat());
    check("a.xls", &file, "#NUM!,,1.5\r\n");
    for to in ["csv", "xlsx"] {
        let (_, notes) = convert_with("a.xls", &file, to, &[]).unwrap();
        let told = "A cell is empty, because its shared string is missing.";
        assert!(notes.0.iter().any(|note| note == told), "{to}: {notes:?}");
    }
}

#[test]
fn the_last_value_in_a_place_of_an_xls_counts() {
    const NUMBER: u16 = 0x203;
    const EMPTY: u16 = 0x201;
    const SEVERAL: u16 = 0xbd;
    // Two numbers in four bytes, which begin left of the number that one of them replaces.
    let several = [
        longs(&[2 << 2 | 2]),
        shorts(&[0]),
        longs(&[4 << 2 | 2]),
        shorts(&[1]),
    ];
    let sheet = [
        cell(NUMBER, 1, &1.0_f64.to_le_bytes()),
        cell(SEVERAL, 0, &several.concat()),
        cell(EMPTY, 0, &[]),
    ];
    check("a.xls", &book(&[], &sheet.concat()), "2,4\r\n");
}

#[test]
fn damaged_texts_of_an_xls_are_refused() {
    const LABEL: u16 = 0x204;
    let sheet = cell(LABEL, 0, &shorts(&[900, 0]));
    check_refused("a.xls", &book(&[], &sheet), "a cell in row 1 is damaged");
}

/// An ods with named styles, automatic styles and one table.
fn ods(named: &str, automatic: &str, table: &str) -> Vec<u8> {
    let names = ["office", "table", "text", "style"];
    let names = names.map(|name| (name, name));
    let names = [("draw", "drawing"), ("number", "datastyle")]
        .into_iter()
        .chain(names);
    let spaces = names.map(|(name, space)| {
        format!("xmlns:{name}='urn:oasis:names:tc:opendocument:xmlns:{space}:1.0'")
    });
    let spaces = spaces.collect::<Vec<_>>().join(" ");
    let styles = format!(
        "<office:document-styles {spaces}><office:styles>{named}</office:styles></office:document-styles>"
    );
    let content = format!(
        "<office:document-content {spaces}><office:automatic-styles>{automatic}</office:automatic-styles><office:body><office:spreadsheet><table:table table:name='A'>{table}</table:table></office:spreadsheet></office:body></office:document-content>"
    );
    let kind = b"application/vnd.oasis.opendocument.spreadsheet";
    Zip::default()
        .add("mimetype", kind)
        .add("styles.xml", styles.as_bytes())
        .add("content.xml", content.as_bytes())
        .finish()
}

/// A percentage with a decimal place.
const PERCENT: &str = "<number:percentage-style style:name='N'><number:number number:decimal-places='1' number:min-integer-digits='1'/><number:text>%</number:text></number:percentage-style>";

#[test]
fn odd_values_of_an_ods_are_the_same_either_way() {
    let rate =
        "<style:style style:name='rate' style:family='table-cell' style:data-style-name='N'/>";
    // A space after an element of a space, a number with the format of its column, a truth value without a value, and
    // numbers that are none.
    let cells = "<table:table-cell office:value-type='string'><text:p>a<text:s/> b</text:p></table:table-cell><table:table-cell office:value-type='float' office:value='0.5'/><table:table-cell office:value-type='boolean'><text:p>YES</text:p></table:table-cell><table:table-cell office:value-type='float' office:value='1e999'/><table:table-cell office:value-type='float' office:value='odd'><text:p>seven</text:p></table:table-cell>";
    let table = format!(
        "<table:table-column/><table:table-column table:default-cell-style-name='rate'/><table:table-row>{cells}</table:table-row>"
    );
    let file = ods("", &format!("{PERCENT}{rate}"), &table);
    check("a.ods", &file, "a  b,50.0%,YES,1e999,seven\r\n");
}

#[test]
fn number_formats_of_an_ods_are_inherited() {
    let named = format!(
        "<style:default-style style:family='table-cell' style:data-style-name='F'/><style:style style:name='Rate' style:family='table-cell' style:data-style-name='N'/><number:number-style style:name='F'><number:number number:decimal-places='2' number:min-decimal-places='2' number:min-integer-digits='1'/></number:number-style>{PERCENT}"
    );
    let own =
        "<style:style style:name='own' style:family='table-cell' style:parent-style-name='Rate'/>";
    let cell = |style: &str| {
        format!("<table:table-cell {style} office:value-type='float' office:value='0.5'/>")
    };
    let cells = ["", "table:style-name='Rate'", "table:style-name='own'"].map(cell);
    let row = format!("<table:table-row>{}</table:table-row>", cells.concat());
    check("a.ods", &ods(&named, own, &row), "0.50,50.0%,50.0%\r\n");
}

#[test]
fn texts_of_an_ods_are_found_at_any_depth() {
    let drawing = "<draw:frame><draw:text-box><text:p>drawn</text:p></draw:text-box></draw:frame>";
    let note = "<text:note><text:note-body><text:p>noted</text:p></text:note-body></text:note>";
    let (begin, end) = ("<text:span>".repeat(20), "</text:span>".repeat(20));
    let row = format!(
        "<table:table-row><table:table-cell office:value-type='string'><text:p>a{drawing}{note} {begin}deep{end}</text:p></table:table-cell></table:table-row>"
    );
    let (begin, end) = (
        "<table:table-row-group>".repeat(20),
        "</table:table-row-group>".repeat(20),
    );
    let file = ods("", "", &format!("{begin}{row}{end}"));
    check("a.ods", &file, "a deep\r\n");
}
