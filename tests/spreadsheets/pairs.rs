//! Every pair of formats, with workbooks of another program and with text.

use crate::{
    biff::book,
    harness::{convert, convert_with, data, is_linear, text},
    zips,
};
use convertd::job::Notes;

/// Formats that are both read and written.
const BOTH: [&str; 5] = ["xlsx", "ods", "csv", "tsv", "json"];

/// The first sheet of `book.*` as csv.
const TABLE: &str = "name,number,date,flag,,\r\n\
    plain,1,2020-01-31,TRUE,,\r\n\
    \"größer, 日本 \"\"😀\"\"\",0.3,2026-11-22T13:20:00,FALSE,,\r\n\
    \" two\nlines \",-1.5E-10,13:20:00,,,\r\n\
    007,123456789012345,1950-05-05,TRUE,,\r\n\
    =cmd|' /C calc'!A0,15.5%,30:00:00,#N/A,,\r\n\
    merged,,,2,,\r\n\
    ,,hidden row,7,,\r\n\
    ,,,,,\r\n\
    ,,,,,far\r\n";

#[test]
fn workbooks_of_other_programs_become_text() {
    #[track_caller]
    fn check(name: &str) {
        let (csv, notes) = convert_with(name, &data(name), "csv", &[]).unwrap();
        assert_eq!(text(csv), TABLE, "{name}");
        assert_eq!(
            notes.0,
            [
                "Only the sheet \"Table\" was converted. The others are \"Другой & <лист>\", \"Secret\" (hidden); choose one of them with the option sheet, or all with sheets=zip.",
                "A hidden row of the sheet is in the result, too.",
            ],
            "{name}"
        );
    }
    check("book.xlsx");
    check("book.ods");
    check("book.xls");
}

#[test]
fn the_option_values_chooses_exact_or_displayed_values() {
    #[track_caller]
    fn check(name: &str, to: &str, values: &str, expected: &str, other: &str) {
        let (made, _) = convert_with(name, &data(name), to, &[("values", values)]).unwrap();
        let made = text(made);
        assert!(made.contains(expected), "{name} {to} {values}: {made}");
        assert!(!made.contains(other), "{name} {to} {values}: {made}");
    }
    let (exact, shown) = ("123456789012345", "1.23457E+14");
    // In HTML, the number of digits depends on the width of the column.
    for to in ["csv", "json", "txt"] {
        for name in ["book.xlsx", "book.xls"] {
            check(name, to, "exact", exact, shown);
            check(name, to, "shown", shown, exact);
        }
    }
}

#[test]
fn sheets_are_chosen() {
    #[track_caller]
    fn check(name: &str, sheet: &str, expected: &str) {
        let (csv, notes) = convert_with(name, &data(name), "csv", &[("sheet", sheet)]).unwrap();
        assert_eq!(text(csv), expected, "{name}, {sheet}");
        assert_eq!(notes.0, [""; 0]);
    }
    for name in ["book.xlsx", "book.ods", "book.xls"] {
        check(name, "2", ",\r\n,other\r\n");
        check(name, "Secret", "secret\r\n");
        let missing = convert_with(name, &data(name), "csv", &[("sheet", "4")]).unwrap_err();
        assert!(
            missing.message().contains("a number from 1 to 3"),
            "{}",
            missing.message()
        );
    }
}

