//! HTML pages as workbooks: reports with the extension `.xls`, and tables of any page.

use crate::{
    harness::{convert, convert_with, text},
    printed::unpacked,
};

/// A report as web applications write it for Excel.
const REPORT: &str = r##"<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head>
<!--[if gte mso 9]><xml><x:ExcelWorkbook><x:ExcelWorksheets><x:ExcelWorksheet><x:Name>Orders &amp; Co</x:Name></x:ExcelWorksheet></x:ExcelWorksheets></x:ExcelWorkbook></xml><![endif]-->
<style><!-- td {font:10pt Arial; vertical-align:top} .money {mso-number-format:"\#\,\#\#0\.00"; background:#ffff00} .text {mso-number-format:"\@"} --></style></head>
<body><h1>Orders</h1>
<table border=1><col width=200>
<tr><th rowspan=2>Name</th><th colspan=2>Amounts</th></tr>
<tr><td>net</td><td>gross</td></tr>
<tr><td class=text>00501</td><td class=money x:num="1234.5">1.234,50</td><td class=money x:num x:fmla="=B4*2">2469</td></tr>
<tr><td>a<br>b &nbsp;c</td><td style='mso-number-format:"Short Date"' x:num="46353">27.11.2026</td><td colspan=2 style='mso-ignore:colspan'><b>1.000</b></td></tr>
</table></body></html>"##;

#[test]
fn a_report_called_xls_becomes_values() {
    let csv = text(convert("report.xls", REPORT.as_bytes(), "csv").unwrap());
    let rows =
        "Orders,,\nName,Amounts,\n,net,gross\n00501,1234.5,2469\n\"a\nb  c\",2026-11-27,1000\n";
    assert_eq!(csv.replace("\r\n", "\n"), rows);
    let shown = [("values", "shown")];
    let (csv, _) = convert_with("report.xls", REPORT.as_bytes(), "csv", &shown).unwrap();
    let csv = text(csv);
    assert!(
        csv.contains("\"1,234.50\"") && csv.contains("11/27/2026"),
        "{csv}"
    );
}

#[test]
fn a_report_called_xls_becomes_a_workbook_that_looks_like_it() {
    let book = convert("report.xls", REPORT.as_bytes(), "xlsx").unwrap();
    let sheet = unpacked(&book, "xl/worksheets/sheet1.xml");
    for part in [
        "<mergeCell ref=\"A2:A3\"/>",
        "<mergeCell ref=\"B2:C2\"/>",
        "<f>B4*2</f><v>2469</v>",
        "<v>46353</v>",
    ] {
        assert!(sheet.contains(part), "{part}: {sheet}");
    }
    assert!(!sheet.contains("C5:D5"), "{sheet}");
    let names = unpacked(&book, "xl/workbook.xml");
    assert!(names.contains("Orders &amp; Co"), "{names}");
    let styles = unpacked(&book, "xl/styles.xml");
    for part in ["FFFFFF00", "#,##0.00", "Arial", "style=\"thin\""] {
        assert!(styles.contains(part), "{part}: {styles}");
    }
    // The same through an ods and back.
    let ods = convert("report.xls", REPORT.as_bytes(), "ods").unwrap();
    let back = text(convert("a.ods", &ods, "csv").unwrap());
    assert!(back.contains("00501,1234.5,2469"), "{back}");
}

#[test]
fn reports_may_begin_with_any_element() {
    for begin in [
        "<table>",
        "<meta charset=utf-8><table>",
        "<style>td{}</style><table>",
    ] {
        let page = format!("{begin}<tr><td>1<td>2");
        let csv = text(convert("a.xls", page.as_bytes(), "csv").unwrap());
        assert_eq!(csv.trim_end(), "1,2", "{begin}");
    }
}

#[test]
fn each_table_of_a_page_is_a_sheet() {
    let page = "<!doctype html><title>x</title><table><tr><td><p>menu</p><table><caption>Prices</caption><tfoot><tr><td>Sum<td>3</tfoot><tr hidden><td>template<tr><td>A<td style='display:none'>x<td>1.50<tr><td>B<td>1.50</table><table><tr><td>C<td><a href='https://example.com/'>D</a></table></table>";
    let (csv, notes) = convert_with("a.html", page.as_bytes(), "csv", &[]).unwrap();
    assert_eq!(text(csv).replace("\r\n", "\n"), "A,1.50\nB,1.50\nSum,3\n");
    let note = notes.0.join(" ");
    assert!(
        note.contains("\"Prices\"") && note.contains("\"Table 2\""),
        "{note}"
    );
    let (json, _) = convert_with("a.html", page.as_bytes(), "json", &[("sheet", "2")]).unwrap();
    assert!(!text(json).contains("menu"));
    let book = convert("a.html", page.as_bytes(), "xlsx").unwrap();
    let second = unpacked(&book, "xl/worksheets/sheet2.xml");
    assert!(second.contains("<hyperlink ref=\"B1\""), "{second}");
    let small = "<table><tr><td>1<td><table><tr><td>2</table></table>";
    let (csv, notes) = convert_with("a.html", small.as_bytes(), "csv", &[]).unwrap();
    assert_eq!(text(csv).trim_end(), "1,2");
    assert!(notes.0.is_empty(), "{notes:?}");
    let (none, notes) = convert_with("a.html", b"<p>text</p>", "csv", &[]).unwrap();
    assert!(
        none.is_empty() && notes.0.join(" ").contains("No table"),
        "{notes:?}"
    );
}

#[test]
fn a_page_of_excel_with_several_sheets_keeps_formulas_and_hidden_rows() {
    let sheet = |name| format!("<x:ExcelWorksheet><x:Name>{name}</x:Name></x:ExcelWorksheet>");
    let page = format!(
        "<html xmlns:x=\"urn:schemas-microsoft-com:office:excel\"><!--{}{}--><table><tr style='display:none'><td x:num>1<tr><td x:num x:fmla='=A1*2'>2</table><table><tr><td>a</table>",
        sheet("First"),
        sheet("Second")
    );
    let book = convert("a.html", page.as_bytes(), "xlsx").unwrap();
    let names = unpacked(&book, "xl/workbook.xml");
    assert!(
        names.contains("First") && names.contains("Second"),
        "{names}"
    );
    let first = unpacked(&book, "xl/worksheets/sheet1.xml");
    for part in ["hidden=\"1\"", "<f>A1*2</f><v>2</v>"] {
        assert!(first.contains(part), "{part}: {first}");
    }
}

#[test]
fn tables_beyond_the_last_sheet_are_in_the_last_sheet() {
    let page = "<table><tr><td>1</table>".repeat(10_002);
    let tenth = [("sheet", "10000")];
    let (csv, notes) = convert_with("a.html", page.as_bytes(), "csv", &tenth).unwrap();
    assert_eq!(text(csv), "1\r\n1\r\n1\r\n");
    let note = notes.0.join(" ");
    assert!(
        note.contains("the last sheet contains the others"),
        "{note}"
    );
    assert!(!note.contains("last row or column"), "{note}");
}

#[test]
fn spans_without_end_have_one() {
    let wide = "<table><tr><td colspan=99999999 rowspan=0>1<td colspan=1000>2<td rowspan=4000000000>3<tr><td>4</table>".repeat(30);
    let csv = text(convert("a.html", wide.as_bytes(), "csv").unwrap());
    assert!(csv.starts_with("1,"));
    let many = format!(
        "<html xmlns:x='urn:schemas-microsoft-com:office:excel'><table>{}",
        "<tr><td colspan=1000><td colspan=1000>".repeat(300)
    );
    convert("a.xls", many.as_bytes(), "ods").unwrap();
}
