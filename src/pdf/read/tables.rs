//! Tables of a PDF as rows of text, for spreadsheets. Does not interpret numbers.

use super::{file, page_reader::PageReader, text::blocks};
use crate::{
    error::Result,
    format::Format,
    job::{Input, Job, Notes},
};

/// A table of a file as text.
pub struct Table {
    /// Number of the page on which the table begins, from 1.
    pub page: usize,
    /// Cells of each row: the column of the cell, from 0, and its text.
    pub rows: Vec<Vec<(u32, String)>>,
}

/// Finds the tables of a file in reading order. Returns them with the language of the file.
///
/// Errors: those of a conversion to a document.
pub fn read(
    job: &Job<'_>,
    input: &mut dyn Input,
    notes: &mut Notes,
) -> Result<(Vec<Table>, Option<String>)> {
    let pdf = file::open(job, input, notes)?;
    let mut reader = PageReader::new(job, &pdf)?;
    let (pages, _lease) = reader.pages(notes)?;
    // The pages are read as for a document; only their tables are used.
    let tables = blocks::tables(pages, notes);
    let tables = tables.iter().map(|(page, table)| Table {
        page: *page,
        rows: table.texts(),
    });
    let language = file::language(&pdf);
    Ok((tables.collect(), language))
}

/// The format PDF.
pub fn format() -> &'static Format {
    file::format()
}