#[test]
fn all_sheets_become_an_archive_of_files() {
    #[track_caller]
    fn check(name: &str, fields: &[(&str, &str)], to: &str, expected: &[(&str, &str)]) -> Notes {
        let fields = [&[("sheets", "zip")], fields].concat();
        let (made, notes) = convert_with(name, &data(name), to, &fields).unwrap();
        assert!(notes.is_archive(), "{name} {to}");
        let files: Vec<(String, String)> = zips::entries(&made)
            .into_iter()
            .map(|(name, bytes)| (name, text(bytes)))
            .collect();
        let files: Vec<(&str, &str)> = (files.iter())
            .map(|(name, text)| (name.as_str(), text.as_str()))
            .collect();
        assert_eq!(files, expected, "{name} {to}");
        notes
    }
    let other = ",\r\n,other\r\n";
    for name in ["book.xlsx", "book.ods", "book.xls"] {
        let notes = check(
            name,
            &[],
            "csv",
            &[
                ("Table.csv", TABLE),
                ("Другой & _лист_.csv", other),
                ("Secret.csv", "secret\r\n"),
            ],
        );
        assert_eq!(
            notes.0,
            [
                "Hidden sheets are in the result, too: \"Secret\".",
                "A hidden row of the sheets is in the result, too."
            ]
        );
        let notes = check(
            name,
            &[("sheet", "2")],
            "tsv",
            &[("Другой & _лист_.tsv", "\t\n\tother\n")],
        );
        assert_eq!(notes.0, [""; 0]);
    }
    let notes = check(
        "book.xlsx",
        &[("sheet", "Secret")],
        "json",
        &[("Secret.json", "[]\n")],
    );
    assert!(
        notes
            .0
            .iter()
            .any(|note| note.starts_with("\"Secret\": The result is empty")),
        "{notes:?}"
    );
}

#[test]
fn workbooks_keep_all_their_sheets() {
    for name in ["book.xlsx", "book.ods", "book.xls"] {
        for to in ["xlsx", "ods"] {
            let (book, notes) = convert_with(name, &data(name), to, &[]).unwrap();
            assert_eq!(notes.0, [""; 0], "{name} to {to}");
            let file = format!("book.{to}");
            let sheet = |sheet| {
                let (csv, _) = convert_with(&file, &book, "csv", &[("sheet", sheet)]).unwrap();
                text(csv)
            };
            assert_eq!(sheet("1"), TABLE, "{name} to {to}");
            assert_eq!(sheet("Другой & <лист>"), ",\r\n,other\r\n");
            assert_eq!(sheet("3"), "secret\r\n");
        }
    }
}

#[test]
fn tables_survive_two_conversions() {
    let csv = "id,amount,share,day,at,ok,text\r\n\
        007,1.50,15.5%,2020-02-29,2020-02-29T13:20:00.500,TRUE,\"a, \"\"b\"\"\"\r\n\
        1234567890123456,-0.25,0%,1900-01-01,13:20:00,FALSE,=1+1\r\n\
        1e5,1.5E-10,,31.1.2020,,,\" two\nlines \"\r\n";
    for through in BOTH {
        for then in BOTH {
            let first = convert("a.csv", csv.as_bytes(), through).unwrap();
            let second = convert(&format!("a.{through}"), &first, then).unwrap();
            let last = convert(&format!("a.{then}"), &second, "csv").unwrap();
            let mut expected = csv.to_owned();
            // In workbooks, percentages are numbers, so JSON gets numbers from them. CSV and JSON keep their text.
            if matches!(through, "xlsx" | "ods") && then == "json" {
                expected = expected.replace("15.5%", "0.155").replace(",0%", ",0");
            }
            assert_eq!(text(last), expected, "through {through} and {then}");
        }
    }
}

#[test]
fn json_has_types() {
    let json = "[\n{\"a\":\"007\",\"b\":1.50,\"c\":true,\"d\":null},\n{\"a\":\"x\",\"b\":2,\"c\":false,\"d\":\"2020-01-31\"}\n]\n";
    let csv = "a,b,c,d\r\n007,1.50,TRUE,\r\nx,2,FALSE,2020-01-31\r\n";
    assert_eq!(
        text(convert("a.csv", csv.as_bytes(), "json").unwrap()),
        json
    );
    assert_eq!(
        text(convert("a.json", json.as_bytes(), "csv").unwrap()),
        csv
    );
    assert_eq!(
        text(convert("a.json", json.as_bytes(), "json").unwrap()),
        json
    );
}

