//! Reports in XML Spreadsheet 2003: their formatting.

use crate::{
    harness::{convert, convert_with, text},
    printed::unpacked,
};

/// A report of Excel 2003 (XML Spreadsheet) with some styles and this sheet.
pub(crate) fn report(sheet: &str) -> Vec<u8> {
    format!(
        "<?xml version='1.0'?><?mso-application progid='Excel.Sheet'?><Workbook xmlns='urn:schemas-microsoft-com:office:spreadsheet' xmlns:x='urn:schemas-microsoft-com:office:excel' xmlns:ss='urn:schemas-microsoft-com:office:spreadsheet'><Styles><Style ss:ID='Default' ss:Name='Normal'><Font ss:FontName='Arial' ss:Size='10'/></Style><Style ss:ID='head'><Alignment ss:Horizontal='Center' ss:WrapText='1'/><Borders><Border ss:Position='Bottom' ss:LineStyle='Continuous' ss:Weight='2' ss:Color='#0000AA'/></Borders><Font ss:FontName='Arial' ss:Size='12' ss:Bold='1' ss:Color='#AA0000'/><Interior ss:Color='#FFFF00' ss:Pattern='Solid'/></Style><Style ss:ID='money' ss:Parent='head'><NumberFormat ss:Format='Standard'/></Style><Style ss:ID='total' ss:Parent='money'><Font ss:Italic='1'/></Style></Styles><Names><NamedRange ss:Name='Rate' ss:RefersTo='=A!R3C1'/></Names><Worksheet ss:Name='A'>{sheet}</Worksheet></Workbook>"
    )
    .into_bytes()
}

const SHEET: &str = "<Names><NamedRange ss:Name='Print_Titles' ss:RefersTo='=A!R1'/></Names><Table ss:DefaultColumnWidth='60'><Column ss:Index='2' ss:Width='120'/><Row ss:Height='30'><Cell ss:MergeAcross='1' ss:MergeDown='1' ss:StyleID='head'><Data ss:Type='String'>Title</Data></Cell></Row><Row ss:Index='3'><Cell ss:StyleID='money'><Data ss:Type='Number'>1234.5</Data></Cell><Cell ss:Formula='=RC[-1]*2' ss:HRef='https://example.com/'><Data ss:Type='Number'>2469</Data><Comment ss:Author='Ann'><Data>twice</Data></Comment></Cell><Cell ss:Formula='=R[-9]C'><Data ss:Type='Number'>7</Data></Cell><Cell ss:ArrayRange='RC:R[1]C' ss:Formula='=RC[-3]:R[1]C[-3]'><Data ss:Type='Number'>1</Data></Cell></Row></Table><WorksheetOptions xmlns='urn:schemas-microsoft-com:office:excel'><PageSetup><Layout x:Orientation='Landscape'/></PageSetup><FreezePanes/><SplitHorizontal>1</SplitHorizontal></WorksheetOptions>";

#[test]
fn a_report_keeps_its_formatting_in_a_workbook() {
    let (book, notes) = convert_with("a.xls", &report(SHEET), "xlsx", &[]).unwrap();
    let sheet = unpacked(&book, "xl/worksheets/sheet1.xml");
    for part in [
        "<mergeCell ref=\"A1:B2\"/>",
        "<f>A3*2</f><v>2469</v>",
        "<hyperlink ref=\"B3\"",
        "<f t=\"array\" ref=\"D3:D4\">A3:A4</f>",
        "orientation=\"landscape\"",
        "ySplit=\"1\"",
        "ht=\"30\"",
    ] {
        assert!(sheet.contains(part), "{part}: {sheet}");
    }
    let styles = unpacked(&book, "xl/styles.xml");
    for part in [
        "FFFFFF00",
        "FFAA0000",
        "style=\"medium\"",
        "wrapText=\"1\"",
        "#,##0.00",
    ] {
        assert!(styles.contains(part), "{part}: {styles}");
    }
    // One formula refers to a cell above the sheet, so its value is kept.
    assert!(
        sheet.contains("<v>7</v>") && notes.0.join(" ").contains("formulas"),
        "{notes:?}"
    );
    let names = unpacked(&book, "xl/workbook.xml");
    assert!(names.contains("Print_Titles"), "{names}");
    assert!(names.contains("name=\"Rate\">A!$A$3<"), "{names}");
}

