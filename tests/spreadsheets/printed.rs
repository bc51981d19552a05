//! Content that is printed in addition to the cells: comments after the sheet, and pictures in headers. Also the print
//! settings of a workbook, and texts without letters, through an ods.

use crate::{
    bad::Zip,
    biff,
    harness::{convert, convert_with, directory, has, text},
    looks::workbook,
};
use std::{fs, process::Command};

#[path = "../support/pict.rs"]
mod pict;

/// A sheet with one cell, and with these page settings.
fn sheet(after: &str) -> String {
    format!("<sheetData><row><c t='inlineStr'><is><t>seen</t></is></c></row></sheetData>{after}")
}

#[test]
fn comments_are_printed_at_the_end_if_they_are_asked_for() {
    let comments = "<comments xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'><authors><author>Ann</author></authors><commentList><comment ref='C7' authorId='0'><text><t>Check this.</t></text></comment><comment ref='B2' authorId='0'><text><t>Ann: done</t></text></comment></commentList></comments>";
    let parts = [
        (
            "xl/_rels/s.xml.rels",
            "<Relationship Id='c' Type='x/comments' Target='comments.xml'/>",
        ),
        ("xl/comments.xml", comments),
    ];
    let printed = |setup: &str| {
        let book = workbook("", "", &sheet(setup), &parts);
        let pdf = convert("a.xlsx", &book, "pdf").unwrap();
        let words = text(
            convert_with("a.pdf", &pdf, "md", &[("pages", "marked")])
                .unwrap()
                .0,
        );
        (book, words)
    };
    let (_, words) = printed("<pageSetup/>");
    assert!(!words.contains("Check this."), "{words}");
    let (book, words) = printed("<pageSetup cellComments='atEnd'/>");
    let pages: Vec<&str> = words.split("<!-- page").collect();
    assert_eq!(pages.len(), 3, "{words}");
    let at = |word: &str| {
        pages[2]
            .find(word)
            .unwrap_or_else(|| panic!("{word}: {words}"))
    };
    assert!(at("B2") < at("done") && at("done") < at("C7") && at("C7") < at("Check this."));
    assert!(at("Ann:") < at("done"), "{words}");
    // The same through an ods.
    let ods = convert("a.xlsx", &book, "ods").unwrap();
    let pdf = convert("a.ods", &ods, "pdf").unwrap();
    let words = text(convert("a.pdf", &pdf, "txt").unwrap());
    assert!(words.contains("Check this."), "{words}");
}

#[test]
fn headers_contain_pictures() {
    let shape = "<xml xmlns:v='urn:schemas-microsoft-com:vml' xmlns:o='urn:schemas-microsoft-com:office:office'><v:shape id='CH' style='position:absolute;width:90pt;height:30pt'><v:imagedata o:relid='p'/></v:shape><v:shape id='LF' style='width:nothing'><v:imagedata o:relid='p'/></v:shape></xml>";
    let parts = [
        (
            "xl/_rels/s.xml.rels",
            "<Relationship Id='h' Type='x/vmlDrawing' Target='h.vml'/>",
        ),
        ("xl/h.vml", shape),
        (
            "xl/_rels/h.vml.rels",
            "<Relationship Id='p' Type='x/image' Target='p.svg'/>",
        ),
        (
            "xl/p.svg",
            "<svg xmlns='http://www.w3.org/2000/svg' width='30' height='10'><rect width='30' height='10' fill='#c00'/></svg>",
        ),
    ];
    #[track_caller]
    fn check(header: &str, drawing: &str, parts: &[(&str, &str)], left_out: bool) -> usize {
        let after =
            format!("<headerFooter>{header}</headerFooter><legacyDrawingHF r:id='{drawing}'/>");
        let book = workbook("", "", &sheet(&after), parts);
        let (pdf, notes) = convert_with("a.xlsx", &book, "pdf", &[]).unwrap();
        let told = notes
            .0
            .iter()
            .any(|note| note.contains("headers and footers"));
        assert_eq!(told, left_out, "{notes:?}");
        pdf.len()
    }
    let header = "<oddHeader>&amp;C&amp;G</oddHeader>";
    let with = check(header, "h", &parts, false);
    // The picture is missing, is in another section, or has no size.
    let without = check(header, "other", &parts, true);
    assert!(with > without + 50, "{with} {without}");
    check("<oddHeader>&amp;L&amp;G</oddHeader>", "h", &parts, true);
    check("<oddFooter>&amp;L&amp;G</oddFooter>", "h", &parts, true);
    // Damage is not a reason to refuse the workbook.
    let mut damaged = parts;
    damaged[1].1 = "<xml><v:shape id='CH'";
    check(header, "h", &damaged, true);
}

/// Checks whether a note for the PDF reports a loss in headers and footers. Returns the length of the PDF.
#[track_caller]
fn printed(name: &str, file: &[u8]) -> (bool, usize) {
    let (pdf, notes) = convert_with(name, file, "pdf", &[]).unwrap();
    let mut notes = notes.0.iter();
    let left_out = notes.any(|note| note.contains("headers and footers"));
    (left_out, pdf.len())
}

