//! Formulas and links of a workbook, which stay in conversions to another workbook format, and back from ods.

use crate::{
    bad::Zip,
    harness::{convert, convert_with, directory, has_module, is_linear, text},
    looks::{CHART, FRAME, FROM, drawn, workbook},
    printed::unpacked,
};
use std::{fs, process::Command};

/// The first sheet of a workbook: written directly, and through an ods.
fn written(names: &str, sheet: &str, parts: &[(&str, &str)]) -> [String; 2] {
    let book = workbook(names, "", sheet, parts);
    let written = convert("a.xlsx", &book, "xlsx").unwrap();
    let ods = convert("a.xlsx", &book, "ods").unwrap();
    let back = convert("a.ods", &ods, "xlsx").unwrap();
    [written, back].map(|book| unpacked(&book, "xl/worksheets/sheet1.xml"))
}

#[test]
fn formulas_over_ranges_are_kept() {
    let cells = "<sheetData><row><c r='A1'><f t='array' ref='A1:A2'>B1:B2*2</f><v>2</v></c><c r='B1'><v>1</v></c></row><row><c r='A2'><v>4</v></c><c r='B2'><v>2</v></c></row></sheetData>";
    for sheet in written("", cells, &[]) {
        let formula = "<f t=\"array\" ref=\"A1:A2\">B1:B2*2</f><v>2</v>";
        assert!(sheet.contains(formula), "{sheet}");
        assert!(sheet.contains("<v>4</v>"), "{sheet}");
    }
    // A formula whose range is elsewhere keeps only its value.
    let cells = cells.replace("ref='A1:A2'", "ref='B7:B9'");
    for sheet in written("", &cells, &[]) {
        assert!(!sheet.contains("<f"), "{sheet}");
    }
}

#[test]
fn columns_of_tables_become_the_ranges_that_they_stand_for() {
    let cells = "<sheetData><row><c t='inlineStr'><is><t>Price</t></is></c></row><row><c><v>3</v></c><c><f>Costs[@Price]*2</f><v>6</v></c></row><row><c><f>SUBTOTAL(109,[Price])</f><v>3</v></c><c><f>Costs[Gone]</f><v>8</v></c></row></sheetData>";
    let table = "<table xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main' displayName='Costs' ref='A1:A3' totalsRowCount='1'><tableColumns><tableColumn name='Price'/></tableColumns></table>";
    let parts = [
        (
            "xl/_rels/s.xml.rels",
            "<Relationship Id='t' Type='x/table' Target='table.xml'/>",
        ),
        ("xl/table.xml", table),
    ];
    for sheet in written("", cells, &parts) {
        for part in ["<f>$A$2*2</f><v>6</v>", "<f>SUBTOTAL(109,$A$2:$A$2)</f>"] {
            let one = part.replace("$A$2:$A$2", "$A$2");
            assert!(sheet.contains(&one), "{one}: {sheet}");
        }
        // A missing column would damage the workbook.
        assert!(
            !sheet.contains("Gone") && sheet.contains("<v>8</v>"),
            "{sheet}"
        );
    }
}

#[test]
fn paper_of_any_size_and_headers_of_some_pages_are_kept() {
    let sheet = "<sheetData><row><c><v>1</v></c></row></sheetData><pageSetup paperHeight='210mm' paperWidth='200mm' orientation='portrait'/><headerFooter differentOddEven='1' differentFirst='1'><oddHeader>&amp;Lodd</oddHeader><evenHeader>&amp;Leven</evenHeader><firstHeader>&amp;Lfirst</firstHeader></headerFooter>";
    for sheet in written("", sheet, &[]) {
        for part in [
            "paperHeight=\"210mm\" paperWidth=\"200mm\"",
            "<oddHeader>&amp;Lodd",
            "<evenHeader>&amp;Leven",
            "<firstHeader>&amp;Lfirst",
        ] {
            assert!(sheet.contains(part), "{part}: {sheet}");
        }
        assert!(!sheet.contains("paperSize"), "{sheet}");
    }
}

#[test]
fn names_of_sheets_and_fragments_of_addresses_are_kept() {
    let cells = "<sheetData><row><c t='inlineStr'><is><t>one\ntwo</t></is></c><c><f>A!Rate+[0]!Rate</f><v>5</v></c></row></sheetData><hyperlinks><hyperlink ref='A1' r:id='l' location='here'/></hyperlinks>";
    let parts = [(
        "xl/_rels/s.xml.rels",
        "<Relationship Id='l' Type='x/hyperlink' Target='https://example.com/' TargetMode='External'/>",
    )];
    let names = "<definedName name='Rate' localSheetId='0'>A!$A$1</definedName>";
    let [_, back] = written(names, cells, &parts);
    assert!(back.contains("<f>A!Rate+Rate</f>"), "{back}");
    assert!(back.contains("location=\"here\""), "{back}");
}

