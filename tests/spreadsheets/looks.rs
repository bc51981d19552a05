//! Workbooks with unusual or hostile formatting: charts without values, styles with dangling references, sizes without
//! a unit. Each is converted with a note or refused with a message, within a limited number of steps.

use crate::{
    bad::{MAIN, RELATIONS, Zip},
    harness::{convert, convert_with, counted, data, text},
    printed::unpacked,
};
use std::io::Cursor;

/// Limit on the steps of a conversion, which are the checks in its loops. The largest of these workbooks takes a
/// thousand.
const MAX_STEPS: u64 = 50_000;

/// A workbook with one sheet named A: names, styles, content of the sheet, and further parts.
pub(crate) fn workbook(names: &str, styles: &str, sheet: &str, parts: &[(&str, &str)]) -> Vec<u8> {
    let workbook = format!(
        "<workbook xmlns='{MAIN}'><sheets><sheet name='A' id='r1'/></sheets><definedNames>{names}</definedNames></workbook>"
    );
    let references = format!(
        "{RELATIONS}<Relationship Id='r1' Type='x/worksheet' Target='s.xml'/><Relationship Id='r2' Type='x/styles' Target='styles.xml'/></Relationships>"
    );
    let styles = format!("<styleSheet xmlns='{MAIN}'>{styles}</styleSheet>");
    let sheet = format!(
        "<worksheet xmlns='{MAIN}' xmlns:r='http://schemas.openxmlformats.org/officeDocument/2006/relationships'>{sheet}</worksheet>"
    );
    let zip = Zip::default()
        .add("[Content_Types].xml", b"<Types/>")
        .add("xl/workbook.xml", workbook.as_bytes())
        .add("xl/_rels/workbook.xml.rels", references.as_bytes())
        .add("xl/styles.xml", styles.as_bytes())
        .add("xl/s.xml", sheet.as_bytes());
    let zip = parts.iter().fold(zip, |zip, (name, content)| {
        let content = match name.ends_with(".rels") {
            true => format!("{RELATIONS}{content}</Relationships>"),
            false => (*content).to_owned(),
        };
        zip.add(name, content.as_bytes())
    });
    zip.finish()
}

/// The drawing of a sheet with an object that is anchored at two cells.
pub(crate) fn drawn(from: &str, object: &str, chart: &str) -> Vec<u8> {
    let drawing = format!(
        "<xdr:wsDr xmlns:xdr='http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing' xmlns:a='http://schemas.openxmlformats.org/drawingml/2006/main' xmlns:r='http://schemas.openxmlformats.org/officeDocument/2006/relationships'><xdr:twoCellAnchor><xdr:from>{from}</xdr:from><xdr:to><xdr:col>6</xdr:col><xdr:row>20</xdr:row></xdr:to>{object}</xdr:twoCellAnchor></xdr:wsDr>"
    );
    workbook(
        "",
        "",
        "<sheetData><row><c t='inlineStr'><is><t>name</t></is></c></row><row><c><v>3</v></c></row><row><c><v>5</v></c></row></sheetData><drawing r:id='d'/>",
        &[
            (
                "xl/_rels/s.xml.rels",
                "<Relationship Id='d' Type='x/drawing' Target='d.xml'/>",
            ),
            ("xl/d.xml", &drawing),
            (
                "xl/_rels/d.xml.rels",
                "<Relationship Id='c' Type='x/chart' Target='c.xml'/>",
            ),
            ("xl/c.xml", chart),
        ],
    )
}

pub(crate) const FROM: &str = "<xdr:col>1</xdr:col><xdr:row>1</xdr:row>";

pub(crate) const FRAME: &str = "<xdr:graphicFrame><xdr:nvGraphicFramePr><xdr:cNvPr id='1' descr='Sales of a year'/></xdr:nvGraphicFramePr><a:graphic><a:graphicData uri='http://schemas.openxmlformats.org/drawingml/2006/chart'><c:chart xmlns:c='http://schemas.openxmlformats.org/drawingml/2006/chart' r:id='c'/></a:graphicData></a:graphic></xdr:graphicFrame>";

