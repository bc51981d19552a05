//! Reads valid and damaged workbooks that are built record by record.

use super::ROW;
use crate::{
    containers::zip::{Packing, Writer},
    job::testing::with_job,
    sheet::View,
    testing::{drawn, notes},
};
use std::io::Cursor;

/// Builds a record: its type, its length and its data.
fn record(kind: u16, content: &[u8]) -> Vec<u8> {
    let mut record = match kind {
        0..128 => vec![kind as u8],
        _ => vec![kind as u8 | 0x80, (kind >> 7) as u8],
    };
    record.push(content.len() as u8);
    record.extend(content);
    record
}

fn text(text: &str) -> Vec<u8> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut bytes = (units.len() as u32).to_le_bytes().to_vec();
    bytes.extend(units.iter().flat_map(|unit| unit.to_le_bytes()));
    bytes
}

/// Builds a cell record: column, style and value.
fn cell(kind: u16, column: u32, style: u8, value: &[u8]) -> Vec<u8> {
    record(
        kind,
        &[&column.to_le_bytes(), &[style, 0, 0, 0][..], value].concat(),
    )
}

fn row(number: u32, hidden: bool) -> Vec<u8> {
    let flags = if hidden { 0x10 } else { 0 };
    record(
        0,
        &[&number.to_le_bytes()[..], &[0; 7], &[flags, 0]].concat(),
    )
}

/// Builds a font of 10 points with a weight and a palette colour.
fn font(weight: u16, colour: u8) -> Vec<u8> {
    let weight = weight.to_le_bytes();
    let head = [
        200, 0, 0, 0, weight[0], weight[1], 0, 0, 0, 0, 0, 0, 3, colour,
    ];
    record(43, &[&head[..], &[0; 7], &text("Arial")].concat())
}

/// Builds a solid fill with a colour.
fn fill(pattern: u8, [red, green, blue]: [u8; 3]) -> Vec<u8> {
    let colour = [5, 0, 0, 0, red, green, blue, 255];
    record(45, &[&[pattern, 0, 0, 0][..], &colour, &[0; 56]].concat())
}

/// Builds a workbook of one sheet from records.
fn book(sheet: &[Vec<u8>]) -> Vec<u8> {
    book_with(sheet, &[])
}

/// Builds a workbook of one sheet with additional parts.
fn book_with(sheet: &[Vec<u8>], parts: &[(&str, &str)]) -> Vec<u8> {
    let references = "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'><Relationship Id='r1' Type='x/worksheet' Target='s.bin'/><Relationship Id='r2' Type='x/sharedStrings' Target='ss.bin'/><Relationship Id='r3' Type='x/styles' Target='st.bin'/></Relationships>";
    let name = [&[0; 8][..], &text("r1"), &text("Säle")].concat();
    let styles = [
        record(44, &[&[164, 0][..], &text("yyyy-mm-dd")].concat()),
        font(400, 8),
        font(700, 2),
        fill(0, [0; 3]),
        fill(1, [0, 128, 255]),
        record(47, &[0, 0, 14, 0]),
        record(617, &[]),
        record(47, &[0; 4]),
        record(47, &[0, 0, 164, 0, 1, 0, 1, 0, 0, 0, 0, 3, 0x42, 1, 0, 0]),
        record(618, &[]),
        // Bold text on a green background.
        record(
            507,
            &[
                &[0, 128, 0, 0, 2, 0, 0x19, 0, 6, 0, 188, 2, 2, 0, 12, 0][..],
                &[5, 0, 0, 0, 0, 200, 0, 255],
            ]
            .concat(),
        ),
    ];
    let strings = record(19, &[&[0][..], &text("shared 😀")].concat());
    with_job(|job| {
        let mut output = Cursor::new(Vec::new());
        let mut zip = Writer::new(job, &mut output);
        for (name, part) in [
            ("xl/workbook.bin", record(156, &name)),
            ("xl/_rels/workbook.bin.rels", references.into()),
            ("xl/ss.bin", strings),
            ("xl/st.bin", styles.concat()),
            ("xl/s.bin", sheet.concat()),
        ] {
            zip.add(name, &part, Packing::Deflated).unwrap();
        }
        for (name, part) in parts {
            zip.add(name, part.as_bytes(), Packing::Deflated).unwrap();
        }
        zip.finish().unwrap();
        output.into_inner()
    })
}