#[test]
fn charts_and_pictures_go_to_other_workbooks_as_pictures() {
    let book = drawn(FROM, FRAME, CHART);
    let (xlsx, notes) = convert_with("a.xlsx", &book, "xlsx", &[]).unwrap();
    assert!(
        notes.0.iter().any(|note| note.contains("became pictures")),
        "{:?}",
        notes.0
    );
    let drawing = unpacked(&xlsx, "xl/drawings/drawing1.xml");
    for part in [
        "descr=\"Sales of a year\"",
        "<xdr:from><xdr:col>1</xdr:col>",
        "<xdr:to><xdr:col>6</xdr:col>",
    ] {
        assert!(drawing.contains(part), "{part}: {drawing}");
    }
    let ods = convert("a.xlsx", &xlsx, "ods").unwrap();
    let content = unpacked(&ods, "content.xml");
    assert!(
        content.contains("xlink:href=\"Pictures/1.png\""),
        "{content}"
    );
    // A drawing stays a drawing in a format that can hold it.
    let direct = convert("a.xlsx", &book, "ods").unwrap();
    assert!(unpacked(&direct, "content.xml").contains("Pictures/1.svg"));
    assert!(unpacked(&direct, "Pictures/1.svg").contains("<svg"));
    let back = convert("a.ods", &direct, "xlsx").unwrap();
    // The picture is at the same place in each of the workbooks.
    let place = |name: &str, book: &[u8]| {
        let html = text(convert(name, book, "html").unwrap());
        let picture = html.split("<img style=\"").nth(1);
        let picture = picture.unwrap_or_else(|| panic!("{name}: {html}"));
        let (style, rest) = picture.split_once('"').unwrap();
        assert!(
            rest.starts_with(" alt=\"Sales of a year\""),
            "{name}: {rest:.99}"
        );
        let numbers = style.split(';').map(|one| {
            let number = one.split_once(':').unwrap().1.trim_end_matches("pt");
            number.parse::<f32>().unwrap()
        });
        numbers.collect::<Vec<_>>()
    };
    let first = place("a.xlsx", &book);
    for (name, book) in [
        ("a.xlsx", &xlsx),
        ("a.ods", &ods),
        ("a.ods", &direct),
        ("a.xlsx", &back),
    ] {
        for (one, other) in place(name, book).into_iter().zip(&first) {
            assert!((one - other).abs() < 2.0, "{name}: {one} {first:?}");
        }
    }
    if has_module("openpyxl") && has_module("PIL") {
        let folder = directory("pictures");
        let path = folder.join("a.xlsx");
        fs::write(&path, &back).unwrap();
        let program = "import openpyxl, sys; print(*[len(s._images) for s in openpyxl.load_workbook(sys.argv[1])])";
        let output = Command::new("python3")
            .args(["-c", program])
            .arg(&path)
            .output()
            .unwrap();
        assert_eq!(text(output.stdout).trim(), "1", "{}", text(output.stderr));
        fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn days_since_1904_are_converted() {
    let book = |kind: &str, value: &str| {
        format!(
            "<?xml version='1.0'?><Workbook xmlns='urn:schemas-microsoft-com:office:spreadsheet' xmlns:ss='urn:schemas-microsoft-com:office:spreadsheet' xmlns:x='urn:schemas-microsoft-com:office:excel'><x:ExcelWorkbook><x:Date1904/></x:ExcelWorkbook><Styles><Style ss:ID='d'><NumberFormat ss:Format='yyyy\\-mm\\-dd'/></Style></Styles><Worksheet ss:Name='A'><Table><Row><Cell ss:StyleID='d'><Data ss:Type='{kind}'>{value}</Data></Cell></Row></Table></Worksheet></Workbook>"
        )
    };
    for (kind, value) in [("Number", "42369"), ("DateTime", "2020-01-01T00:00:00.000")] {
        let book = book(kind, value);
        for to in ["html", "csv"] {
            let made = text(convert("a.xls", book.as_bytes(), to).unwrap());
            assert!(made.contains("2020-01-01"), "{kind} {to}: {made}");
        }
    }
    let sheet = "<sheetData><row><c s='1' t='d'><v>2020-01-01</v></c><c s='1'><v>42369</v></c></row></sheetData>";
    let styles = "<numFmts><numFmt numFmtId='164' formatCode='yyyy\\-mm\\-dd'/></numFmts><cellXfs><xf numFmtId='0'/><xf numFmtId='164'/></cellXfs>";
    let names = "</definedNames><workbookPr date1904='1'/><definedNames>";
    let html = text(convert("a.xlsx", &workbook(names, styles, sheet, &[]), "html").unwrap());
    assert_eq!(html.matches("2020-01-01").count(), 2, "{html}");
}

#[test]
fn page_breaks_of_an_ods_take_their_time_once() {
    is_linear("row styles with page breaks", 6_000, |count| {
        let styles: String = (0..count)
            .map(|at| format!("<style:style style:name='r{at}' style:family='table-row'><style:table-row-properties fo:break-before='page'/></style:style>"))
            .collect();
        let rows: String = (0..count)
            .map(|at| format!("<table:table-row table:style-name='r{at}'><table:table-cell/></table:table-row>"))
            .collect();
        let file = format!(
            "<office:document-content xmlns:office='urn:oasis:names:tc:opendocument:xmlns:office:1.0' xmlns:style='urn:oasis:names:tc:opendocument:xmlns:style:1.0' xmlns:table='urn:oasis:names:tc:opendocument:xmlns:table:1.0' xmlns:fo='urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0'><office:automatic-styles>{styles}</office:automatic-styles><office:body><office:spreadsheet><table:table table:name='A'>{rows}</table:table></office:spreadsheet></office:body></office:document-content>"
        );
        let file = Zip::default()
            .add(
                "mimetype",
                b"application/vnd.oasis.opendocument.spreadsheet",
            )
            .add("content.xml", file.as_bytes())
            .finish();
        convert("a.ods", &file, "html").unwrap()
    });
}