/// A chart as openpyxl writes it, without cached values.
pub(crate) const CHART: &str = "<c:chartSpace xmlns:c='http://schemas.openxmlformats.org/drawingml/2006/chart'><c:chart><c:plotArea><c:barChart><c:barDir val='col'/><c:ser><c:idx val='0'/><c:tx><c:strRef><c:f>'A'!A1</c:f></c:strRef></c:tx><c:val><c:numRef><c:f>'A'!$A$2:$A$3</c:f></c:numRef></c:val></c:ser><c:axId val='1'/><c:axId val='2'/></c:barChart></c:plotArea></c:chart></c:chartSpace>";

/// Note of a target without drawings.
pub(crate) const LEFT_OUT: &str = "The charts, pictures and shapes of a sheet were left out.";

#[test]
fn an_ods_states_that_its_drawings_are_left_out_of_tables() {
    #[track_caller]
    fn check(after: &str, expected: &[&str]) {
        let after = after.replace(
            "<draw:frame",
            "<draw:frame xmlns:draw='urn:oasis:names:tc:opendocument:xmlns:drawing:1.0'",
        );
        let book = ods("", "", &after);
        for to in ["md", "csv"] {
            let (_, notes) = convert_with("a.ods", &book, to, &[]).unwrap();
            assert_eq!(notes.0, expected, "{to}, {after}");
        }
    }
    check("", &[]);
    check("<table:shapes><draw:frame/></table:shapes>", &[LEFT_OUT]);
    check(
        "<table:table-row><table:table-cell><draw:frame/></table:table-cell></table:table-row>",
        &[LEFT_OUT],
    );
}

#[test]
fn charts_and_shapes_are_at_their_cells() {
    let book = drawn(FROM, FRAME, CHART);
    let html = text(convert("a.xlsx", &book, "html").unwrap());
    let picture = html.split_once("alt=\"Sales of a year\"");
    let (_, picture) = picture.expect("the chart is there");
    assert!(
        picture.starts_with(" src=\"data:image/svg+xml;base64,"),
        "{picture:.80}"
    );
    let (pdf, notes) = convert_with("a.xlsx", &book, "pdf", &[]).unwrap();
    assert!(pdf.starts_with(b"%PDF-") && notes.0.is_empty(), "{notes:?}");
    for to in ["md", "txt", "csv", "json"] {
        let (_, notes) = convert_with("a.xlsx", &book, to, &[]).unwrap();
        assert_eq!(notes.0, [LEFT_OUT], "{to}");
    }
    let without = drawn(FROM, FRAME, "<c:chartSpace xmlns:c='x'/>");
    let (_, notes) = convert_with("a.xlsx", &without, "html", &[]).unwrap();
    assert!(notes.0[0].contains("cannot be drawn"), "{notes:?}");
    let shape = "<xdr:sp><xdr:nvSpPr><xdr:cNvPr id='1'/></xdr:nvSpPr><xdr:spPr><a:xfrm><a:off x='0' y='0'/><a:ext cx='900' cy='900'/></a:xfrm><a:prstGeom prst='rect'/><a:solidFill><a:srgbClr val='FF0000'/></a:solidFill></xdr:spPr></xdr:sp>";
    let html = text(convert("a.xlsx", &drawn(FROM, shape, ""), "html").unwrap());
    assert!(html.contains("src=\"data:image/svg+xml;base64,"), "{html}");
}