#[test]
fn the_delimiter_of_the_result_can_be_chosen() {
    #[track_caller]
    fn check(delimiter: &str, expected: &str) {
        let fields = [("delimiter", delimiter)];
        let (csv, _) = convert_with("a.tsv", b"a,b\tc;d\te|f\n", "csv", &fields).unwrap();
        assert_eq!(text(csv), expected);
    }
    check(",", "\"a,b\",c;d,e|f\r\n");
    check(";", "a,b;\"c;d\";e|f\r\n");
    check("pipe", "a,b|c;d|\"e|f\"\r\n");
    check("tab", "a,b\tc;d\te|f\r\n");
    check("\t", "a,b\tc;d\te|f\r\n");
    check(" ", "\"a,b\",c;d,e|f\r\n");
    let tsv = convert("a.csv", b"a;\"x\ty\"\r\n1;2\r\n", "tsv").unwrap();
    assert_eq!(text(tsv), "a\t\"x\ty\"\n1\t2\n");
}

#[test]
fn files_are_recognised_by_their_content() {
    #[track_caller]
    fn check(name: &str, bytes: &[u8], recognised: bool) {
        let result = convert(name, bytes, "tsv");
        assert_eq!(result.is_ok(), recognised, "{name}: {:?}", result.err());
    }
    for name in ["book.xlsx", "book.ods", "book.xls"] {
        check("nothing", &data(name), true);
        check("wrong.jpg", &data(name), true);
    }
    check("nothing", b"a;b\n1;2\n3;4\n", true);
    check("nothing", b"[{\"a\": 1}]", true);
    check(
        "nothing",
        b"Dear Sir,\nplease find, attached,\nnothing.\n",
        false,
    );
    check("a.csv", b"just text", true);
    // A file may contain control characters if its name says that it is text, but no zeros.
    check("a.csv", b"\x01\x02a,b\n1,2\n", true);
    check("a.TSV", b"\x1ba\tb\n\x071\t2\n", true);
    check("nothing", b"\x01a,b\n1,2\n3,4\n5,6\n", false);
    check("a.csv", b"a,b\n\x00,2\n", false);
    // A file with the extension of a text format is read as text, even if it looks like a table.
    check("a.txt", b"a;b\n1;2\n3;4\n", false);
    check("a.md", b"a|b\n-|-\n1|2\n", false);
}

#[cfg(feature = "document")]
#[test]
fn sheets_become_documents() {
    let csv = b"name;amount\nM\xfcller & S\xf6hne;1.50\n<b>;-3\n";
    let html = text(convert("a.csv", csv, "html").unwrap());
    assert!(html.contains("<th>name</th>"), "{html}");
    assert!(
        html.contains("Müller &amp; Söhne") && html.contains("&lt;b&gt;"),
        "{html}"
    );
    let md = text(convert("a.csv", csv, "md").unwrap());
    assert!(
        md.starts_with("| name") && md.contains("| Müller & Söhne"),
        "{md}"
    );
    assert!(text(convert("a.csv", csv, "txt").unwrap()).contains("1.50"));
    assert!(convert("a.csv", csv, "pdf").unwrap().starts_with(b"%PDF-"));
    let (_, notes) = convert_with("book.xls", &data("book.xls"), "html", &[]).unwrap();
    assert!(
        notes.0[0].starts_with("A hidden sheet was left out"),
        "{notes:?}"
    );
    let large = "1,2,3,4,5,6,7,8,9,10\n".repeat(25_001);
    let error = convert("a.csv", large.as_bytes(), "html").unwrap_err();
    assert!(
        error.message().contains("250000 cells"),
        "{}",
        error.message()
    );
}

/// The title of an HTML page.
#[cfg(feature = "document")]
#[track_caller]
fn title(name: &str, bytes: &[u8], fields: &[(&str, &str)]) -> String {
    let (html, _) = convert_with(name, bytes, "html", fields).unwrap();
    let html = text(html);
    let (_, rest) = html.split_once("<title>").unwrap();
    rest.split_once("</title>").unwrap().0.to_owned()
}

