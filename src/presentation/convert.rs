//! Runs a conversion of a presentation: opens the file, and hands its slides to what the target needs. Knows no format.

use super::{formats::ROWS, outline, row::Row};
use crate::{
    document,
    error::{Error, Result},
    format::Format,
    job::{Input, Job, Notes, Output},
};

/// Converts a file.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) for a file that is damaged or encrypted; and the errors of the
/// job's gate.
pub(crate) fn convert(
    job: &Job<'_>,
    input: &mut dyn Input,
    output: &mut dyn Output,
) -> Result<Notes> {
    let mut notes = Notes::default();
    match run(job, input, output, &mut notes) {
        Ok(()) => Ok(notes),
        // A job that is stopped while a file is being decompressed looks like a damaged file here. The job's own error gives
        // the true reason.
        Err(err) => job.check().and(Err(err)),
    }
}

fn run(
    job: &Job<'_>,
    input: &mut dyn Input,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let mut deck = (row(job.from)?.open)(job, input)?;
    let document = outline::read(job, &mut *deck, notes)?;
    deck.tell(notes);
    drop(deck);
    document::write(job, document, output, notes)
}

fn row(format: &Format) -> Result<&'static Row> {
    let row = ROWS.iter().find(|row| row.format == *format);
    row.copied()
        .ok_or_else(|| Error::internal("no such format", format.name))
}