#[test]
fn a_sheet_that_is_a_chart_takes_a_page() {
    let workbook = format!(
        "<workbook xmlns='{MAIN}'><sheets><sheet name='Sales' id='r2'/><sheet name='A' id='r1'/></sheets></workbook>"
    );
    let references = format!(
        "{RELATIONS}<Relationship Id='r1' Type='x/worksheet' Target='s.xml'/><Relationship Id='r2' Type='x/chartsheet' Target='t.xml'/></Relationships>"
    );
    let sheet = format!(
        "<worksheet xmlns='{MAIN}'><sheetData><row><c t='inlineStr'><is><t>cars</t></is></c></row><row><c><v>3</v></c></row></sheetData></worksheet>"
    );
    let page = format!(
        "<chartsheet xmlns='{MAIN}' xmlns:r='http://schemas.openxmlformats.org/officeDocument/2006/relationships'><drawing r:id='d'/></chartsheet>"
    );
    let drawing = format!(
        "<xdr:wsDr xmlns:xdr='http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing' xmlns:a='http://schemas.openxmlformats.org/drawingml/2006/main' xmlns:r='http://schemas.openxmlformats.org/officeDocument/2006/relationships'><xdr:absoluteAnchor><xdr:pos x='0' y='0'/><xdr:ext cx='9' cy='9'/>{FRAME}</xdr:absoluteAnchor></xdr:wsDr>"
    );
    let part = |id: &str, kind: &str, target: &str| {
        format!(
            "{RELATIONS}<Relationship Id='{id}' Type='x/{kind}' Target='{target}'/></Relationships>"
        )
    };
    let book = Zip::default()
        .add("[Content_Types].xml", b"<Types/>")
        .add("xl/workbook.xml", workbook.as_bytes())
        .add("xl/_rels/workbook.xml.rels", references.as_bytes())
        .add("xl/s.xml", sheet.as_bytes())
        .add("xl/t.xml", page.as_bytes())
        .add(
            "xl/_rels/t.xml.rels",
            part("d", "drawing", "d.xml").as_bytes(),
        )
        .add("xl/d.xml", drawing.as_bytes())
        .add(
            "xl/_rels/d.xml.rels",
            part("c", "chart", "c.xml").as_bytes(),
        )
        .add("xl/c.xml", CHART.as_bytes())
        .finish();
    let (pdf, notes) = convert_with("a.xlsx", &book, "pdf", &[]).unwrap();
    assert!(notes.0.is_empty(), "{notes:?}");
    let (pages, _) = convert_with("a.pdf", &pdf, "md", &[("pages", "marked")]).unwrap();
    assert_eq!(text(pages).matches("<!-- page").count(), 2);
    let (csv, notes) = convert_with("a.xlsx", &book, "csv", &[]).unwrap();
    assert_eq!(text(csv), "cars\r\n3\r\n");
    assert!(notes.0[0].contains("Only the sheet \"A\""), "{notes:?}");
    let refused = convert_with("a.xlsx", &book, "csv", &[("sheet", "Sales")]).unwrap_err();
    assert!(refused.message().contains("convert it to pdf or html"));
    let (_, notes) = convert_with("a.xlsx", &book, "ods", &[]).unwrap();
    assert!(
        notes.0.iter().any(|note| note.contains("a chart")),
        "{notes:?}"
    );
}

/// An OpenDocument spreadsheet with the numbers 3 and 7 in a column, further styles, and content after the rows of its
/// table.
fn ods(styles: &str, cell: &str, after: &str) -> Vec<u8> {
    let content = format!(
        "<office:document-content xmlns:office='urn:oasis:names:tc:opendocument:xmlns:office:1.0' xmlns:style='urn:oasis:names:tc:opendocument:xmlns:style:1.0' xmlns:table='urn:oasis:names:tc:opendocument:xmlns:table:1.0' xmlns:fo='urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0' xmlns:calcext='urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0'><office:automatic-styles><style:style style:name='Alarm_5f_1' style:display-name='Alarm_1' style:family='table-cell'><style:table-cell-properties fo:background-color='#aa1122'/></style:style>{styles}</office:automatic-styles><office:body><office:spreadsheet><table:table table:name='A'>{}{after}</table:table></office:spreadsheet></office:body></office:document-content>",
        [3, 7].map(|number| format!("<table:table-row><table:table-cell {cell} office:value-type='float' office:value='{number}'/></table:table-row>")).concat()
    );
    Zip::default()
        .add(
            "mimetype",
            b"application/vnd.oasis.opendocument.spreadsheet",
        )
        .add("content.xml", content.as_bytes())
        .finish()
}

