//! Reads valid and damaged workbooks that are built record by record.

use super::ROW;
use crate::{
    containers::zip::{Packing, Writer},
    job::testing::with_job,
    spreadsheet::testing::drawn,
};
use std::io::Cursor;

/// A record: its number, its length and its content.
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

/// A cell: its column, its style and its value.
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

/// A workbook of one sheet with these records.
fn book(sheet: &[Vec<u8>]) -> Vec<u8> {
    let references = "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'><Relationship Id='r1' Type='x/worksheet' Target='s.bin'/><Relationship Id='r2' Type='x/sharedStrings' Target='ss.bin'/><Relationship Id='r3' Type='x/styles' Target='st.bin'/></Relationships>";
    let name = [&[0; 8][..], &text("r1"), &text("Säle")].concat();
    let styles = [
        record(44, &[&[164, 0][..], &text("yyyy-mm-dd")].concat()),
        record(47, &[0, 0, 14, 0]),
        record(617, &[]),
        record(47, &[0; 4]),
        record(47, &[0, 0, 164, 0]),
        record(618, &[]),
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
        zip.finish().unwrap();
        output.into_inner()
    })
}

#[test]
fn cells_have_the_types_that_the_file_says() {
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
fn damaged_sheets_are_refused() {
    for sheet in [
        vec![row(1, false), cell(7, 0, 0, &[1, 0, 0, 0])],
        vec![row(1, false), cell(6, 0, 0, &[255, 255, 255, 127])],
        vec![row(1, false), cell(5, u32::MAX, 0, &1.0_f64.to_le_bytes())],
        vec![row(2, false), row(1, false)],
        vec![row(1 << 20, false)],
        vec![vec![0, 200]],
    ] {
        assert!(drawn(ROW.open, &book(&sheet)).is_err(), "{sheet:?}");
    }
}
