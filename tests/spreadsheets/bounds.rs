//! Workbooks of each format with numbers out of all bounds: they are converted as far as possible within limits of
//! steps and memory, or refused as bad input.

mod records;

use crate::{
    bad::{MAIN, RELATIONS, Zip},
    harness::{Counted, counted},
};
use convertd::error::Kind;

/// Limit on the steps of a conversion, which are the checks in its loops. The largest of these workbooks takes a
/// thousand.
const MAX_STEPS: u64 = 50_000;

/// Limit on the memory that a conversion may reserve, in bytes.
const MAX: u64 = 512 << 20;

/// Converts a workbook to formats that show its formatting, and to another workbook.
#[track_caller]
fn check(what: &str, name: &str, bytes: &[u8]) {
    for to in ["pdf", "html", "ods", "xlsx", "csv"] {
        if name.ends_with(to) {
            continue;
        }
        let Counted {
            memory,
            steps,
            result,
        } = counted(name, bytes, to);
        if let Err(error) = result {
            let said = error.message();
            assert_eq!(
                error.kind(),
                Kind::BadInput,
                "{what}: {name} to {to}: {said}"
            );
        }
        assert!(steps < MAX_STEPS, "{what}: {name} to {to}: {steps} steps");
        assert!(memory < MAX, "{what}: {name} to {to}: {memory} bytes");
    }
}

/// The parts of an xlsx that differ from test to test.
#[derive(Default)]
struct Xlsx<'a> {
    styles: &'a str,
    /// Content before the cells, the cells, and content after them.
    before: &'a str,
    rows: &'a str,
    after: &'a str,
    names: &'a str,
    drawing: &'a str,
}

impl Xlsx<'_> {
    fn check(&self, what: &str) {
        let workbook = format!(
            "<workbook xmlns='{MAIN}'><sheets><sheet name='A' id='r1'/></sheets><definedNames>{}</definedNames></workbook>",
            self.names
        );
        let to = |kind: &str, target: &str, id: u32| {
            format!("<Relationship Id='r{id}' Type='x/{kind}' Target='{target}'/>")
        };
        let references = [to("worksheet", "s.xml", 1), to("styles", "st.xml", 2)].concat();
        let sheet = format!(
            "<worksheet xmlns='{MAIN}'>{}<sheetData>{}</sheetData>{}</worksheet>",
            self.before, self.rows, self.after
        );
        let file = Zip::default()
            .add("[Content_Types].xml", b"<Types/>")
            .add("xl/workbook.xml", workbook.as_bytes())
            .add(
                "xl/_rels/workbook.xml.rels",
                format!("{RELATIONS}{references}</Relationships>").as_bytes(),
            )
            .add(
                "xl/st.xml",
                format!("<styleSheet xmlns='{MAIN}'>{}</styleSheet>", self.styles).as_bytes(),
            )
            .add("xl/s.xml", sheet.as_bytes())
            .add(
                "xl/_rels/s.xml.rels",
                format!("{RELATIONS}{}</Relationships>", to("drawing", "d.xml", 1)).as_bytes(),
            )
            .add("xl/d.xml", self.drawing.as_bytes())
            .finish();
        check(what, "a.xlsx", &file);
    }
}

/// A number format with this many sections.
fn sections(count: usize) -> String {
    vec!["0.0\"a\""; count].join(";")
}

/// A row with numbers of each kind that is out of range for dates, and a formula whose cached text has Excel's maximum
/// length.
fn extremes() -> String {
    let numbers = [
        "-1", "-1e300", "2958466", "1e300", "1e999", "NaN", "INF", "0", "60", "4e-324",
    ];
    let cells = numbers.map(|number| format!("<c s='1'><v>{number}</v></c>"));
    let text = "x".repeat(32_767);
    format!(
        "<row r='1'>{}<c t='str' s='1'><f>REPT(\"x\",32767)</f><v>{text}</v></c></row>",
        cells.concat()
    )
}

#[test]
fn styles_of_an_xlsx_may_exceed_all_limits() {
    let rows = extremes();
    let code = sections(10_000);
    let formats = format!(
        "<numFmts><numFmt numFmtId='164' formatCode='{}'/></numFmts><fonts><font/></fonts><cellXfs><xf/><xf numFmtId='164'/></cellXfs>",
        code.replace('"', "&quot;")
    );
    let dates = "<cellXfs><xf/><xf numFmtId='22'/></cellXfs>";
    let lost = "<cellStyleXfs><xf xfId='0' fontId='9'/></cellStyleXfs><cellXfs><xf/><xf numFmtId='9999' fontId='70000' fillId='9' borderId='4294967296' xfId='1'/></cellXfs>";
    let fonts = format!(
        "<fonts>{}</fonts><cellXfs><xf/><xf fontId='63999'/></cellXfs>",
        "<font><sz val='1e9'/><name val='Arial'/></font>".repeat(64_000)
    );
    for (what, styles) in [
        ("sections", &*formats),
        ("dates", dates),
        ("styles of nothing", lost),
        ("fonts", &fonts),
    ] {
        Xlsx {
            styles,
            rows: &rows,
            ..Xlsx::default()
        }
        .check(what);
    }
}

