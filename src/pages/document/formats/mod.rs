//! The document formats, one folder each. A new format needs a folder and a line here. Contains no code of its own.

mod doc;
mod docx;
pub(crate) mod epub;
pub(super) mod html;
mod ipynb;
mod md;
mod odt;
pub(crate) mod pdf;
mod rtf;
mod txt;

use convertd_tree::row::Row;

/// Every format, in the order in which `/formats` lists them.
pub(crate) static ROWS: &[&Row] = &[
    &md::ROW,
    &html::ROW,
    &docx::ROW,
    &doc::ROW,
    &odt::ROW,
    &odt::FLAT,
    &rtf::ROW,
    &txt::ROW,
    &epub::ROW,
    &ipynb::ROW,
    &pdf::ROW,
];