#[test]
fn conditions_of_spreadsheets_change_the_styles_of_cells() {
    let listed = |value: &str| {
        ods(
            "",
            "",
            &format!(
                "<calcext:conditional-formats><calcext:conditional-format calcext:target-range-address='A.A1:A.A2'><calcext:condition calcext:apply-style-name='Alarm_1' calcext:value='{value}' calcext:base-cell-address='A.A1'/></calcext:conditional-format></calcext:conditional-formats>"
            ),
        )
    };
    let mapped = |condition: &str| {
        ods(
            &format!(
                "<style:style style:name='c' style:family='table-cell'><style:map style:condition='{condition}' style:apply-style-name='Alarm_5f_1' style:base-cell-address='A.A1'/></style:style>"
            ),
            "table:style-name='c'",
            "",
        )
    };
    let books = [
        listed("&gt;5"),
        listed("formula-is([.A1]&gt;5)"),
        listed("between(4;[.$A$2])"),
        listed("top-elements(1)"),
        mapped("cell-content()&gt;5"),
        mapped("cell-content-is-between(5,9)"),
        mapped("is-true-formula([.A1]=MAX([.$A$1:.$A$2]))"),
    ];
    for book in books {
        let (html, notes) = convert_with("a.ods", &book, "html", &[]).unwrap();
        let html = text(html);
        assert!(notes.0.is_empty(), "{notes:?}");
        // The class with the formatting, which the second cell has and the first one has not.
        let rule = html
            .lines()
            .find(|line| line.contains("#aa1122"))
            .expect("a look");
        let class = rule
            .split(['.', ' '])
            .find(|word| word.starts_with('s'))
            .unwrap();
        let has = |number: &str| {
            let (before, _) = html.split_once(&format!(">{number}<")).expect(number);
            before[before.rfind("<td").unwrap()..].contains(&format!("\"{class} "))
        };
        assert!(has("7") && !has("3"), "{html}");
    }
    let (_, notes) = convert_with("a.ods", &listed("formula-is(TODAY()=1)"), "html", &[]).unwrap();
    assert!(notes.0[0].contains("cannot be computed"), "{notes:?}");
}

#[test]
fn parts_of_texts_have_their_own_fonts() {
    let styles = "<style:style style:name='T1' style:family='text'><style:text-properties fo:font-weight='bold' fo:color='#aa1122'/></style:style>";
    let row = "<table:table-row><table:table-cell office:value-type='string'><text:p xmlns:text='urn:oasis:names:tc:opendocument:xmlns:text:1.0'>one <text:span text:style-name='T1'>two</text:span> three</text:p></table:table-cell></table:table-row>";
    let book = ods(styles, "", row);
    let html = text(convert("a.ods", &book, "html").unwrap());
    let (before, after) = html.split_once(">two<").expect("a part of its own");
    let (_, tag) = before.rsplit_once('<').unwrap();
    assert!(tag.contains("#aa1122") && tag.contains("bold"), "{html}");
    assert!(after.contains(" three"), "{html}");
    let (xlsx, notes) = convert_with("a.ods", &book, "xlsx", &[]).unwrap();
    assert!(notes.0.is_empty(), "{notes:?}");
    let html = text(convert("a.xlsx", &xlsx, "html").unwrap());
    assert!(html.contains(">two<") && html.contains("#aa1122"), "{html}");
}

