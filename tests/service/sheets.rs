//! Sheets through HTTP, and what `/formats` says of them.

use crate::harness::Server;

#[test]
fn a_table_goes_to_a_workbook_and_back() {
    let server = Server::start();
    let csv = b"name;amount\nM\xfcller;1,50\n";
    let there = server.convert(csv, "table.csv", "xlsx");
    assert_eq!(there.status, 200, "{there:?}");
    let book = server.get(&there.data("download_url"));
    assert_eq!(
        book.field("content-type"),
        Some("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
    );
    let back = server.convert(&book.body, "table", "csv");
    assert_eq!(back.status, 200, "{back:?}");
    let table = server.get(&back.data("download_url"));
    assert_eq!(
        *table.body,
        *"name,amount\r\nMüller,\"1,50\"\r\n".as_bytes()
    );
    assert_eq!(table.field("content-type"), Some("text/csv; charset=utf-8"));
}

#[test]
fn a_damaged_workbook_is_the_fault_of_its_sender() {
    let server = Server::start();
    let answer = server.convert(b"PK\x03\x04 and no more", "table.ods", "csv");
    assert_eq!(answer.status, 400, "{answer:?}");
}
