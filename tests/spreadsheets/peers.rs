//! What openpyxl reads in workbooks that are written here.

use crate::harness::{convert, data, directory, lacking};
use std::{fs, process::Command};

/// Prints the cells of all sheets that hold something, with their types and formats.
const SCRIPT: &str = "
import sys, openpyxl
book = openpyxl.load_workbook(sys.argv[1])
for sheet in book.worksheets:
    print('=', sheet.title, sheet.sheet_state)
    for row in sheet.iter_rows():
        for cell in row:
            if cell.value is not None:
                print(cell.coordinate, cell.data_type, repr(cell.value), cell.number_format)
        if sheet.row_dimensions[row[0].row].hidden:
            print('hidden', row[0].row)
";

/// What openpyxl says of a workbook; `None` where it is missing.
fn seen(name: &str, book: &[u8]) -> Option<String> {
    let version = Command::new("python3")
        .args(["-c", "import openpyxl"])
        .output();
    if !version.is_ok_and(|output| output.status.success()) {
        lacking("openpyxl");
        return None;
    }
    let at = directory(name);
    let file = at.join("book.xlsx");
    fs::write(&file, book).unwrap();
    let output = Command::new("python3")
        .arg("-c")
        .arg(SCRIPT)
        .arg(&file)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    fs::remove_dir_all(at).unwrap();
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn openpyxl_reads_what_is_written() {
    let csv = "007,1.50,15.5%,1.5E-10\n2020-02-29,2020-02-29T13:20:00,13:20:00,TRUE\n=1+1,1234567890123456,\" a\nb \"\n";
    let book = convert("a.csv", csv.as_bytes(), "xlsx").unwrap();
    let Some(seen) = seen("csv", &book) else {
        return;
    };
    assert_eq!(
        seen.lines().collect::<Vec<_>>(),
        [
            "= Sheet1 visible",
            "A1 s '007' General",
            "B1 n 1.5 0.00",
            "C1 n 0.155 0.0%",
            "D1 n 1.5e-10 0.0E+00",
            "A2 d datetime.datetime(2020, 2, 29, 0, 0) yyyy\\-mm\\-dd",
            "B2 d datetime.datetime(2020, 2, 29, 13, 20) yyyy\\-mm\\-dd\\ hh:mm:ss",
            "C2 d datetime.time(13, 20) hh:mm:ss",
            "D2 b True General",
            "A3 s '=1+1' General",
            "B3 s '1234567890123456' General",
            "C3 s ' a\\nb ' General",
        ]
    );
}

#[test]
fn openpyxl_reads_all_sheets_of_a_workbook() {
    let book = convert("book.ods", &data("book.ods"), "xlsx").unwrap();
    let Some(seen) = seen("book", &book) else {
        return;
    };
    for line in [
        "= Table visible",
        "C2 d datetime.datetime(2020, 1, 31, 0, 0) yyyy\\-mm\\-dd",
        "A5 s '007' General",
        "D6 e '#N/A' General",
        "C6 d datetime.timedelta(days=1, seconds=21600) [h]:mm:ss",
        "hidden 8",
        "= Другой & <лист> visible",
        "= Secret hidden",
        "A1 s 'secret' General",
    ] {
        assert!(
            seen.lines().any(|known| known == line),
            "{line} is not in {seen}"
        );
    }
}