#[cfg(feature = "document")]
#[test]
fn pages_are_called_after_the_sheet_or_the_file() {
    let csv = b"a,b\n1,2\n";
    assert_eq!(
        title("Sales & more.2024.csv", csv, &[]),
        "Sales &amp; more.2024"
    );
    assert_eq!(title("Sales.csv", csv, &[("title", "Mine")]), "Mine");
    assert_eq!(title("things.json", b"[{\"a\": 1}]", &[]), "things");
    assert_eq!(title("book.xlsx", &data("book.xlsx"), &[]), "Table");
    assert_eq!(
        title("book.xls", &data("book.xls"), &[("sheet", "3")]),
        "Secret"
    );
}

#[cfg(feature = "document")]
#[test]
fn sheets_have_only_options_that_change_something() {
    #[track_caller]
    fn check(to: &str, expected: &[&str]) {
        let format = |name| convertd::registry::by_name(name).unwrap();
        let route = convertd::registry::find(format("csv"), format(to)).unwrap();
        let names: Vec<_> = route
            .pair
            .options
            .iter()
            .map(|option| option.name)
            .collect();
        assert_eq!(names, expected, "{to}");
        let values = [
            ("page_size", "a3"),
            ("margin", "40"),
            ("pdf_a", "true"),
            ("title", "Other"),
        ];
        for field in values.iter().filter(|(name, _)| names.contains(name)) {
            let made = |fields: &[_]| convert_with("a.csv", b"a,b\n1,2\n", to, fields).unwrap().0;
            assert_ne!(made(&[*field]), made(&[]), "{to} {field:?}");
        }
    }
    check("html", &["sheet", "values", "title"]);
    check("md", &["sheet", "values", "title"]);
    check("txt", &["sheet", "values"]);
    check(
        "pdf",
        &[
            "sheet",
            "values",
            "fit",
            "title",
            "page_size",
            "orientation",
            "margin",
            "pdf_a",
            "pages",
            "rotate",
            "rotate_pages",
            "split",
            "info",
            "bookmarks",
            "encrypt",
            "owner_password",
            "permissions",
            "numbers",
            "stamp",
            "stamp_pages",
            "watermark",
            "watermark_pages",
        ],
    );
}

#[test]
fn many_equal_names_get_a_number_each() {
    let equal = |count: usize| format!("a_3,{}a\n1\n", "a,".repeat(count));
    let csv = equal(100_000);
    let json = text(convert("a.csv", csv.as_bytes(), "json").unwrap());
    assert!(
        json.starts_with("[\n{\"a_3\":1,\"a\":null,\"a_2\":null,\"a_4\":null,"),
        "{}",
        &json[..80]
    );
    assert!(json.contains("\"a_100002\":null}"));
    // All names in the result differ. A search that began at 2 for each name took more than a minute for 20,000 names.
    is_linear("equal names", 50_000, |count| {
        convert("a.csv", equal(count).as_bytes(), "json").unwrap()
    });
}

#[test]
fn too_many_names_are_named_as_such() {
    let fields: Vec<String> = (0..70_000).map(|at| format!("\"k{at}\":1")).collect();
    let json = format!("[{{{}}}]", fields.join(","));
    let error = convert("a.json", json.as_bytes(), "csv").unwrap_err();
    assert!(error.message().contains("more than 65536"), "{error}");
}

#[test]
fn a_single_row_gives_no_objects() {
    let (json, notes) = convert_with("a.csv", b"a,b\n", "json", &[]).unwrap();
    assert_eq!(text(json), "[]\n");
    assert!(notes.0[0].contains("only one row"), "{notes:?}");
}

#[test]
fn control_characters_in_cells_survive() {
    let csv = b"\x01a,b\r\n\x1b1,x\x02y\r\n";
    for to in BOTH {
        let (made, notes) = convert_with("a.csv", csv, to, &[]).unwrap();
        if to == "ods" {
            assert!(notes.0[0].starts_with("Control characters"), "{notes:?}");
            continue;
        }
        let back = convert(&format!("a.{to}"), &made, "csv").unwrap();
        assert_eq!(back, csv, "{to}");
    }
}

