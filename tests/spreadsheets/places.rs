//! Cells at unusual positions: rows out of order, columns beyond the last one, text in an attribute, long runs of
//! spaces. Every target has the same cells, and the same notes about missing ones. Also the sheets in documents, each
//! under its name.

use crate::{
    bad::{MAIN, RELATIONS, Zip},
    harness::{convert, convert_with, text},
    looks::workbook,
};

/// Targets of a workbook: tables, texts, documents and workbooks.
const TARGETS: [&str; 9] = [
    "csv", "tsv", "json", "md", "txt", "html", "docx", "xlsx", "ods",
];

/// The words of a result in any format.
#[track_caller]
fn words(name: &str, file: &[u8], to: &str) -> (Vec<String>, Vec<String>) {
    let (made, notes) = convert_with(name, file, to, &[]).unwrap();
    let name = format!("a.{to}");
    let plain = match to {
        "csv" | "tsv" | "md" | "txt" => text(made),
        "json" => text(made),
        "xlsx" | "ods" => text(convert(&name, &made, "csv").unwrap()),
        _ => text(convert(&name, &made, "txt").unwrap()),
    };
    let is_word = |c: char| c.is_alphanumeric();
    let words = plain.split(|c| !is_word(c)).filter(|word| !word.is_empty());
    (words.map(str::to_owned).collect(), notes.0)
}

fn cell(place: &str, text: &str) -> String {
    format!("<c r='{place}' t='inlineStr'><is><t>{text}</t></is></c>")
}

#[test]
fn rows_out_of_order_are_sorted_in_every_target() {
    let row = |number: u32, cells: &[(&str, &str)]| {
        let cells = cells
            .iter()
            .map(|(column, text)| cell(&format!("{column}{number}"), text));
        format!("<row r='{number}'>{}</row>", cells.collect::<String>())
    };
    let rows = [
        row(4, &[("A", "four")]),
        row(1, &[("B", "one"), ("A", "zero")]),
        row(3, &[("A", "three")]),
        // A second row of the same number: existing cells are kept.
        row(1, &[("A", "never"), ("C", "two")]),
    ];
    let sheet = format!("<sheetData>{}</sheetData>", rows.concat());
    let file = workbook("", "", &sheet, &[]);
    // In JSON, the names of the fields are repeated in every object.
    for to in TARGETS.into_iter().filter(|to| *to != "json") {
        let (found, _) = words("a.xlsx", &file, to);
        let mut wanted = ["zero", "one", "two", "three", "four"].iter();
        let mut next = wanted.next();
        for word in &found {
            assert_ne!(word, "never", "{to}");
            if Some(&word.as_str()) == next {
                next = wanted.next();
            }
        }
        assert_eq!(next, None, "{to}: {found:?}");
    }
    assert_eq!(
        text(convert("a.xlsx", &file, "csv").unwrap()),
        "zero,one,two\r\n,,\r\nthree,,\r\nfour,,\r\n"
    );
}

#[test]
fn output_before_a_late_row_is_discarded() {
    // The long row comes first in the file; row 1 comes last, and has the names of the fields.
    let sheet = format!(
        "<sheetData><row r='2'>{}</row><row r='3'>{}</row><row r='1'>{}</row></sheetData>",
        cell("A2", &"long".repeat(50_000)),
        cell("A3", "x"),
        cell("A1", "k"),
    );
    let made = text(convert("a.xlsx", &workbook("", "", &sheet, &[]), "json").unwrap());
    assert!(made.ends_with("\"},\n{\"k\":\"x\"}\n]\n"), "{:.80}", made);
    assert_eq!(made.matches("long").count(), 50_000);
}

#[test]
fn cells_beyond_the_last_column_are_missed_in_every_target() {
    let sheet = format!(
        "<sheetData><row r='1'>{}{}</row><row r='2'>{}</row></sheetData>",
        cell("A1", "here"),
        cell("XFE1", "there"),
        cell("A2", "below"),
    );
    let file = workbook("", "", &sheet, &[]);
    for to in TARGETS.into_iter().chain(["pdf"]) {
        let (found, notes) = words("a.xlsx", &file, to);
        assert!(
            found.contains(&"here".into()) && !found.contains(&"there".into()),
            "{to}"
        );
        let told =
            "A cell was left out, because it lies beyond column XFD, the last one of a workbook.";
        assert!(notes.iter().any(|note| note == told), "{to}: {notes:?}");
    }
    let row = "<table:table-row><table:table-cell table:number-columns-repeated='16384'/><table:table-cell office:value-type='string'><text:p>there</text:p></table:table-cell></table:table-row>";
    let file = ods(&format!(
        "{row}<table:table-row><table:table-cell office:value-type='string'><text:p>here</text:p></table:table-cell></table:table-row>"
    ));
    for to in TARGETS.into_iter().chain(["pdf"]) {
        let (found, notes) = words("a.ods", &file, to);
        assert!(!found.contains(&"there".into()), "{to}");
        assert!(
            to == "json" || found.contains(&"here".into()),
            "{to}: {found:?}"
        );
        assert!(
            notes.iter().any(|note| note.contains("XFD")),
            "{to}: {notes:?}"
        );
    }
}