#[test]
fn cells_have_the_types_that_the_file_states() {
    let file = book(&[
        row(1, false),
        cell(7, 0, 0, &[0; 4]),
        cell(6, 1, 0, &text("own")),
        cell(62, 2, 0, &[&[0][..], &text("rich")].concat()),
        cell(2, 3, 0, &(12_345_u32 << 2 | 3).to_le_bytes()),
        cell(5, 4, 1, &43_831.0_f64.to_le_bytes()),
        row(4, true),
        cell(1, 0, 0, &[]),
        cell(4, 1, 0, &[1]),
        cell(3, 2, 0, &[0x2a]),
        cell(8, 3, 0, &[&text("of a formula")[..], &[1, 2, 3]].concat()),
        cell(9, 4, 0, &1.5_f64.to_le_bytes()),
        record(146, &[]),
        row(0, false),
    ]);
    assert_eq!(
        drawn(ROW.open, &file).unwrap(),
        "2: shared 😀|own|rich|#123.45|@2020-01-01\n5:hidden |?TRUE|!#N/A|of a formula|#1.5\n"
    );
}

#[test]
fn cells_beyond_the_last_column_are_left_out() {
    let number = 1.5_f64.to_le_bytes();
    let file = book(&[
        row(1, false),
        cell(5, 0, 0, &number),
        cell(5, 1 << 14, 0, &number),
        cell(5, u32::MAX, 0, &number),
    ]);
    assert_eq!(drawn(ROW.open, &file).unwrap(), "2: #1.5\n");
    assert_eq!(
        notes(ROW.open, &file),
        ["2 cells were left out, because they lie beyond column XFD, the last one of a workbook."],
    );
}

#[test]
fn rows_out_of_order_are_put_in_order() {
    let file = book(&[
        row(4, false),
        cell(5, 0, 0, &4.5_f64.to_le_bytes()),
        row(1, false),
        cell(5, 0, 0, &1.5_f64.to_le_bytes()),
    ]);
    assert_eq!(drawn(ROW.open, &file).unwrap(), "2: #1.5\n5: #4.5\n");
}

#[test]
fn damaged_sheets_are_refused() {
    for sheet in [
        vec![row(1, false), cell(6, 0, 0, &[255, 255, 255, 127])],
        vec![row(1 << 20, false)],
        vec![vec![0, 200]],
    ] {
        assert!(drawn(ROW.open, &book(&sheet)).is_err(), "{sheet:?}");
    }
    let missing = book(&[row(1, false), cell(7, 0, 0, &[1, 0, 0, 0])]);
    assert_eq!(
        notes(ROW.open, &missing),
        ["A cell is empty, because its shared string is missing."]
    );
}

#[cfg(feature = "document")]
mod looks;

#[test]
fn drawings_are_found_by_their_relationships() {
    #[track_caller]
    fn check(kind: &str, expected: bool) {
        let references = format!(
            "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'><Relationship Id='d' Type='x/{kind}' Target='d.xml'/></Relationships>"
        );
        let parts = [("xl/_rels/s.bin.rels", &*references), ("xl/d.xml", "<x/>")];
        let file = book_with(&[row(0, false), record(146, &[])], &parts);
        let found = with_job(|job| {
            let mut input = Cursor::new(file);
            let mut workbook = (ROW.open)(job, &mut input, View::Exact).unwrap();
            workbook.has_drawings(0)
        });
        assert_eq!(found.unwrap(), expected, "{kind}");
    }
    check("drawing", true);
    check("comments", false);
}
