//! Runs a conversion of sheets: opens the file, selects sheets, and passes rows from the reader to the writer. Knows
//! no format.

#[cfg(feature = "pdf")]
use super::pdf;
use super::{
    data,
    formats::ROWS,
    options, packed,
    row::{Open, Row, Target},
    sheet::{MEMORY, Sheet, View, Workbook},
};
#[cfg(feature = "document")]
use super::{html, pages, sheet::Looks};
use crate::{
    error::{Error, Result},
    format::Format,
    job::{Input, Job, Notes, Output},
};
use convertd_office::locked;
#[cfg(feature = "document")]
use convertd_tree::Builder;

/// Number of rows between two checks of the job's deadline.
const ROWS_PER_CHECK: u32 = 1024;

/// Converts a file.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) for a file that is damaged or encrypted, or that the target cannot
/// hold; and the errors of the job's gate.
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
    // The reader reserves the memory for the workbook in addition.
    job.reserve(MEMORY)?;
    locked::with_unlocked(job, input, |job, input| opened(job, input, output, notes))
}

/// Converts an unlocked file to pages, an archive of sheets, a workbook with styles, or the rows of its sheets.
fn opened(
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
        let workbook = open(job, input, view)?;
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
                workbook.tell(notes);
                book.settle_styles();
                notes.0.extend(book.lost());
                return whole(job, &book, output, notes);
            }
            Looks::TooMany => notes.add(
                "The workbook has more than 250,000 cells, so that only their values are kept."
                    .to_owned(),
            ),
            Looks::None => {}
        }
    }
    let sheets: Vec<Sheet> = (chosen.iter())
        .filter_map(|sheet| workbook.sheets().get(*sheet).cloned())
        .collect();
    // A reader that turns out to need two passes fails the first time. Whatever was written until then is discarded.
    let (written, hidden) = loop {
        match stream(job, &mut *workbook, (&chosen, &sheets), target, output) {
            Err(_) if workbook.starts_over() => output.clear().map_err(Error::unwritten)?,
            streamed => break streamed?,
        }
    };
    workbook.tell(notes);
    if !target.many {
        note_hidden_rows(hidden, "sheet", notes);
    }
    notes.0.extend(written.0);
    Ok(())
}

/// Adds a note about rows that are hidden in the source but not in the result.
pub(super) fn note_hidden_rows(hidden: u64, of: &str, notes: &mut Notes) {
    match hidden {
        0 => {}
        1 => notes.add(format!("A hidden row of the {of} is in the result, too.")),
        _ => notes.add(format!(
            "{hidden} hidden rows of the {of} are in the result, too."
        )),
    }
}

/// Writes the rows of some sheets. Returns the notes of the writer, and the number of hidden rows.
pub(super) fn stream(
    job: &Job<'_>,
    workbook: &mut dyn Workbook,
    (chosen, sheets): (&[usize], &[Sheet]),
    target: &Target,
    output: &mut dyn Output,
) -> Result<(Notes, u64)> {
    let mut writer = (target.create)(job, output, sheets)?;
    let (mut hidden, mut unchecked, mut text) = (0_u64, 0, 0);
    for (number, sheet) in chosen.iter().zip(sheets) {
        writer.begin(sheet)?;
        workbook.read(*number, &mut |cells| {
            unchecked += 1;
            if unchecked == ROWS_PER_CHECK {
                unchecked = 0;
                job.check()?;
            }
            hidden += u64::from(cells.hidden);
            // Growth is checked by the length of texts: a small archive may expand to gigabytes.
            text += cells.text_len();
            job.check_growth(text)?;
            writer.row(cells)
        })?;
        writer.end()?;
    }
    let mut notes = Notes::default();
    writer.finish(&mut notes)?;
    Ok((notes, hidden))
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
