//! Passes the rows of each sheet from the reader to the writer. Does not depend on a format.

use super::{
    row::Target,
    sheet::{Sheet, Workbook},
};
use crate::{
    error::Result,
    job::{Job, Notes, Output},
};

/// Number of rows between two checks of the job's deadline.
const ROWS_PER_CHECK: u32 = 1024;

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

/// Adds a note about the charts, pictures and shapes of some sheets, for a target that cannot hold drawings. The sheets
/// must have been read before.
pub(super) fn note_drawings(
    workbook: &mut dyn Workbook,
    sheets: &[usize],
    notes: &mut Notes,
) -> Result<()> {
    let mut drawn = 0;
    for sheet in sheets {
        drawn += usize::from(workbook.has_drawings(*sheet)?);
    }
    match drawn {
        0 => {}
        1 => notes.add("The charts, pictures and shapes of a sheet were left out.".to_owned()),
        _ => notes.add(format!(
            "The charts, pictures and shapes of {drawn} sheets were left out."
        )),
    }
    Ok(())
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