/// A record of OfficeArt (MS-ODRAW 2.2.1).
fn art(version: u16, kind: u16, content: &[u8]) -> Vec<u8> {
    let head = biff::shorts(&[version, kind]);
    [&head[..], &biff::longs(&[content.len() as u32]), content].concat()
}

/// A PNG in a picture store (2.2.27).
fn png() -> Vec<u8> {
    let mut png = Vec::new();
    image::RgbImage::from_fn(30, 10, |x, y| {
        image::Rgb([(x * 8) as u8, (y * 25) as u8, 90])
    })
    .write_to(&mut std::io::Cursor::new(&mut png), image::ImageFormat::Png)
    .unwrap();
    art(0x6e00, 0xf01e, &[&[0; 17][..], &png].concat())
}

/// An uncompressed Macintosh picture in a picture store (2.2.26).
fn pict() -> Vec<u8> {
    let pict = pict::pict();
    let len = pict.len() as u32;
    let head = biff::longs(&[len, 0, 0, 0, 0, 0, 0, len]);
    let parts = [&[0; 16][..], &head, &[0xfe, 0xfe], &pict];
    art(0x5420, 0xf01c, &parts.concat())
}

/// A picture of a header or footer in an xls (MS-XLS 2.4.138): the records of the store, in two parts, and those of the
/// sheet.
fn header_art(place: &str, blip: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let entry = art(0x62, 0xf007, &[&[0; 36][..], blip].concat());
    let store = art(0x0f, 0xf000, &art(0x1f, 0xf001, &entry));
    let name: Vec<u16> = place.encode_utf16().chain([0]).collect();
    let name = biff::shorts(&name);
    let properties = [
        &biff::shorts(&[0x4104])[..],
        &biff::longs(&[1]),
        &biff::shorts(&[0xc380]),
        &biff::longs(&[name.len() as u32]),
        &name,
    ];
    let shape = [
        art(0x23, 0xf00b, &properties.concat()),
        art(0, 0xf010, &biff::longs(&[120, 40])),
    ];
    let drawing = art(0x0f, 0xf003, &art(0x0f, 0xf004, &shape.concat()));
    let drawing = art(0x0f, 0xf002, &drawing);
    let record = |flags: u16, part: &[u8]| {
        let head = biff::shorts(&[0x866, 0, 0, 0, 0, 0, flags]);
        biff::short(0x866, &[&head[..], part].concat())
    };
    let (begin, rest) = store.split_at(60);
    (
        [record(2, begin), record(6, rest)].concat(),
        record(1, &drawing),
    )
}

#[test]
fn headers_of_an_xls_contain_pictures() {
    let codes = |codes: &str| {
        let head = [&biff::shorts(&[codes.len() as u16])[..], &[0]].concat();
        let cell = [&biff::shorts(&[0, 0, 0])[..], &1.0_f64.to_le_bytes()].concat();
        let header = biff::short(0x14, &[&head[..], codes.as_bytes()].concat());
        [header, biff::short(0x203, &cell)].concat()
    };
    let (store, drawing) = header_art("RH", &png());
    let sheet = [codes("&R&G"), drawing.clone()].concat();
    let (left_out, with) = printed("a.xls", &biff::book(&store, &sheet));
    assert!(!left_out);
    // In another section, without the store, and with a store that ends early.
    let other = [codes("&L&G"), drawing].concat();
    let (left_out, without) = printed("a.xls", &biff::book(&store, &other));
    assert!(left_out && with > without + 50, "{with} {without}");
    assert!(printed("a.xls", &biff::book(&[], &sheet)).0);
    assert!(printed("a.xls", &biff::book(&store[..78], &sheet)).0);
    let (store, drawing) = header_art("RH", &pict());
    let sheet = [codes("&R&G"), drawing].concat();
    let (left_out, drawn) = printed("a.xls", &biff::book(&store, &sheet));
    assert!(!left_out && drawn > without + 50, "{drawn} {without}");
}

#[test]
fn headers_of_an_ods_contain_pictures() {
    let frame = |width: &str| {
        format!(
            "<draw:frame svg:width='{width}' svg:height='1cm'><draw:image xlink:href='Pictures/p.svg'/></draw:frame>"
        )
    };
    let book = |odd: &str, even: &str| {
        let styles = format!(
            "{ODF_STYLES}<office:master-styles><style:master-page style:name='Default'><style:header><style:region-right><text:p>{odd}</text:p></style:region-right></style:header>{even}</style:master-page></office:master-styles></office:document-styles>"
        );
        spreadsheet(&styles, 70)
    };
    let (left_out, with) = printed("a.ods", &book(&frame("3cm"), ""));
    assert!(!left_out);
    let (_, without) = printed("a.ods", &book("", ""));
    assert!(with > without + 50, "{with} {without}");
    // The second page is an even one.
    let even = format!(
        "<style:header-left><style:region-left><text:p>{}</text:p></style:region-left></style:header-left>",
        frame("3cm")
    );
    let (left_out, with) = printed("a.ods", &book("", &even));
    assert!(!left_out && with > without + 50, "{with} {without}");
}