#[test]
fn sizes_of_an_xlsx_may_be_out_of_all_bounds() {
    let rows = "<row r='1' ht='1e9' customHeight='1'><c><v>1</v></c><c><v>2</v></c></row><row r='2'><c t='str'><v>a</v></c></row>";
    let merged = "<mergeCells><mergeCell ref='A1:XFD1048576'/><mergeCell ref='A1:B2'/><mergeCell ref='B1:C9'/><mergeCell ref='C9:A1'/></mergeCells>";
    let columns = "<cols><col min='1' max='16384' width='1000000000' customWidth='1'/><col min='5' max='2' width='-1'/></cols>";
    let corner =
        "<definedName name='_xlnm.Print_Area' localSheetId='0'>A!$XFD$1048576</definedName>";
    let whole =
        "<definedName name='_xlnm.Print_Area' localSheetId='0'>A!$A$1:$XFD$1048576</definedName>";
    let titles = "<definedName name='_xlnm.Print_Titles' localSheetId='0'>A!$A:$XFD,A!$1:$1048576</definedName>";
    let fit = "<pageMargins left='1e9' right='-1' top='NaN' bottom='9' header='9' footer='9'/><pageSetup scale='0' fitToWidth='99999' firstPageNumber='4294967295'/>";
    for (what, before, after, names) in [
        ("merged", "", merged, ""),
        ("widths", columns, "", ""),
        ("area at the corner", "", "", corner),
        ("area of everything", columns, "", whole),
        ("rows repeated that are higher than pages", "", "", titles),
        ("margins", "", fit, ""),
    ] {
        Xlsx {
            before,
            rows,
            after,
            names,
            ..Xlsx::default()
        }
        .check(what);
    }
}

#[test]
fn rules_and_drawings_of_an_xlsx_may_be_out_of_all_bounds() {
    let rows = "<row r='1'><c><v>INF</v></c><c><v>-INF</v></c><c><v>1e308</v></c><c><v>-1e308</v></c></row>";
    let bar = "<conditionalFormatting sqref='A1:XFD1048576 A1:D1'><cfRule type='dataBar' priority='1'><dataBar><cfvo type='num' val='-1e308'/><cfvo type='num' val='1e308'/><color rgb='FFFF0000'/></dataBar></cfRule><cfRule type='colorScale' priority='-9'><colorScale><cfvo type='percentile' val='1e300'/><cfvo type='max'/><color rgb='1'/><color theme='99'/></colorScale></cfRule><cfRule type='iconSet' priority='2'><iconSet><cfvo type='percent' val='NaN'/></iconSet></cfRule></conditionalFormatting>";
    let picture = |from: &str, to: &str| {
        format!(
            "<xdr:twoCellAnchor><xdr:from>{from}</xdr:from><xdr:to>{to}</xdr:to><xdr:sp><xdr:spPr><a:prstGeom prst='rect'/><a:solidFill><a:srgbClr val='FF0000'/></a:solidFill></xdr:spPr></xdr:sp></xdr:twoCellAnchor>"
        )
    };
    let place = |column: i64, row: i64, offset: i64| {
        format!(
            "<xdr:col>{column}</xdr:col><xdr:colOff>{offset}</xdr:colOff><xdr:row>{row}</xdr:row><xdr:rowOff>{offset}</xdr:rowOff>"
        )
    };
    let drawing = format!(
        "<xdr:wsDr xmlns:xdr='http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing' xmlns:a='http://schemas.openxmlformats.org/drawingml/2006/main'>{}{}{}</xdr:wsDr>",
        picture(
            &place(0, 0, 0),
            &place(4_294_967_295, 4_294_967_295, i64::MAX)
        ),
        picture(&place(-9, -9, i64::MIN), &place(1, 1, 0)),
        picture(&place(16_384, 1_048_576, 0), &place(20_000, 2_000_000, 0)),
    );
    let after = format!(
        "{bar}<drawing xmlns:r='http://schemas.openxmlformats.org/officeDocument/2006/relationships' r:id='r1'/>"
    );
    Xlsx {
        rows,
        after: &after,
        drawing: &drawing,
        ..Xlsx::default()
    }
    .check("rules and drawings");
}