#[test]
fn a_row_beyond_the_last_one_is_refused_in_every_target() {
    let sheet = format!(
        "<sheetData><row r='1'>{}</row><row r='1048577'>{}</row></sheetData>",
        cell("A1", "here"),
        cell("A1048577", "there"),
    );
    let cell =
        "<table:table-cell office:value-type='string'><text:p>there</text:p></table:table-cell>";
    let rows = format!(
        "<table:table-row>{cell}</table:table-row><table:table-row table:number-rows-repeated='1048575'><table:table-cell/></table:table-row><table:table-row>{cell}</table:table-row>"
    );
    let xml = "<?xml version='1.0'?><?mso-application progid='Excel.Sheet'?><Workbook xmlns='urn:schemas-microsoft-com:office:spreadsheet' xmlns:ss='urn:schemas-microsoft-com:office:spreadsheet'><Worksheet ss:Name='S'><Table><Row ss:Index='1048577'><Cell><Data ss:Type='String'>there</Data></Cell></Row></Table></Worksheet></Workbook>";
    for (name, file) in [
        ("a.xlsx", workbook("", "", &sheet, &[])),
        ("a.ods", ods(&rows)),
        ("a.xls", xml.into()),
    ] {
        for to in TARGETS.into_iter().chain(["pdf"]) {
            let refused = convert(name, &file, to).unwrap_err();
            assert!(
                refused.message().contains("1,048,576 rows"),
                "{name}, {to}: {refused:?}"
            );
        }
    }
    // A row without values is no loss.
    let styled = "<table:table-row table:number-rows-repeated='1048577'><table:table-cell/></table:table-row>";
    for to in TARGETS.into_iter().chain(["pdf"]) {
        let file = ods(&format!(
            "<table:table-row>{cell}</table:table-row>{styled}"
        ));
        assert!(convert("a.ods", &file, to).is_ok(), "{to}");
    }
}

fn ods(rows: &str) -> Vec<u8> {
    let content = format!(
        "<office:document-content xmlns:office='urn:oasis:names:tc:opendocument:xmlns:office:1.0' xmlns:table='urn:oasis:names:tc:opendocument:xmlns:table:1.0' xmlns:text='urn:oasis:names:tc:opendocument:xmlns:text:1.0'><office:body><office:spreadsheet><table:table table:name='S'>{rows}</table:table></office:spreadsheet></office:body></office:document-content>"
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
fn text_in_an_attribute_is_the_text_of_an_ods_cell_in_every_target() {
    let file = ods(
        "<table:table-row><table:table-cell office:value-type='string' office:string-value='stated'/><table:table-cell office:value-type='string' office:string-value='hidden'><text:p>shown</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell office:value-type='float' office:value='odd'/></table:table-row>",
    );
    for to in TARGETS.into_iter().chain(["pdf"]) {
        let (found, _) = words("a.ods", &file, to);
        for (word, there) in [
            ("stated", true),
            ("shown", true),
            ("hidden", false),
            ("odd", true),
        ] {
            assert_eq!(found.contains(&word.to_owned()), there, "{to}: {found:?}");
        }
    }
}

#[test]
fn long_runs_of_spaces_are_in_every_workbook() {
    let file = ods(
        "<table:table-row><table:table-cell office:value-type='string'><text:p>a<text:s text:c='1000'/>b</text:p></table:table-cell></table:table-row>",
    );
    let expected = format!("a{}b", " ".repeat(1000));
    for to in ["csv", "tsv", "xlsx", "ods"] {
        let made = convert("a.ods", &file, to).unwrap();
        let made = match to {
            "xlsx" | "ods" => convert(&format!("a.{to}"), &made, "csv").unwrap(),
            _ => made,
        };
        assert_eq!(text(made).trim_end(), expected, "{to}");
    }
}

/// A workbook with three sheets of one cell each. The second sheet is hidden.
fn sheets() -> Vec<u8> {
    let names = ["First", "Secret", "Last & least"];
    let mut zip = Zip::default().add("[Content_Types].xml", b"<Types/>");
    let (mut list, mut references) = (String::new(), RELATIONS.to_owned());
    for (number, name) in names.iter().enumerate() {
        let state = if number == 1 { " state='hidden'" } else { "" };
        let name = name.replace('&', "&amp;");
        list += &format!("<sheet name='{name}' id='r{number}'{state}/>");
        references +=
            &format!("<Relationship Id='r{number}' Type='x/worksheet' Target='s{number}.xml'/>");
        let sheet = format!(
            "<worksheet xmlns='{MAIN}'><sheetData><row r='1'>{}</row></sheetData></worksheet>",
            cell("A1", &format!("cell{number}"))
        );
        zip = zip.add(&format!("xl/s{number}.xml"), sheet.as_bytes());
    }
    let workbook = format!("<workbook xmlns='{MAIN}'><sheets>{list}</sheets></workbook>");
    references += "</Relationships>";
    zip.add("xl/workbook.xml", workbook.as_bytes())
        .add("xl/_rels/workbook.xml.rels", references.as_bytes())
        .finish()
}

#[test]
fn documents_have_all_visible_sheets_under_their_names() {
    let file = sheets();
    for to in ["md", "txt", "html", "docx"] {
        let (found, notes) = words("a.xlsx", &file, to);
        let at = |word: &str| found.iter().position(|found| found == word);
        let places = ["First", "cell0", "least", "cell2"].map(at);
        assert!(places.iter().all(Option::is_some), "{to}: {found:?}");
        assert!(places.is_sorted(), "{to}: {found:?}");
        assert_eq!(at("cell1"), None, "{to}");
        let told = "A hidden sheet was left out; choose it with the option sheet.";
        assert_eq!(notes, [told], "{to}");
    }
    let made = text(convert("a.xlsx", &file, "md").unwrap());
    assert!(made.contains("# First\n\n| cell0 |"), "{made}");
    assert!(made.contains("# Last & least\n\n| cell2 |"), "{made}");
    // A selected sheet is converted alone, even if it is hidden.
    let (made, notes) = convert_with("a.xlsx", &file, "md", &[("sheet", "Secret")]).unwrap();
    let made = text(made);
    assert!(
        made.contains("cell1") && !made.contains("cell0") && !made.contains('#'),
        "{made}"
    );
    assert!(notes.0.is_empty(), "{notes:?}");
}
