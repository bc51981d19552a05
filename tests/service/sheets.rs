//! Sheets over HTTP, and their entries in `/formats`.

use crate::{harness::Server, zips::Zip};

#[test]
fn a_table_survives_a_round_trip_through_a_workbook() {
    let server = Server::start();
    let csv = b"name;amount\nM\xfcller;1,50\n";
    let to_book = server.convert(csv, "table.csv", "xlsx");
    assert_eq!(to_book.status, 200, "{to_book:?}");
    let book = server.get(&to_book.data("download_url"));
    assert_eq!(
        book.field("content-type"),
        Some("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
    );
    let back = server.convert(&book.body, "table", "csv");
    assert_eq!(back.status, 200, "{back:?}");
    let table = server.get(&back.data("download_url"));
    // In a file with semicolons, the decimal separator is a comma.
    assert_eq!(*table.body, *"name,amount\r\nMüller,1.50\r\n".as_bytes());
    assert_eq!(table.field("content-type"), Some("text/csv; charset=utf-8"));
}

#[test]
fn a_damaged_workbook_is_a_client_error() {
    let server = Server::start();
    let answer = server.convert(b"PK\x03\x04 and no more", "table.ods", "csv");
    assert_eq!(answer.status, 400, "{answer:?}");
}

/// A note names each file that is left out of an archive. Even if the names are very long, the notes do not exceed the
/// limit of a child's message. The last note states the number of the remaining files, and the child survives.
#[test]
fn notes_with_many_long_names_are_shortened() {
    let mut server = Server::with("--converters 1").start();
    let before = server.process().children();
    let mut archive = Zip::default().stored("good.tsv", b"a\tb\n");
    for number in 0..400 {
        let name = format!("{}{number}.xlsx", "漢".repeat(80));
        archive = archive.stored(&name, b"PK\x03\x04 and no more");
    }
    let answer = server.convert(&archive.finish(), "many.zip", "csv");
    assert_eq!(answer.status, 200, "{answer:?}");
    let record = answer.json();
    let notes = record["data"]["notes"].as_array().unwrap();
    let all: usize = notes.iter().map(|note| note.to_string().len()).sum();
    assert!(all < 32 << 10, "{all} bytes");
    let last = notes.last().unwrap().to_string();
    assert!(last.contains("more"), "{last}");
    assert_eq!(server.process().children(), before);
}
