//! The spreadsheet formats, one folder each. A new format needs a folder and a line here. Contains no code of its own.

mod csv;
pub(crate) mod json;
mod ods;
mod toml;
mod xls;
mod xlsb;
mod xlsx;
mod yaml;

use super::row::Row;

/// Every format, in the order in which `/formats` lists them.
pub(crate) static ROWS: &[&Row] = &[
    &xlsx::ROW,
    &ods::ROW,
    // Their names decide, and a list of them in brackets looks like csv.
    &yaml::ROW,
    &toml::ROW,
    &csv::ROW,
    &csv::TABS,
    &json::LINES,
    &json::ROW,
    &xlsb::ROW,
    &xls::ROW,
];
