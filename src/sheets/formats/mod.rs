//! Spreadsheet formats, one folder each. A new format needs a folder and a line here. Contains no code of its own.

mod csv;
pub(crate) mod json;
mod numbers;
mod ods;
mod toml;
mod xls;
mod xlsb;
mod xlsx;
mod xml;
mod yaml;

use super::row::Row;

/// All formats, in the order of `/formats`. The first one that recognises a file is taken.
pub(crate) static ROWS: &[&Row] = &[
    &xlsx::ROW,
    &ods::ROW,
    // Recognised by file name only. Precedes CSV, because a YAML list in brackets could be mistaken for it.
    &yaml::ROW,
    &toml::ROW,
    &csv::ROW,
    &csv::TABS,
    &json::LINES,
    &json::ROW,
    &xlsb::ROW,
    &xls::ROW,
    &numbers::ROW,
    // Follows `xls`, because workbooks of Excel 2003 are XML, too.
    &xml::ROW,
];