#[test]
fn lines_of_a_text_are_shown_below_one_another() {
    let row = "<table:table-row><table:table-cell table:style-name='Alarm_5f_1' office:value-type='string'><text:p xmlns:text='urn:oasis:names:tc:opendocument:xmlns:text:1.0'>one</text:p><text:p xmlns:text='urn:oasis:names:tc:opendocument:xmlns:text:1.0'>two</text:p></table:table-cell></table:table-row>";
    let book = convert("a.ods", &ods("", "", row), "xlsx").unwrap();
    let styles = unpacked(&book, "xl/styles.xml");
    assert!(styles.contains("wrapText=\"1\""), "{styles}");
    // A text that a workbook of Excel does not wrap stays unwrapped.
    let cells = "<sheetData><row><c t='inlineStr'><is><t>one\ntwo</t></is></c></row></sheetData>";
    let book = workbook("", "", cells, &[]);
    let ods = convert("a.xlsx", &book, "ods").unwrap();
    let back = convert("a.ods", &ods, "xlsx").unwrap();
    let styles = unpacked(&back, "xl/styles.xml");
    assert!(!styles.contains("wrapText=\"1\""), "{styles}");
}

#[test]
fn empty_cells_at_the_end_of_a_row_do_not_count() {
    // As many columns as programs had before 2022.
    let row = "<table:table-row><table:table-cell office:value-type='float' office:value='1'/><table:table-cell table:style-name='Alarm_5f_1' table:number-columns-repeated='1023'/></table:table-row>";
    let (_, notes) = convert_with("a.ods", &ods("", "", &row.repeat(300)), "xlsx", &[]).unwrap();
    assert!(notes.0.is_empty(), "{notes:?}");
}

#[test]
fn cells_that_look_alike_share_a_class() {
    let rows: String = (1..=300)
        .map(|row| format!("<row r='{row}'><c><v>{row}</v></c></row>"))
        .collect();
    let styles = "<cellXfs><xf/></cellXfs><dxfs><dxf><fill><patternFill><bgColor rgb='FF11AA22'/></patternFill></fill></dxf></dxfs>";
    let rule = "<conditionalFormatting sqref='A1:A300'><cfRule type='expression' dxfId='0' priority='1'><formula>MOD(ROW(),2)=0</formula></cfRule></conditionalFormatting>";
    let book = workbook(
        "",
        styles,
        &format!("<sheetData>{rows}</sheetData>{rule}"),
        &[],
    );
    let html = text(convert("a.xlsx", &book, "html").unwrap());
    assert_eq!(html.matches("#11aa22").count(), 1, "{html:.3000}");
    let rule = html.lines().find(|line| line.contains("#11aa22")).unwrap();
    let class = rule
        .split(['.', ' '])
        .find(|word| word.starts_with('s'))
        .unwrap();
    assert_eq!(html.matches(&format!("\"{class} ")).count(), 150, "{class}");
    let again = text(convert("a.xlsx", &book, "html").unwrap());
    assert_eq!(html, again);
}

/// Converts to all formats that show formatting, within a number of steps.
#[track_caller]
fn survives(what: &str, book: &[u8]) {
    for to in ["pdf", "html", "ods", "xlsx", "csv"] {
        let ran = counted("a.xlsx", book, to);
        if let Err(err) = ran.result {
            let kind = format!("{:?}", err.kind());
            assert!(
                kind == "BadInput" || kind == "TooLarge",
                "{what} to {to}: {err}"
            );
        }
        assert!(ran.steps < MAX_STEPS, "{what} to {to}: {}", ran.steps);
    }
}

