//! What is printed beside the cells of a sheet: comments at its end, pictures in headers; and what a workbook keeps of printing, and
//! of texts without letters, on its way through an ods.

use crate::{
    harness::{convert, convert_with, text},
    looks::workbook,
};

/// One cell, and what is said about its page.
fn sheet(behind: &str) -> String {
    format!("<sheetData><row><c t='inlineStr'><is><t>seen</t></is></c></row></sheetData>{behind}")
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
    // Through an ods, too.
    let ods = convert("a.xlsx", &book, "ods").unwrap();
    let pdf = convert("a.ods", &ods, "pdf").unwrap();
    let words = text(convert("a.pdf", &pdf, "txt").unwrap());
    assert!(words.contains("Check this."), "{words}");
}

#[test]
fn pictures_stand_in_headers() {
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
        let behind =
            format!("<headerFooter>{header}</headerFooter><legacyDrawingHF r:id='{drawing}'/>");
        let book = workbook("", "", &sheet(&behind), parts);
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
    // It is not there, is in another section, or has no size.
    let without = check(header, "other", &parts, true);
    assert!(with > without + 50, "{with} {without}");
    check("<oddHeader>&amp;L&amp;G</oddHeader>", "h", &parts, true);
    check("<oddFooter>&amp;L&amp;G</oddFooter>", "h", &parts, true);
    // What is damaged is no reason to refuse the workbook.
    let mut damaged = parts;
    damaged[1].1 = "<xml><v:shape id='CH'";
    check(header, "h", &damaged, true);
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

/// A part of a package, which is packed as all of it are.
fn unpacked(zip: &[u8], name: &str) -> String {
    let mut starts = zip.windows(4).enumerate();
    let entry = starts.find_map(|(at, four)| {
        let entry = zip.get(at + 30..).filter(|_| four == b"PK\x03\x04")?;
        entry.starts_with(name.as_bytes()).then_some((at, entry))
    });
    let (at, entry) = entry.unwrap_or_else(|| panic!("there is no {name}"));
    let extra = usize::from(u16::from_le_bytes([zip[at + 28], zip[at + 29]]));
    text(miniz_oxide::inflate::decompress_to_vec(&entry[name.len() + extra..]).unwrap())
}
