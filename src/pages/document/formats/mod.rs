//! The list of the document formats. Each format that this package reads or writes itself has a module here. Contains
//! no code of its own.

mod book;
pub(crate) mod docling;
mod docx;
pub(crate) mod epub;
mod fb2;
pub(super) mod html;
mod ipynb;
mod md;
pub(crate) mod mobi;
mod saved_page;
mod txt;

use convertd_tree::row::Row;

/// All formats that `/formats` lists, in its order.
pub(crate) static ROWS: &[&Row] = &[
    &md::ROW,
    &html::ROW,
    &docx::ROW,
    &convertd_words::doc::ROW,
    &convertd_words::odt::ROW,
    &convertd_words::odt::FLAT,
    &convertd_words::rtf::ROW,
    &convertd_words::hwpx::ROW,
    &convertd_words::pages::ROW,
    &txt::ROW,
    &epub::ROW,
    &fb2::ROW,
    &mobi::ROW,
    &ipynb::ROW,
    &convertd_pdfwrite::document::ROW,
];

/// Formats that are written for other parts of the program, and that no list shows.
pub(super) static INTERNAL: &[&Row] = &[&docling::ROW];
