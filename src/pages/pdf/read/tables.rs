//! The tables of a PDF as rows of text, for sheets. Decides nothing about numbers.

use super::{documents::Reader, file, text::blocks};
use crate::{
    error::Result,
    format::Format,
    job::{Input, Job, Notes},
};

/// A table of a file.
pub struct Table {
    /// The number of the page that it begins on, from 1.
    pub page: usize,
    /// The texts of its rows, with their columns, from 0.
    pub rows: Vec<Vec<(u32, String)>>,
}

/// The tables of a file, in reading order, and the language that it says it is in.
///
/// Errors: as those of a conversion to a document.
pub fn read(
    job: &Job<'_>,
    input: &mut dyn Input,
    notes: &mut Notes,
) -> Result<(Vec<Table>, Option<String>)> {
    let pdf = file::open(job, input, notes)?;
    let mut reader = Reader::new(job, &pdf)?;
    let (pages, _lease) = reader.pages(notes)?;
    let tables = blocks::tables(pages, notes);
    let tables = tables.iter().map(|(page, table)| Table {
        page: *page,
        rows: table.texts(),
    });
    let language = file::language(&pdf);
    Ok((tables.collect(), language))
}

/// The format that is read.
pub fn format() -> &'static Format {
    file::format()
}
