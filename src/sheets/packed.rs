//! Archives with a file for each sheet, for targets that hold one sheet (`sheets=zip`). Holds no sheet in memory:
//! rows are compressed as they are read.

use super::{
    options,
    row::Target,
    sheet::{Sheet, Workbook},
    stream::{note_drawings, note_hidden_rows, stream},
};
use crate::{
    containers::zip::{self, Names},
    error::{Error, Result},
    job::{Job, Notes, Output},
};
use std::io::{self, Seek, SeekFrom, Write};

/// Writes all sheets with cells, or the one that the options select.
///
/// Errors: those of [`options::choose`], of the reader and of the writer.
pub(super) fn write(
    job: &Job<'_>,
    workbook: &mut dyn Workbook,
    target: &Target,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let chosen = options::choose(job.options(), workbook.sheets(), true, notes)?;
    let sheets: Vec<(usize, Sheet)> = (chosen.iter())
        .filter_map(|number| Some((*number, workbook.sheets().get(*number)?.clone())))
        .collect();
    let (written, hidden) = loop {
        match pack(job, workbook, &sheets, target, output) {
            Err(_) if workbook.starts_over() => output.clear().map_err(Error::unwritten)?,
            packed => break packed?,
        }
    };
    workbook.add_notes(notes);
    note_drawings(workbook, &chosen, notes)?;
    let sheets: Vec<Sheet> = sheets.into_iter().map(|(_, sheet)| sheet).collect();
    options::note_hidden(&sheets, notes);
    note_hidden_rows(hidden, "sheets", notes);
    notes.0.extend(written.0);
    notes.mark_archive();
    Ok(())
}

/// Writes an archive of some sheets. Returns the notes of the writers, and the number of hidden rows.
fn pack(
    job: &Job<'_>,
    workbook: &mut dyn Workbook,
    sheets: &[(usize, Sheet)],
    target: &Target,
    output: &mut dyn Output,
) -> Result<(Notes, u64)> {
    let mut archive = zip::Writer::new(job, output);
    let mut names = Names::default();
    let (mut notes, mut hidden) = (Notes::default(), 0);
    for (number, sheet) in sheets {
        let name = names.add_file(sheet.name(), &job.task.to);
        archive.begin(&name, Some(zip::LEVEL))?;
        let (lost, rows) = stream(
            job,
            workbook,
            (&[*number], std::slice::from_ref(sheet)),
            target,
            &mut Member(&mut archive),
        )?;
        archive.end()?;
        hidden += rows;
        for note in lost.0 {
            notes.add(format!("{:?}: {note}", sheet.name()));
        }
    }
    archive.finish()?;
    Ok((notes, hidden))
}

/// The open entry of an archive as an output for a writer that never seeks.
struct Member<'w, 'a>(&'w mut zip::Writer<'a>);

impl Write for Member<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Member<'_, '_> {
    fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl Output for Member<'_, '_> {
    fn clear(&mut self) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
