//! The spreadsheet formats, one folder each. A new format needs a folder and a line here. Contains no code of its own.

mod csv;
mod json;
mod ods;
mod xls;
mod xlsb;
mod xlsx;

use super::row::Row;

/// Every format, in the order in which `/formats` lists them.
pub(crate) static ROWS: &[&Row] = &[
    &xlsx::ROW,
    &ods::ROW,
    &csv::ROW,
    &csv::TABS,
    &json::LINES,
    &json::ROW,
    &xlsb::ROW,
    &xls::ROW,
];
