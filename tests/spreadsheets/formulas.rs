//! Workbooks whose formulas have no stored values, as libraries write them: each target shows the values that Excel
//! would compute.

use crate::{
    harness::{convert, convert_with, text},
    looks::workbook,
};

/// An invoice whose sums have not been computed.
fn invoice(more: &str) -> Vec<u8> {
    let cell = |place: &str, text: &str| {
        format!("<c r='{place}' t='inlineStr'><is><t>{text}</t></is></c>")
    };
    let number = |place: &str, number: &str| format!("<c r='{place}'><v>{number}</v></c>");
    let formula =
        |place: &str, formula: &str| format!("<c r='{place}' s='1'><f>{formula}</f><v></v></c>");
    let rows = [
        cell("A1", "Item") + &cell("B1", "Count") + &cell("C1", "Price") + &cell("D1", "Sum"),
        cell("A2", "Lamp") + &number("B2", "2") + &number("C2", "19.99") + &formula("D2", "B2*C2"),
        cell("A3", "Chair") + &number("B3", "4") + &number("C3", "49.5") + &formula("D3", "B3*C3"),
        cell("A4", "Total") + &formula("D4", "SUM(D2:D3)"),
        cell("A5", "Tax") + &formula("D5", "ROUND(D4*Rate,2)"),
    ];
    let rows: String = rows.iter().map(|row| format!("<row>{row}</row>")).collect();
    let styles = "<cellXfs><xf/><xf numFmtId='4' applyNumberFormat='1'/></cellXfs>";
    let name = "<definedName name='Rate'>0.19</definedName>";
    workbook(
        name,
        styles,
        &format!("<sheetData>{rows}{more}</sheetData>"),
        &[],
    )
}

#[test]
fn formulas_without_values_are_computed_for_every_target() {
    let file = invoice("");
    let (csv, notes) = convert_with("a.xlsx", &file, "csv", &[]).unwrap();
    let expected =
        "Item,Count,Price,Sum\nLamp,2,19.99,39.98\nChair,4,49.5,198\nTotal,,,237.98\nTax,,,45.22\n";
    assert_eq!(text(csv).replace("\r\n", "\n"), expected);
    assert!(notes.0.is_empty(), "{:?}", notes.0);
    for to in ["md", "html", "txt", "json"] {
        let found = text(convert("a.xlsx", &file, to).unwrap());
        assert!(
            found.contains("237.98") && found.contains("45.22"),
            "{to}: {found}"
        );
    }
    let pdf = convert("a.xlsx", &file, "pdf").unwrap();
    let found = text(convert("a.pdf", &pdf, "txt").unwrap());
    assert!(found.contains("237.98"), "{found}");
    // Another workbook stores the values beside the formulas.
    for to in ["xlsx", "ods"] {
        let book = convert("a.xlsx", &file, to).unwrap();
        let found = text(convert(&format!("a.{to}"), &book, "csv").unwrap());
        assert_eq!(found.replace("\r\n", "\n"), expected, "{to}");
    }
}

#[test]
fn formulas_that_cannot_be_computed_are_noted() {
    let file = invoice("<row><c r='A6'><f>TODAY()</f></c><c r='B6'><f>A6+1</f></c></row>");
    for to in ["csv", "pdf", "html", "md"] {
        let (_, notes) = convert_with("a.xlsx", &file, to, &[]).unwrap();
        let told = notes
            .0
            .iter()
            .any(|note| note.starts_with("The values of 2 formulas are missing"));
        assert!(told, "{to}: {:?}", notes.0);
    }
}

#[test]
fn numbers_with_commas_are_numbers_where_cells_have_types() {
    let file = "Item;Price;Code\nLamp;19,99;1,5 mm\nTable;1.249,50;2\n";
    let json = text(convert("a.csv", file.as_bytes(), "json").unwrap());
    assert!(json.contains("19.99") && json.contains("1249.5"), "{json}");
    assert!(json.contains("\"1,5 mm\""), "{json}");
    for to in ["jsonl", "yaml", "toml"] {
        let found = text(convert("a.csv", file.as_bytes(), to).unwrap());
        assert!(
            found.contains("1249.5") && !found.contains("19,99"),
            "{found}"
        );
    }
    let tsv = text(convert("a.csv", file.as_bytes(), "tsv").unwrap());
    assert!(tsv.contains("19,99"), "{tsv}");
}

#[test]
fn a_print_scale_of_zero_is_ignored_and_sparklines_are_noted() {
    let cells = "<sheetData><row><c t='inlineStr'><is><t>words</t></is></c></row></sheetData>";
    let sheet = |setup: &str| workbook("", "", &format!("{cells}{setup}"), &[]);
    let pdf = |setup: &str| convert_with("a.xlsx", &sheet(setup), "pdf", &[]).unwrap();
    let (usual, _) = pdf("<pageSetup/>");
    assert_eq!(pdf("<pageSetup scale='0'/>").0, usual);
    assert_ne!(pdf("<pageSetup scale='50'/>").0, usual);
    let sparklines = "<extLst><ext><g:sparklineGroups xmlns:g='http://schemas.microsoft.com/office/spreadsheetml/2009/9/main'/></ext></extLst>";
    let (_, notes) = pdf(sparklines);
    assert!(
        notes.0.iter().any(|note| note.contains("sparklines")),
        "{:?}",
        notes.0
    );
}