#[test]
fn hostile_styles_are_shown_or_refused() {
    let cells = "<sheetData><row r='1'><c r='A1' s='1'><v>1</v></c><c r='B1' s='9999'><v>2</v></c></row></sheetData>";
    let with = |names: &str, styles: &str, sheet: &str| workbook(names, styles, sheet, &[]);
    let xfs =
        "<cellXfs><xf/><xf numFmtId='164' fontId='70000' fillId='-1' borderId='99'/></cellXfs>";
    let code = "0;".repeat(10_000);
    let format = format!("<numFmts><numFmt numFmtId='164' formatCode='{code}'/></numFmts>{xfs}");
    survives("sections", &with("", &format, cells));
    let fonts = format!(
        "<fonts>{}</fonts>{xfs}",
        "<font><sz val='1e9'/></font>".repeat(64_000)
    );
    survives("fonts", &with("", &fonts, cells));
    let merged = format!(
        "{cells}<mergeCells><mergeCell ref='A1:XFD1048576'/><mergeCell ref='A1:C3'/><mergeCell ref='B2:ZZ9'/></mergeCells>"
    );
    survives("merged", &with("", "", &merged));
    let wide = format!("<cols><col min='1' max='16384' width='1000000000'/></cols>{cells}");
    survives("widths", &with("", "", &wide));
    let area = "<definedName name='_xlnm.Print_Area' localSheetId='0'>A!$A$1:$XFD$1048576</definedName><definedName name='_xlnm.Print_Titles' localSheetId='0'>A!$1:$1048576</definedName>";
    survives("areas", &with(area, "", cells));
    let high = "<sheetData><row r='1' ht='1e30' customHeight='1'><c><v>1</v></c></row><row r='90' ht='-5'><c><v>1</v></c></row></sheetData>";
    let titles = "<definedName name='_xlnm.Print_Titles' localSheetId='0'>A!$1:$1</definedName>";
    survives("heights", &with(titles, "", high));
    let bars = "<sheetData><row r='1'><c><v>1e999</v></c><c><v>-1e999</v></c><c><v>NaN</v></c></row></sheetData><conditionalFormatting sqref='A1:XFD1048576'><cfRule type='dataBar' priority='1'><dataBar><cfvo type='min'/><cfvo type='max'/><color rgb='FF0000FF'/></dataBar></cfRule></conditionalFormatting>";
    survives("bars", &with("", "", bars));
    let dates = "<numFmts><numFmt numFmtId='164' formatCode='yyyy-mm-dd'/></numFmts><cellXfs><xf/><xf numFmtId='164'/></cellXfs>";
    let days = "<sheetData><row><c s='1'><v>1e300</v></c><c s='1'><v>-5</v></c><c s='1'><v>2958466</v></c><c s='1'><v>0</v></c></row></sheetData>";
    survives("dates", &with("", dates, days));
    let long = "x".repeat(32_767);
    let long =
        format!("<sheetData><row><c t='str'><f>{long}</f><v>{long}</v></c></row></sheetData>");
    survives("formulas", &with("", "", &long));
    let rules = "<dataValidation type='list' sqref='A1:XFD1048576 B1:B1048576 C3:D4'><formula1>A1</formula1></dataValidation>".repeat(500);
    survives(
        "rules",
        &with(
            "",
            "",
            &format!("{cells}<dataValidations>{rules}</dataValidations>"),
        ),
    );
    let outside =
        "<xdr:col>99999999999</xdr:col><xdr:colOff>1e300</xdr:colOff><xdr:row>1048575</xdr:row>";
    survives("anchors", &drawn(outside, FRAME, CHART));
}

#[test]
fn damaged_styles_are_shown_or_refused() {
    // A multiplier from "Computationally Easy, Spectrally Good Multipliers" (Steele, Vigna).
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |most: usize| {
        random = random.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
        (random >> 33) as usize % most
    };
    for (name, targets) in [
        ("book.xls", ["pdf", "ods"]),
        ("looks.xls", ["pdf", "xlsx"]),
        ("looks.xlsb", ["pdf", "ods"]),
        ("book.ods", ["html", "xlsx"]),
    ] {
        let good = data(name);
        for round in 0..40 {
            let mut bytes = good.clone();
            for _ in 0..=round % 8 {
                let at = next(bytes.len());
                bytes[at] = next(256) as u8;
            }
            for to in targets {
                let steps = counted(name, &bytes, to).steps;
                assert!(steps < MAX_STEPS, "{name} to {to}, round {round}: {steps}");
            }
        }
    }
}

