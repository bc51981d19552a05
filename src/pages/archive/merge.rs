//! Puts all files of an archive together in one PDF, whatever they are: each becomes pages, in the natural order of their names. A PDF gives its
//! pages as they are.
//!
//! Nobody notices a file that is missing from a merged document until it is needed, so a file that cannot become pages is an error that names
//! it, unless the client accepts the rest (`skip_bad=true`).

use super::{
    Others,
    entries::Files,
    member_notes::{MemberNotes, shown},
    members::{self, excuse},
};
use crate::{
    error::{Error, Kind, Result},
    format,
    job::{Job, Lease, Notes, Output, Task},
    pdf::{
        edit::{
            self,
            options::{ARCHIVAL, MERGE, OF_NEW, SKIP_BAD},
        },
        read::file,
    },
};
use hayro::hayro_syntax::Pdf;

/// The files that are put together: all are in memory at once.
const MOST_FILES: usize = 2_000;

/// Returns whether the files are to become one.
pub(super) fn wants(job: &Job<'_>) -> bool {
    job.to == convertd_pdfwrite::document::format() && job.options().flag(MERGE.name)
}

/// Puts the files together, and returns how many succeeded.
///
/// Errors: [`Kind::BadInput`] if there are too many, none can be read, or one cannot be read and was not to be skipped.
pub(super) fn convert(
    job: &Job<'_>,
    files: &mut Files<'_>,
    output: &mut dyn Output,
    others: &dyn Others,
    member_notes: &mut MemberNotes,
) -> Result<usize> {
    if files.len() > MOST_FILES {
        let text = format!(
            "the archive has {} files; at most {MOST_FILES} can be merged: merge them in parts",
            files.len()
        );
        return Err(Error::new(Kind::BadInput, text));
    }
    let _together = file::together(job)?;
    let skips = job.options().flag(SKIP_BAD.name);
    // The whole is edited, and not each part of it; but only parts that keep the rules of PDF/A make a whole that does.
    let of_whole = OF_NEW.iter().filter(|spec| spec.name != ARCHIVAL.name);
    let task = Task {
        options: job.options().without(of_whole.copied()),
        ..job.task.clone()
    };
    let member = Job {
        task: &task,
        ..*job
    };
    let mut parts: Vec<(Pdf, Lease<'_>)> = Vec::new();
    let mut titles: Vec<String> = Vec::new();
    files.each(job, &mut |files, nth, name| {
        match part(&member, files, nth, others) {
            Ok((part, notes)) => {
                parts.push(part);
                let title = format::title_of(members::file_name(name), job.to);
                titles.push(title.map_or_else(|| name.to_owned(), Into::into));
                member_notes.add_all(name, &notes);
            }
            Err(error) if skips => excuse(job, error, name, member_notes)?,
            Err(error) => {
                job.check()?;
                return Err(error.within(&shown(name)));
            }
        }
        Ok(())
    })?;
    if parts.is_empty() {
        return Ok(0);
    }
    let all: Vec<&Pdf> = parts.iter().map(|(pdf, _)| pdf).collect();
    let mut notes = Notes::default();
    edit::convert(job, &all, &titles, output, &mut notes)?;
    for note in &notes.0 {
        member_notes.say(note);
    }
    if notes.is_archive() {
        member_notes.mark_archive();
    }
    Ok(parts.len())
}

/// A file as a PDF, and what it takes.
fn part<'a>(
    job: &Job<'a>,
    files: &mut Files<'_>,
    nth: usize,
    others: &dyn Others,
) -> Result<((Pdf, Lease<'a>), Notes)> {
    let (bytes, notes) = members::as_target(job, files, nth, others)?;
    // So that an error does not call the file an archive.
    let member = Job {
        from: convertd_pdfwrite::document::format(),
        ..*job
    };
    let part = members::fenced(|| file::open_one_of(&member, bytes))?;
    Ok((part, notes))
}