#[test]
fn rules_for_entries_of_a_report_are_kept() {
    let rule = |inner: &str| {
        format!(
            "<DataValidation xmlns='urn:schemas-microsoft-com:office:excel'>{inner}</DataValidation>"
        )
    };
    let rules = [
        "<Range>R2C1:R9C1,C4</Range><Type>List</Type><UseBlank/><Value>&quot;yes,no&quot;</Value><InputHide/><ErrorStyle>Warn</ErrorStyle><ErrorMessage>No.</ErrorMessage><ErrorTitle>So</ErrorTitle>",
        "<Range>R3C2</Range><Type>Whole</Type><Min>1</Min><Max>RC[-1]</Max>",
        "<Range>R4C3</Range><Type>TextLength</Type><Qualifier>LessOrEqual</Qualifier><Value>12</Value>",
    ];
    let sheet = |rules: &[&str]| {
        let rules: String = rules.iter().map(|inner| rule(inner)).collect();
        report(&format!("<Table><Row><Cell/></Row></Table>{rules}"))
    };
    let (book, notes) = convert_with("a.xls", &sheet(&rules), "xlsx", &[]).unwrap();
    assert!(notes.0.is_empty(), "{notes:?}");
    let written = unpacked(&book, "xl/worksheets/sheet1.xml");
    for part in [
        "sqref=\"A2:A9 D1:D1048576\"",
        "type=\"list\"",
        "errorStyle=\"warning\"",
        "errorTitle=\"So\"",
        "<formula1>&quot;yes,no&quot;</formula1>",
        "<formula1>1</formula1><formula2>A3</formula2>",
        "operator=\"lessThanOrEqual\"",
        "type=\"textLength\"",
    ] {
        assert!(written.contains(part), "{part}: {written}");
    }
    // Notes report losses that A1 notation cannot express.
    for lost in [
        "<Range>R2C1</Range><Type>List</Type><Value>[Other.xls]A!R1C1</Value>",
        "<Range>here</Range><Type>List</Type><Value>R1C1</Value>",
        "<Type>List</Type>",
    ] {
        let (_, notes) = convert_with("a.xls", &sheet(&[lost]), "xlsx", &[]).unwrap();
        assert!(notes.0.join(" ").contains("data validation"), "{notes:?}");
    }
}

#[test]
fn times_have_no_date() {
    let time = "<Table><Row><Cell><Data ss:Type='DateTime'>1899-12-31T13:20:00.000</Data></Cell></Row></Table>";
    let csv = text(convert("a.xls", &report(time), "csv").unwrap());
    let book = convert("a.xls", &report(time), "xlsx").unwrap();
    let sheet = unpacked(&book, "xl/worksheets/sheet1.xml");
    assert!(
        csv.starts_with("0.5555555") || csv.starts_with("13:20"),
        "{csv}"
    );
    assert!(sheet.contains("<v>0.5555555"), "{sheet}");
}

#[test]
fn a_report_keeps_its_formatting_in_a_document() {
    let html = text(convert("a.xls", &report(SHEET), "html").unwrap());
    for part in ["Title", "1,234.50", "#ffff00", "colspan"] {
        assert!(
            html.to_lowercase().contains(&part.to_lowercase()),
            "{part}: {html}"
        );
    }
    assert!(
        convert("a.xls", &report(SHEET), "pdf")
            .unwrap()
            .starts_with(b"%PDF")
    );
}

#[test]
fn damaged_styles_of_a_report_are_tolerated() {
    let far = "<Table><Column ss:Index='99999999' ss:Span='4294967295' ss:Width='1e30'/><Column ss:Width='NaN'/><Row ss:Index='1048576' ss:Span='4294967295'><Cell ss:Index='16384' ss:MergeAcross='99999' ss:MergeDown='99999' ss:StyleID='head'/></Row><Row><Cell/></Row></Table>";
    let wide = "<Table><Row><Cell ss:MergeAcross='16383' ss:MergeDown='1048575' ss:StyleID='head'><Data ss:Type='Number'>1e999</Data></Cell></Row><Row ss:Index='1'><Cell ss:Formula='=((('/></Row></Table>";
    for sheet in [far, wide, "", "<Table/><Table/>"] {
        for to in ["xlsx", "ods", "html"] {
            convert("a.xls", &report(sheet), to).unwrap();
        }
        // A sheet with more pages than a file may have is refused.
        if let Err(error) = convert("a.xls", &report(sheet), "pdf") {
            assert!(error.to_string().contains("pages"), "{error}");
        }
    }
    let many = format!("<Table>{}</Table>", "<Row><Cell/></Row>".repeat(300_000));
    let (_, notes) = convert_with("a.xls", &report(&many), "xlsx", &[]).unwrap();
    assert!(notes.0.join(" ").contains("250,000"), "{notes:?}");
}
