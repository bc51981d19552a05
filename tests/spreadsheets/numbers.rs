//! Documents of Apple's Numbers, built part by part. For files that Numbers itself wrote, `tests/corpora/iwork.py`
//! compares the result with the output of `numbers-parser`.

use crate::{
    harness::{convert, convert_with, counted, text},
    iwa::{Message, cell, chunk, document, numbers, objects, table},
    zips::Zip,
};

/// Digits and exponent as a decimal number of sixteen bytes.
fn decimal(digits: u128, exponent: i32, is_negative: bool) -> [u8; 16] {
    let bits = digits | ((exponent + 6176) as u128) << 113 | u128::from(is_negative) << 127;
    bits.to_le_bytes()
}

/// Cells of all types in two rows.
fn cells() -> Vec<(u64, u64, Message)> {
    let rows = [
        vec![
            cell(3, 8, &1_u32.to_le_bytes()),
            cell(2, 1, &decimal(1234, -2, true)),
            Vec::new(),
            cell(6, 2, &1_f64.to_le_bytes()),
            cell(7, 2, &5400_f64.to_le_bytes()),
        ],
        vec![
            // One second after noon on 2 January 2001, and the midnight at the beginning of that day.
            cell(5, 4, &(86_400.0 + 43_201.0_f64).to_le_bytes()),
            cell(5, 4, &86_400.0_f64.to_le_bytes()),
            cell(10, 1, &decimal(5, 0, false)),
            cell(8, 0, &[]),
            cell(9, 16, &7_u32.to_le_bytes()),
        ],
    ];
    let mut all = table(&["none", "a \"word\""], &rows);
    let entry = Message::default().number(1, 7).refers(9, 8);
    all.push((7, 6005, Message::default().message(3, &entry)));
    all.push((8, 6218, Message::default().refers(1, 9)));
    all.push((
        9,
        2001,
        Message::default().bytes(3, "two\u{2028}lines".as_bytes()),
    ));
    // Field 17 of the store is the list of texts with character styles.
    let store = Message::default()
        .message(
            3,
            &Message::default().message(1, &Message::default().refers(2, 6)),
        )
        .refers(4, 5)
        .refers(17, 7);
    all[3].2 = Message::default()
        .message(4, &store)
        .number(7, 5)
        .bytes(8, b"Table 1");
    all
}

#[test]
fn cells_of_all_types_are_read() {
    let file = document(&chunk(&objects(&cells())));
    let (csv, notes) = convert_with("a.numbers", &file, "csv", &[]).unwrap();
    assert_eq!(
        text(csv.clone()).lines().collect::<Vec<_>>(),
        [
            "\"a \"\"word\"\"\",-12.34,,TRUE,1:30:00",
            "2001-01-02T12:00:01,2001-01-02,5,#ERROR!,\"two",
            "lines\"",
        ]
    );
    assert!(
        notes
            .0
            .iter()
            .any(|note| note.contains("values of the tables")),
        "{notes:?}"
    );
    for to in ["xlsx", "ods", "json", "html", "pdf"] {
        convert("a.numbers", &file, to).unwrap_or_else(|err| panic!("{to}: {}", err.message()));
    }
}

#[test]
fn objects_may_be_in_an_archive_in_the_archive() {
    let inner = numbers(&[&["apples", "pears"]]);
    let file = Zip::default().packed("Index.zip", &inner).finish();
    assert_eq!(
        text(convert("a.numbers", &file, "csv").unwrap()).trim(),
        "apples,pears"
    );
}

#[test]
fn each_table_is_a_sheet() {
    let mut all = table(&["one"], &[vec![cell(3, 8, &0_u32.to_le_bytes())]]);
    all[1].2 = Message::default()
        .bytes(1, b"Sheet 1")
        .refers(2, 3)
        .refers(2, 3);
    let file = document(&chunk(&objects(&all)));
    let page = text(convert("a.numbers", &file, "html").unwrap());
    assert_eq!(page.matches(">Sheet 1 - Table 1</h1>").count(), 2, "{page}");
}

#[test]
fn damaged_documents_are_refused_or_read_in_part() {
    #[track_caller]
    fn refused(file: &[u8], words: &str) {
        let err = convert("a.numbers", &document(file), "csv").unwrap_err();
        assert!(err.message().contains(words), "{}", err.message());
    }
    let whole = objects(&cells());
    let packed = chunk(&whole);
    refused(&packed[..packed.len() - 3], "cut off");
    refused(&chunk(&whole[..whole.len() - 3]), "an object is cut off");
    refused(
        b"\0\x06\0\0\xff\xff\xff\xff\x0fa",
        "states an impossible size",
    );
    refused(
        b"\0\x03\0\0\x05\x09\x00",
        "a compressed chunk (Snappy) is damaged",
    );
    refused(b"", "no file in it");
    refused(&chunk(&objects(&cells()[1..])), "its root object");
    refused(&chunk(&objects(&cells()[..2])), "no table");
    // Objects that refer to themselves. They have the wrong type, so no table is found in them.
    let circle = |number| {
        (
            number,
            2,
            Message::default().refers(1, number).refers(2, number),
        )
    };
    refused(&chunk(&objects(&[circle(1), circle(2)])), "no table");
    // A cell that ends too early.
    let mut all = table(
        &["one"],
        &[vec![vec![5, 2, 0], cell(3, 8, &0_u32.to_le_bytes())]],
    );
    all[5].2 = all[5].2.clone();
    let (csv, notes) =
        convert_with("a.numbers", &document(&chunk(&objects(&all))), "csv", &[]).unwrap();
    assert!(text(csv.clone()).contains("one"), "{}", text(csv.clone()));
    assert!(
        notes
            .0
            .iter()
            .any(|note| note.contains("could not be read")),
        "{notes:?}"
    );
}

#[test]
fn the_deadline_is_checked_for_each_cell() {
    let steps = |columns: usize| {
        let cells = vec![cell(3, 8, &0_u32.to_le_bytes()); columns];
        let file = document(&chunk(&objects(&table(&["a"], &[cells]))));
        counted("a.numbers", &file, "csv").steps
    };
    assert!(steps(501) >= steps(1) + 500);
}