/// Converts an ods with these styles and this table.
fn ods(what: &str, styles: &str, table: &str) {
    let content = format!(
        "<office:document-content xmlns:office='urn:oasis:names:tc:opendocument:xmlns:office:1.0' xmlns:style='urn:oasis:names:tc:opendocument:xmlns:style:1.0' xmlns:table='urn:oasis:names:tc:opendocument:xmlns:table:1.0' xmlns:text='urn:oasis:names:tc:opendocument:xmlns:text:1.0' xmlns:fo='urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0' xmlns:number='urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0' xmlns:draw='urn:oasis:names:tc:opendocument:xmlns:drawing:1.0' xmlns:svg='urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0' xmlns:xlink='http://www.w3.org/1999/xlink' xmlns:calcext='urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0'><office:automatic-styles>{styles}</office:automatic-styles><office:body><office:spreadsheet>{table}</office:spreadsheet></office:body></office:document-content>"
    );
    let file = Zip::default()
        .add(
            "mimetype",
            b"application/vnd.oasis.opendocument.spreadsheet",
        )
        .add("content.xml", content.as_bytes())
        .finish();
    check(what, "a.ods", &file);
}

#[test]
fn an_ods_may_be_out_of_all_bounds() {
    let cell = |style: &str, number: &str| {
        format!(
            "<table:table-cell table:style-name='{style}' office:value-type='float' office:value='{number}'/>"
        )
    };
    let row = |cells: &str| format!("<table:table-row>{cells}</table:table-row>");
    let table = |inside: &str| format!("<table:table table:name='A'>{inside}</table:table>");
    let numbers = ["-1e300", "2958466", "1e999", "NaN", "INF"].map(|number| cell("a", number));
    let numbers = row(&numbers.concat());
    let maps: String = (0..10_000)
        .map(|at| {
            format!("<style:map style:condition='value()&gt;{at}' style:apply-style-name='n'/>")
        })
        .collect();
    let date = "<number:date-style style:name='n'><number:year number:style='long'/><number:month/></number:date-style>";
    let style = |parent: &str, more: &str| {
        format!(
            "<style:style style:name='a' style:family='table-cell' style:parent-style-name='{parent}' style:data-style-name='n'>{more}</style:style>"
        )
    };
    ods(
        "sections",
        &format!(
            "<number:number-style style:name='n'>{maps}<number:number/></number:number-style>{}",
            style("", "")
        ),
        &table(&numbers),
    );
    ods(
        "dates",
        &format!("{date}{}", style("", "")),
        &table(&numbers),
    );
    ods(
        "styles of themselves",
        &style(
            "a",
            "<style:map style:condition='cell-content()=1' style:apply-style-name='a'/>",
        ),
        &table(&numbers),
    );
    let fonts: String = (0..64_000)
        .map(|at| format!("<style:style style:name='f{at}' style:family='table-cell'><style:text-properties fo:font-size='1e9pt' style:font-name='F{at}'/></style:style>"))
        .collect();
    ods("fonts", &fonts, &table(&row(&cell("f63999", "1"))));
    let sizes = "<style:style style:name='c' style:family='table-column'><style:table-column-properties style:column-width='1000000000in'/></style:style><style:style style:name='r' style:family='table-row'><style:table-row-properties style:row-height='1000000000in'/></style:style>";
    let spans = "<table:table-cell table:number-columns-spanned='4294967295' table:number-rows-spanned='4294967295' office:value-type='float' office:value='1'/><table:table-cell table:number-columns-spanned='2' table:number-rows-spanned='2'/>";
    let high = format!(
        "<table:table-column table:style-name='c' table:number-columns-repeated='16384'/><table:table-header-rows><table:table-row table:style-name='r'>{spans}</table:table-row></table:table-header-rows>{}",
        row(&cell("a", "2"))
    );
    ods("sizes", sizes, &table(&high));
    ods(
        "area at the corner",
        "",
        &format!(
            "<table:table table:name='A' table:print-ranges='A.XFD1048576:A.XFD1048576 A.A1:A.XFD1048576'>{numbers}</table:table>"
        ),
    );
    let rules = "<calcext:conditional-formats><calcext:conditional-format calcext:target-range-address='A.A1:A.XFD1048576'><calcext:data-bar calcext:positive-color='#ff0000'><calcext:formatting-entry calcext:value='-1e999' calcext:type='number'/><calcext:formatting-entry calcext:value='1e999' calcext:type='number'/></calcext:data-bar></calcext:conditional-format></calcext:conditional-formats>";
    let frame = "<table:shapes><draw:frame svg:x='-1e9in' svg:y='1e9in' svg:width='1e9in' svg:height='NaNin'><draw:image xlink:href='none.png'/></draw:frame></table:shapes>";
    let text = "x".repeat(32_767);
    let long = row(&format!(
        "<table:table-cell table:formula='of:=1' office:value-type='string'><text:p>{text}</text:p></table:table-cell>"
    ));
    ods(
        "rules and drawings",
        "",
        &table(&format!("{frame}{numbers}{long}{rules}")),
    );
}
