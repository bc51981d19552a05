//! Reads Rich Text.

mod characters;
mod definitions;
mod header;
mod paragraphs;
mod pictures;
mod reader;
mod shapes;
mod state;
mod story;
mod tables;
mod tokens;
mod words;

#[cfg(test)]
mod tests;

use crate::{
    document::{
        input,
        tree::{Builder, Document},
    },
    error::{Error, Kind, Result},
    job::{Input, Job, Notes},
};
use reader::Reader;

/// Reads a document.
///
/// Errors: [`Kind::BadInput`] for what does not begin as one, or ends in the middle of a group.
pub(super) fn read(job: &Job<'_>, input: &mut dyn Input, notes: &mut Notes) -> Result<Document> {
    // The bytes, the text of a group, pictures written in digits, the shapes of tables.
    const TIMES: u64 = 8;
    let file = input::read_all(job, input, TIMES)?;
    if !file.trim_ascii_start().starts_with(b"{\\rtf") {
        return Err(Error::new(
            Kind::BadInput,
            "the file is not a readable rtf: it does not begin with {\\rtf",
        ));
    }
    let mut build = Builder::new(job);
    build.own_memory(TIMES * job.input_len + (1 << 20))?;
    let mut reader = Reader::new(job, &file)?;
    reader.document(&mut build)?;
    build.finish(notes)
}
