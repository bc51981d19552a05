//! Reads Rich Text Format. Decides nothing about single paragraphs.

mod borders;
mod definitions;
mod dimensions;
mod frame;
mod frames;
mod groups;
mod header;
mod labels;
mod margin;
mod margins;
mod notes;
mod paged;
mod paragraphs;
mod pictures;
mod reader;
mod shapes;
mod sketch;
mod state;
mod tables;
mod text;
mod tokens;
mod words;

#[cfg(test)]
mod tests;

use crate::{
    error::{Error, Kind, Result},
    job::{Input, Job, Notes},
};
use convertd_tree::{Document, input};
use reader::RtfReader;

/// Reads a document.
///
/// Errors: [`Kind::BadInput`] if the file does not begin like RTF.
pub(super) fn read(job: &Job<'_>, input: &mut dyn Input, notes: &mut Notes) -> Result<Document> {
    // Memory as a multiple of the file: its bytes, the text of a group, pictures in hexadecimal, and the geometry of
    // tables.
    const TIMES: u64 = 8;
    let (file, _lease) = input::read_all(job, input, TIMES)?;
    if !file.trim_ascii_start().starts_with(b"{\\rtf") {
        return Err(Error::new(
            Kind::BadInput,
            "the file is not a readable rtf: it does not begin with {\\rtf",
        ));
    }
    let mut reader = RtfReader::new(job, &file)?;
    let rows: usize = reader.rows.iter().map(Vec::len).sum();
    let rows = (rows * size_of::<shapes::Row>()) as u64;
    reader.story.hold((1 << 20) + rows)?;
    if !reader.document()? {
        notes.add("The file is cut off; everything before the cut was converted.");
    }
    reader.story.finish(notes)
}