const ODF_STYLES: &str = "<office:document-styles xmlns:office='urn:oasis:names:tc:opendocument:xmlns:office:1.0' xmlns:style='urn:oasis:names:tc:opendocument:xmlns:style:1.0' xmlns:text='urn:oasis:names:tc:opendocument:xmlns:text:1.0' xmlns:draw='urn:oasis:names:tc:opendocument:xmlns:drawing:1.0' xmlns:svg='urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0' xmlns:xlink='http://www.w3.org/1999/xlink'>";

/// An ods with these styles, a picture, and a sheet with this many rows.
fn spreadsheet(styles: &str, rows: usize) -> Vec<u8> {
    let row = "<table:table-row><table:table-cell office:value-type='string'><text:p>seen</text:p></table:table-cell></table:table-row>";
    let content = format!(
        "<office:document-content xmlns:office='urn:oasis:names:tc:opendocument:xmlns:office:1.0' xmlns:table='urn:oasis:names:tc:opendocument:xmlns:table:1.0' xmlns:text='urn:oasis:names:tc:opendocument:xmlns:text:1.0'><office:body><office:spreadsheet><table:table table:name='A'>{}</table:table></office:spreadsheet></office:body></office:document-content>",
        row.repeat(rows)
    );
    let picture = "<svg xmlns='http://www.w3.org/2000/svg' width='30' height='10'><rect width='30' height='10' fill='#c00'/></svg>";
    Zip::default()
        .add(
            "mimetype",
            b"application/vnd.oasis.opendocument.spreadsheet",
        )
        .add("content.xml", content.as_bytes())
        .add("styles.xml", styles.as_bytes())
        .add("Pictures/p.svg", picture.as_bytes())
        .finish()
}

#[test]
fn headers_of_an_ods_are_of_all_pages_of_even_ones_and_of_the_first() {
    if !has("pdftotext") {
        return;
    }
    let region = |name: &str, words: &str| {
        format!(
            "<style:{name}><style:region-left><text:p>{words} <text:page-number>1</text:page-number></text:p></style:region-left></style:{name}>"
        )
    };
    let styles = format!(
        "{ODF_STYLES}<office:master-styles><style:master-page style:name='Default'>{}{}{}{}</style:master-page></office:master-styles></office:document-styles>",
        region("header", "odd"),
        region("header-left", "even"),
        region("header-first", "first"),
        region("footer", "foot"),
    );
    let pdf = convert("a.ods", &spreadsheet(&styles, 150), "pdf").unwrap();
    let path = directory("headers").join("a.pdf");
    fs::write(&path, pdf).unwrap();
    let ran = Command::new("pdftotext").arg(&path).arg("-").output();
    let words = text(ran.unwrap().stdout);
    let pages: Vec<&str> = words.split('\x0c').collect();
    for (page, header) in pages.iter().zip(["first", "even", "odd"]) {
        assert!(page.contains("foot"), "{header}: {page}");
        for other in ["first", "even", "odd"] {
            assert_eq!(page.contains(other), other == header, "{other}: {page}");
        }
    }
    assert!(pages.len() > 3, "{words}");
}

#[test]
fn an_ods_keeps_columns_that_are_repeated_and_texts_without_letters() {
    let cells = "<sheetData><row><c t='inlineStr'><is><t>seen</t></is></c><c t='inlineStr'><is><t></t></is></c></row></sheetData><colBreaks><brk id='5'/></colBreaks>";
    let names = "<definedName name='_xlnm.Print_Titles' localSheetId='0'>A!$B:$C</definedName><definedName name='Gone'>A!#REF!</definedName>";
    let book = workbook(names, "", cells, &[]);
    let ods = convert("a.xlsx", &book, "ods").unwrap();
    let back = convert("a.ods", &ods, "xlsx").unwrap();
    let part = |name: &str| unpacked(&back, name);
    let (book, sheet) = (part("xl/workbook.xml"), part("xl/worksheets/sheet1.xml"));
    assert!(book.contains("$B:$C"), "{book}");
    assert!(book.contains(">A!#REF!<"), "{book}");
    assert!(sheet.contains("<brk id=\"5\""), "{sheet}");
    assert!(
        sheet.contains("<c r=\"B1\" s=\"0\" t=\"inlineStr\">"),
        "{sheet}"
    );
}

/// A part of a package whose parts are all compressed.
pub(crate) fn unpacked(zip: &[u8], name: &str) -> String {
    let mut starts = zip.windows(4).enumerate();
    let entry = starts.find_map(|(at, four)| {
        let entry = zip.get(at + 30..).filter(|_| four == b"PK\x03\x04")?;
        entry.starts_with(name.as_bytes()).then_some((at, entry))
    });
    let (at, entry) = entry.unwrap_or_else(|| panic!("there is no {name}"));
    let extra = usize::from(u16::from_le_bytes([zip[at + 28], zip[at + 29]]));
    text(miniz_oxide::inflate::decompress_to_vec(&entry[name.len() + extra..]).unwrap())
}