#[test]
fn bars_of_numbers_below_zero_run_to_the_left_of_an_axis() {
    let cells = "<sheetData><row r='1'><c r='A1'><v>-5</v></c></row><row r='2'><c r='A2'><v>15</v></c></row></sheetData>";
    let rule = "<conditionalFormatting sqref='A1:A2'><cfRule type='dataBar' priority='1'><dataBar><cfvo type='min'/><cfvo type='max'/><color rgb='FF0000FF'/></dataBar><extLst><ext><x14:id xmlns:x14='http://schemas.microsoft.com/office/spreadsheetml/2009/9/main'>{B}</x14:id></ext></extLst></cfRule></conditionalFormatting>";
    let added = "<extLst><ext><x14:conditionalFormattings xmlns:x14='http://schemas.microsoft.com/office/spreadsheetml/2009/9/main' xmlns:xm='http://schemas.microsoft.com/office/excel/2006/main'><x14:conditionalFormatting><x14:cfRule type='dataBar' id='{B}'><x14:dataBar minLength='0' maxLength='100'><x14:cfvo type='autoMin'/><x14:cfvo type='autoMax'/><x14:negativeFillColor rgb='FFFF0000'/><x14:axisColor rgb='FF008000'/></x14:dataBar></x14:cfRule><xm:sqref>A1:A2</xm:sqref></x14:conditionalFormatting></x14:conditionalFormattings></ext></extLst>";
    let shown = |after: &str| {
        let book = workbook("", "", &format!("{cells}{rule}{after}"), &[]);
        assert!(convert("a.xlsx", &book, "pdf").is_ok());
        text(convert("a.xlsx", &book, "html").unwrap())
    };
    let page = shown(added);
    for bar in [
        "linear-gradient(to right,#ff0000 25%,transparent 25%)",
        "linear-gradient(to right,transparent 25%,#0000ff 25%,#0000ff 100%,transparent 100%)",
        "linear-gradient(to right,transparent 25%,#008000 25%,",
    ] {
        assert!(page.contains(bar), "{bar}: {page}");
    }
    // Without the extension, bars begin at the edge.
    let page = shown("");
    assert!(
        !page.contains("#ff0000") && page.contains("#0000ff 100%"),
        "{page}"
    );
}