/// A record of an Excel workbook.
fn record(kind: u16, data: &[&[u8]]) -> Vec<u8> {
    let data = data.concat();
    let head = [kind.to_le_bytes(), (data.len() as u16).to_le_bytes()].concat();
    [head, data].concat()
}

/// Some programs leave out the flag that states the width of characters if a string is empty.
#[test]
fn empty_texts_of_an_xls_may_lack_their_flags() {
    let sheet = [
        record(0x204, &[&[0, 0, 0, 0, 0, 0, 0, 0]]),
        record(0x204, &[&[0, 0, 1, 0, 0, 0, 4, 0, 0], b"text"]),
    ];
    let csv = convert("a.xls", &book(&[], &sheet.concat()), "csv").unwrap();
    assert_eq!(text(csv), ",text\r\n");
}

#[test]
fn the_last_cell_of_an_xls_in_one_place_counts() {
    let place = |column: u8| [0, 0, column, 0, 0, 0];
    let number = |column: u8, value: f64| record(0x203, &[&place(column), &value.to_le_bytes()]);
    let sheet = [
        // Empty cells from the first to the third column.
        record(0xbe, &[&[0, 0, 0, 0], &[0; 6], &[2, 0]]),
        number(0, 1.0),
        number(2, 3.0),
        number(0, 2.0),
        // A formula with the record type of Excel 4, as Apple's Numbers writes it, without tokens.
        record(
            0x406,
            &[&place(1), &7.0_f64.to_le_bytes(), &[0; 6], &[0, 0]],
        ),
    ];
    let book = book(&[], &sheet.concat());
    let csv = text(convert("a.xls", &book, "csv").unwrap());
    assert_eq!(csv, "2,7,3\r\n");
    let html = text(convert("a.xls", &book, "html").unwrap());
    let cells: Vec<&str> = html.split("<td").skip(1).collect();
    for (cell, expected) in cells.iter().zip([">2<", ">7<", ">3<"]) {
        assert!(cell.contains(expected), "{html}");
    }
    assert_eq!(cells.len(), 3, "{html}");
}

#[test]
fn names_of_sheets_keep_their_spaces() {
    let book = "<?xml version='1.0'?><Workbook xmlns='urn:schemas-microsoft-com:office:spreadsheet' xmlns:ss='urn:schemas-microsoft-com:office:spreadsheet'><Worksheet ss:Name='All '><Table><Row><Cell><Data ss:Type='Number'>1</Data></Cell></Row></Table></Worksheet></Workbook>";
    let made = convert("a.xls", book.as_bytes(), "xlsx").unwrap();
    let names = crate::printed::unpacked(&made, "xl/workbook.xml");
    assert!(names.contains("name=\"All \""), "{names}");
}

#[test]
fn workbooks_from_before_compound_files_are_read() {
    #[track_caller]
    fn check(records: &[Vec<u8>], expected: &str) {
        let csv = convert("old.xls", &records.concat(), "csv").unwrap();
        assert_eq!(text(csv), expected);
    }
    let number = 1.5_f64.to_le_bytes();
    let day = 43_861_f64.to_le_bytes();
    let words = [0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0];
    let missing = [2, 0, 0x2a, 0, 0, 0, 0xff, 0xff, 0, 0];
    // Excel 2: three bytes of attributes, the second of which contains the number format, and strings with a length of
    // one byte.
    check(
        &[
            record(0x09, &[&[2, 0, 0x10, 0]]),
            record(0x1e, &[b"\x07General"]),
            record(0x1e, &[b"\x0ayyyy-mm-dd"]),
            record(0x04, &[&[0, 0, 0, 0, 0, 0, 0, 4], b"caf\xe9"]),
            record(0x02, &[&[0, 0, 1, 0, 0, 0, 0, 7, 0]]),
            record(0x03, &[&[1, 0, 0, 0, 0, 0, 0], &number]),
            record(0x03, &[&[1, 0, 1, 0, 0, 1, 0], &day]),
            record(0x05, &[&[2, 0, 0, 0, 0, 0, 0, 1, 0]]),
            record(0x06, &[&[2, 0, 1, 0, 0, 0, 0], &words]),
            record(0x07, &[b"\x03sum"]),
            record(0x0a, &[]),
        ],
        "caf\u{e9},7\r\n1.5,2020-01-31\r\nTRUE,sum\r\n",
    );
    // Excel 3: a cell contains the number of its format, and strings have a length of two bytes.
    check(
        &[
            record(0x209, &[&[0, 0, 0x10, 0, 0, 0]]),
            record(0x1e, &[b"\x07General"]),
            record(0x1e, &[b"\x0ayyyy-mm-dd"]),
            record(0x243, &[&[0; 12]]),
            record(0x243, &[&[0, 1], &[0; 10]]),
            record(0x204, &[&[0, 0, 1, 0, 0, 0, 4, 0], b"text"]),
            record(0x203, &[&[0, 0, 0, 0, 1, 0], &day]),
            record(0x206, &[&[1, 0, 0, 0, 0, 0], &missing]),
            record(0x0a, &[]),
        ],
        "2020-01-31,text\r\n#N/A,\r\n",
    );
}

