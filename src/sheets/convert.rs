//! Runs a conversion of sheets: opens the file, selects sheets, and passes rows from the reader to the writer.
//! Contains no code for a particular format.

#[cfg(feature = "pdf")]
use super::pdf;
use super::{
    data,
    formats::ROWS,
    options, packed,
    row::{Open, Row},
    sheet::{MEMORY, Sheet, View},
    stream::{note_drawings, note_hidden_rows, stream},
};
#[cfg(feature = "document")]
use super::{data::Content, formats::json, html, pages, sheet::Looks, shown::inserted::Pictures};
use crate::{
    error::{Error, Result},
    format::Format,
    job::{Input, Job, Notes, Output},
};
use convertd_office::locked;
#[cfg(feature = "document")]
use convertd_tree::Builder;

/// Converts a file.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) for a file that is damaged or encrypted, or that the target
/// cannot hold; and the job's limits of memory and time.
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
    // This is the memory of the conversion; the reader reserves that of the workbook.
    job.reserve(MEMORY)?;
    locked::with_unlocked(job, input, |job, input| {
        convert_unlocked(job, input, output, notes)
    })
}

/// Converts an unlocked file as data without tables, or to pages, an archive of sheets, a workbook with styles, or the
/// rows of its sheets.
fn convert_unlocked(
    job: &Job<'_>,
    input: &mut dyn Input,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    if data::is_pair(job.from, job.to) {
        return data::convert(job, input, output, notes);
    }
    let open = open(job.from)?;
    #[cfg(feature = "document")]
    if pages::is_page(job.to) {
        let view = options::view(job.options(), View::Shown);
        let workbook = match json::content(job, input)? {
            Some(Content::Text(text, _lease)) => {
                return pages::write_code(job, text, output, notes);
            }
            Some(Content::Table(table)) => json::read::open_made(job, table)?,
            None => open(job, input, view)?,
        };
        return pages::write(job, workbook, view, output, notes);
    }
    let target = row(job.to)?.write.as_ref();
    let target = target.ok_or_else(|| Error::internal("no such conversion", job.to.name))?;
    // A workbook stores values and number formats separately, so the option `values` has no meaning for it.
    let view = match target.many {
        true => View::Exact,
        false => options::view(job.options(), View::Exact),
    };
    let mut workbook = open(job, input, view)?;
    if !target.many && options::packs_all(job.options()) {
        return packed::write(job, &mut *workbook, target, output, notes);
    }
    let chosen = options::choose(job.options(), workbook.sheets(), target.many, notes)?;
    #[cfg(feature = "document")]
    if let Some(whole) = target.whole {
        let mut build = Builder::new(job);
        match workbook.shown(&chosen, &mut build, notes)? {
            Looks::Read(mut book) => {
                workbook.add_notes(notes);
                book.settle_styles();
                notes.0.extend(book.lost());
                let pictures = Pictures::of(job, &book, build, target.pictures, notes)?;
                return whole(job, &book, &pictures, output, notes);
            }
            Looks::TooMany => notes.add(
                "The workbook has more than 250,000 cells, so only their values were kept."
                    .to_owned(),
            ),
            Looks::None => {}
        }
    }
    let sheets: Vec<Sheet> = (chosen.iter())
        .filter_map(|sheet| workbook.sheets().get(*sheet).cloned())
        .collect();
    // A reader that turns out to need two passes fails in the first one. The output of that pass is discarded.
    let (written, hidden) = loop {
        match stream(job, &mut *workbook, (&chosen, &sheets), target, output) {
            Err(_) if workbook.starts_over() => output.clear().map_err(Error::unwritten)?,
            streamed => break streamed?,
        }
    };
    workbook.add_notes(notes);
    note_drawings(&mut *workbook, &chosen, notes)?;
    if !target.many {
        note_hidden_rows(hidden, "sheet", notes);
    }
    notes.0.extend(written.0);
    Ok(())
}

/// Function that opens files of a format.
fn open(format: &Format) -> Result<Open> {
    #[cfg(feature = "pdf")]
    if pdf::is_source(format) {
        return Ok(pdf::open);
    }
    #[cfg(feature = "document")]
    if html::is_source(format) {
        return Ok(html::open);
    }
    Ok(row(format)?.open)
}

/// Description of a format.
fn row(format: &Format) -> Result<&'static Row> {
    let row = ROWS.iter().find(|row| row.format == *format);
    row.copied()
        .ok_or_else(|| Error::internal("no such format", format.name))
}