/// A workbook whose cell B2 holds a picture of 16 by 8 pixels, as Excel stores it: the value of the cell is an error,
/// and its metadata refers to the picture. `metadata` is the number of the entry in the metadata part.
fn with_picture_in_cell(metadata: &str) -> Vec<u8> {
    let mut picture = Cursor::new(Vec::new());
    image::RgbImage::from_pixel(16, 8, image::Rgb([255, 0, 0]))
        .write_to(&mut picture, image::ImageFormat::Png)
        .unwrap();
    let references = format!(
        "{RELATIONS}<Relationship Id='r1' Type='x/worksheet' Target='s.xml'/><Relationship Id='r2' Type='x/sheetMetadata' Target='metadata.xml'/>\
         <Relationship Id='r3' Type='x/rdRichValue' Target='rv.xml'/><Relationship Id='r4' Type='x/rdRichValueStructure' Target='rvs.xml'/>\
         <Relationship Id='r5' Type='x/richValueRel' Target='rel.xml'/></Relationships>"
    );
    let sheet = format!(
        "<worksheet xmlns='{MAIN}'><sheetData><row r='1'><c r='A1'><v>1</v></c></row>\
         <row r='2' ht='60' customHeight='1'><c r='B2' t='e' vm='{metadata}'><v>#VALUE!</v></c></row></sheetData></worksheet>"
    );
    let workbook =
        format!("<workbook xmlns='{MAIN}'><sheets><sheet name='A' id='r1'/></sheets></workbook>");
    let text = |name: &'static str, content: &str| (name, content.as_bytes().to_vec());
    let parts = [
        text("xl/workbook.xml", &workbook),
        text("xl/_rels/workbook.xml.rels", &references),
        text("xl/s.xml", &sheet),
        text(
            "xl/metadata.xml",
            "<metadata><metadataTypes><metadataType name='OTHER'/><metadataType name='XLRICHVALUE'/></metadataTypes>\
             <futureMetadata name='XLRICHVALUE'><bk><extLst><ext><rvb i='1'/></ext></extLst></bk></futureMetadata>\
             <valueMetadata><bk><rc t='1' v='0'/></bk><bk><rc t='2' v='0'/></bk></valueMetadata></metadata>",
        ),
        text(
            "xl/rvs.xml",
            "<rvStructures><s t='_error'><k n='errorType'/></s>\
             <s t='_localImage'><k n='_rvRel:LocalImageIdentifier'/><k n='CalcOrigin'/><k n='Text'/></s></rvStructures>",
        ),
        text(
            "xl/rv.xml",
            "<rvData><rv s='0'><v>8</v></rv><rv s='1'><v>0</v><v>5</v><v>A lamp</v></rv></rvData>",
        ),
        text("xl/rel.xml", "<richValueRels><rel id='i'/></richValueRels>"),
        text(
            "xl/_rels/rel.xml.rels",
            &format!(
                "{RELATIONS}<Relationship Id='i' Type='x/image' Target='i.png'/></Relationships>"
            ),
        ),
        ("xl/i.png", picture.into_inner()),
    ];
    let zip = Zip::default().add("[Content_Types].xml", b"<Types/>");
    let zip = parts
        .iter()
        .fold(zip, |zip, (name, content)| zip.add(name, content));
    zip.finish()
}

#[test]
fn pictures_in_cells_are_shown_in_them() {
    let book = with_picture_in_cell("2");
    let html = text(convert("a.xlsx", &book, "html").unwrap());
    assert!(html.contains("alt=\"A lamp\""), "{html}");
    assert!(!html.contains("#VALUE!"), "{html}");
    // The picture keeps its proportions, in a cell 48 points wide.
    let (pdf, _) = convert_with("a.xlsx", &book, "pdf", &[]).unwrap();
    let shown = convert_with("a.pdf", &pdf, "png", &[("dpi", "72")])
        .unwrap()
        .0;
    let shown = image::load_from_memory(&shown).unwrap().to_rgb8();
    let red = |pixel: &image::Rgb<u8>| pixel.0[0] > 200 && pixel.0[1] < 60;
    let points: Vec<_> = shown
        .enumerate_pixels()
        .filter(|(_, _, pixel)| red(pixel))
        .collect();
    let wide = points.iter().map(|(x, ..)| x).max().unwrap()
        - points.iter().map(|(x, ..)| x).min().unwrap();
    let high = points.iter().map(|(_, y, _)| y).max().unwrap()
        - points.iter().map(|(_, y, _)| y).min().unwrap();
    assert!((40..=48).contains(&wide), "{wide} by {high}");
    assert!(wide.abs_diff(2 * high) <= 3, "{wide} by {high}");
    // A target that holds only values gets the alternative text of the picture, and a note reports the loss.
    let (csv, notes) = convert_with("a.xlsx", &book, "csv", &[]).unwrap();
    assert_eq!(text(csv).trim(), "1,\r\n,A lamp");
    assert!(
        notes
            .0
            .iter()
            .any(|note| note.contains("picture in a cell")),
        "{:?}",
        notes.0
    );
    // Metadata of another kind, and none at all: the cell has an error.
    for other in ["1", "3", "0", "x"] {
        let csv = text(convert("a.xlsx", &with_picture_in_cell(other), "csv").unwrap());
        assert_eq!(csv.trim(), "1,\r\n,#VALUE!", "{other}");
    }
}