/// XML Spreadsheet 2003 with the extension `.xls`, as many reports have it.
#[test]
fn the_xml_of_excel_2003_is_read() {
    let book = r#"<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>
<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:x="urn:schemas-microsoft-com:office:excel"
 xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet" xmlns:html="http://www.w3.org/TR/REC-html40">
<Styles><Style ss:ID="Default"><NumberFormat/></Style><Style ss:ID="d"><NumberFormat ss:Format="Short Date"/></Style>
<Style ss:ID="p"><NumberFormat ss:Format="0.0%"/></Style></Styles>
<Worksheet ss:Name="First"><Table>
<Row><Cell ss:MergeAcross="1"><Data ss:Type="String">wide &amp; merged</Data></Cell><Cell><Data ss:Type="Boolean">1</Data></Cell></Row>
<Row ss:Index="3"><Cell ss:Index="2" ss:StyleID="d"><Data ss:Type="DateTime">2004-02-05T00:00:00.000</Data><Comment><ss:Data>no cell</ss:Data></Comment></Cell>
<Cell ss:StyleID="p" ss:Formula="=1/8"><Data ss:Type="Number">0.125</Data></Cell></Row>
<Row><Cell><ss:Data ss:Type="String" xmlns="http://www.w3.org/TR/REC-html40"><B>bold</B> text</ss:Data></Cell><Cell><Data ss:Type="Error">#DIV/0!</Data></Cell></Row>
</Table></Worksheet>
<Worksheet ss:Name="Second"><Table><Row><Cell><Data ss:Type="Number">2</Data></Cell></Row></Table>
<x:WorksheetOptions><x:Visible>SheetHidden</x:Visible></x:WorksheetOptions></Worksheet></Workbook>"#;
    #[track_caller]
    fn check(book: &str, fields: &[(&str, &str)], expected: &str) {
        for name in ["report.xls", "report.xml"] {
            let (csv, _) = convert_with(name, book.as_bytes(), "csv", fields).unwrap();
            assert_eq!(text(csv), expected, "{name}");
        }
    }
    check(
        book,
        &[],
        "wide & merged,,TRUE\r\n,,\r\n,2004-02-05,12.5%\r\nbold text,#DIV/0!,\r\n",
    );
    check(
        book,
        &[("values", "shown")],
        "wide & merged,,TRUE\r\n,,\r\n,2/5/2004,12.5%\r\nbold text,#DIV/0!,\r\n",
    );
    check(book, &[("sheet", "Second")], "2\r\n");
    let cut = &book.as_bytes()[..book.len() - 200];
    assert!(convert("report.xls", cut, "csv").is_err());
}

/// A text with tabs and the extension `.xls`, which Excel opens as a table.
#[test]
fn a_text_may_be_called_a_workbook() {
    let csv = convert("report.xls", b"a\tb\n1\t2\n", "csv").unwrap();
    assert_eq!(text(csv), "a,b\r\n1,2\r\n");
}
