//! Runs a conversion of a presentation: opens the file, and passes its slides to the writer of the target. Reads and
//! writes no format itself.

use super::{
    deck_material,
    formats::ROWS,
    options, outline, pages,
    row::{Row, Target},
    write,
};
use crate::{
    error::{Error, Result},
    format::Format,
    job::{Input, Job, Notes, Output},
};
use convertd_office::flat;
use convertd_pages::document;
use convertd_tree::losses::Losses;

/// Converts a file.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) for a file that is damaged or encrypted; and the errors of
/// the job, which may have ended or lack memory.
pub(crate) fn convert(
    job: &Job<'_>,
    input: &mut dyn Input,
    output: &mut dyn Output,
) -> Result<Notes> {
    let mut notes = Notes::default();
    run(job, input, output, &mut notes)?;
    Ok(notes)
}

fn run(
    job: &Job<'_>,
    input: &mut dyn Input,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    if let Some(target) = row(job.to).ok().and_then(|row| row.write.as_ref()) {
        return make(job, input, output, target, notes);
    }
    flat::with_package(job, input, |job, input| shown(job, input, output, notes))
}

/// Converts slides to pages, or to a document.
fn shown(
    job: &Job<'_>,
    input: &mut dyn Input,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let mut deck = (row(job.from)?.open)(job, input)?;
    if job.to == document::pdf() {
        return pages::write(job, deck, output, notes);
    }
    let document = outline::read(job, &mut *deck, notes)?;
    deck.add_notes(notes);
    drop(deck);
    document::write(job, document, output, notes)
}

/// Writes a presentation. Slides of another presentation keep their design; a document is laid out on new slides.
fn make(
    job: &Job<'_>,
    input: &mut dyn Input,
    output: &mut dyn Output,
    target: &Target,
    notes: &mut Notes,
) -> Result<()> {
    if let Ok(row) = row(job.from) {
        return flat::with_package(job, input, |job, input| {
            let mut deck = (row.open)(job, input)?;
            let copies = row.format == *job.to && !options::omits_hidden(job.options());
            if let Some(copy) = target.copy.filter(|_| copies) {
                // The copy contains everything that the file has, so the losses of other targets are not noted.
                let material = deck_material::gather(job, &mut *deck, None, &mut Notes::default())?;
                drop(deck);
                return copy(job, input, &material, output, notes);
            }
            let material = deck_material::gather(job, &mut *deck, target.pictures, notes)?;
            deck.add_notes(notes);
            (target.keep)(job, &mut *deck, &material, output, notes)
        });
    }
    let mut losses = Losses::default();
    let document = document::read(job, input, notes)?;
    let document = document::prepared(job, document, target.pictures, notes)?;
    // The slides contain the text once more, so twice the memory is leased. The archive is compressed piece by piece.
    let _lease = job.lease(document.memory().saturating_mul(2) + (4 << 20))?;
    let pages = write::pages(job, &document, &mut losses)?;
    losses.add_notes(notes);
    (target.write)(job, &document, &pages, output, notes)
}

/// Finds the row of a format in [`ROWS`].
fn row(format: &Format) -> Result<&'static Row> {
    let row = ROWS.iter().find(|row| row.format == *format);
    row.copied()
        .ok_or_else(|| Error::internal("no such format", format.name))
}
