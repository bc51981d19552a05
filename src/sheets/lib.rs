//! Converts sheets: rows of cells with numbers, dates and text. Formulas are computed only if the file does not store
//! their values.
//!
//! ```text
//! formats/<format>/read ──► Cells, one row at a time ──► formats/<format>/write
//! ```
//! A reader hands row after row to a writer, so that memory does not depend on the number of rows. `calamine` and
//! `rust_xlsxwriter`, which do the same for whole workbooks, were measured: they make the program 2 MB larger, hold
//! every cell in memory (75 MiB for 500,000), and `calamine` asks for 550 GB when a file has a cell in the last corner
//! of a sheet.
//!
//! Never: replacing a stored value; a whole workbook in memory if its rows can be streamed; writing of PDF
//! (`pdf_writer`, `hayro`).

mod biff;
mod cells;
mod convert;
mod data;
mod format_names;
mod formats;
#[cfg(feature = "document")]
mod html;
mod json;
mod meaning;
mod number;
mod ooxml;
mod options;
mod ordered;
mod packed;
#[cfg(feature = "document")]
mod pages;
#[cfg(feature = "pdf")]
mod pdf;
mod row;
#[cfg(feature = "document")]
mod separators;
mod sheet;
#[cfg(feature = "document")]
mod shown;
mod stored;
mod stream;
#[cfg(test)]
mod testing;
mod types;
mod worksheet;

use crate::job::{Converter, Pair};
use convertd_office::{number_format, time};
use formats::ROWS;

// Modules of other packages under short names.
#[cfg(feature = "document")]
pub(crate) use convertd_core::fonts;
pub(crate) use convertd_core::{coding, containers, error, format, job, numbered};

/// Converter for the category "spreadsheet".
pub static CONVERTER: Converter = Converter {
    name: "spreadsheet",
    formats: || ROWS.iter().map(|row| &row.format).collect(),
    pairs,
    recognise: |head, input, extension| {
        let mut rows = ROWS.iter();
        rows.find(|row| (row.recognise)(head, input, extension))
            .map(|row| &row.format)
    },
    convert: convert::convert,
};

/// All conversions of this package: between formats of sheets, and to and from formats of other packages.
fn pairs() -> Vec<Pair> {
    let mut pairs = Vec::new();
    #[cfg(feature = "pdf")]
    pairs.extend(pdf::pairs());
    #[cfg(feature = "document")]
    pairs.extend(html::pairs());
    for from in ROWS {
        pairs.extend(ROWS.iter().filter_map(|to| {
            let target = to.write.as_ref()?;
            Some(Pair {
                from: &from.format,
                to: &to.format,
                quality: target.quality,
                options: match data::is_pair(&from.format, &to.format) {
                    true => &[],
                    false => target.options,
                },
            })
        }));
        #[cfg(feature = "document")]
        pairs.extend(pages::pairs(&from.format));
    }
    pairs
}
