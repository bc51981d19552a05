//! Merges all files of an archive into one PDF: each file becomes pages, in the natural order of the names, but files
//! that the option `attach` names become attachments. The pages of a PDF stay unchanged, unless an option edits them.
//!
//! A file that is missing from a merged document is noticed only when it is needed. So if a file cannot become pages,
//! the job fails with an error that names the file, unless the client accepts an incomplete result (`skip_bad=true`).

use super::{
    Converters,
    entries::Files,
    member_notes::{MemberNotes, shown},
    members::{self, excuse},
};
use crate::{
    error::{Error, Kind, Result},
    format,
    job::{Job, Lease, Notes, Output, Task},
};
use convertd_pdf::{
    edit::{
        self, Attachment, Wanted,
        options::{ARCHIVAL, ATTACH, MERGE, NEW_FILE_OPTIONS, SKIP_BAD},
    },
    read::file::{self, Pdf},
};
use std::collections::HashSet;

/// Limit on the number of files to merge, which are all in memory at the same time.
const MAX_FILES: usize = 2_000;

/// Returns whether the job asks for merging.
pub(super) fn wants(job: &Job<'_>) -> bool {
    job.to == convertd_pdfwrite::document::format() && job.options().flag(MERGE.name)
}

/// Merges the files, and returns how many were merged or attached. Writes nothing and returns 0 if no file becomes
/// pages.
///
/// Errors: [`Kind::BadInput`] if there are too many files, if a file cannot become pages and may not be skipped, or if
/// a file to attach is missing.
pub(super) fn convert(
    job: &Job<'_>,
    files: &mut Files<'_>,
    output: &mut dyn Output,
    converters: &dyn Converters,
    member_notes: &mut MemberNotes,
) -> Result<usize> {
    if files.len() > MAX_FILES {
        let text = format!(
            "the archive has {} files; at most {MAX_FILES} can be merged: merge them in parts",
            files.len()
        );
        return Err(Error::new(Kind::BadInput, text));
    }
    let _together = file::together(job)?;
    let skips = job.options().flag(SKIP_BAD.name);
    // Options for editing a PDF apply to the merged file, and not to each part. PDF/A is an exception: the whole
    // conforms only if each part does.
    let of_whole = NEW_FILE_OPTIONS
        .iter()
        .filter(|spec| spec.name != ARCHIVAL.name);
    let task = Task {
        options: job.options().without(of_whole.copied()),
        ..job.task.clone()
    };
    let member = Job {
        task: &task,
        ..*job
    };
    let wanted = job.options().word(ATTACH.name);
    let wanted = wanted.map(Wanted::parse).transpose()?;
    let is_wanted = |name: &str| wanted.as_ref().filter(|wanted| wanted.has(name));
    let mut attached: Vec<(Attachment, Lease<'_>)> = Vec::new();
    let mut found: HashSet<String> = HashSet::new();
    let mut parts: Vec<(Pdf, Lease<'_>)> = Vec::new();
    let mut titles: Vec<String> = Vec::new();
    files.each(job, &mut |files, nth, name| {
        if let Some(wanted) = is_wanted(name) {
            let lease = job.lease(files.size(nth)?)?;
            let attachment = wanted.attachment(name, files.read(nth)?)?;
            attached.push((attachment, lease));
            found.insert(name.to_owned());
            return Ok(());
        }
        match part(&member, files, nth, converters) {
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
    // Two files of an archive may have the same name, so a comparison of counts would not find a missing file.
    let mut paths = wanted.iter().flat_map(Wanted::paths);
    if let Some(missing) = paths.find(|path| !found.contains(*path)) {
        let text = format!(
            "attach names {}, which the archive does not have",
            shown(missing)
        );
        return Err(Error::new(Kind::BadInput, text));
    }
    let (attachments, _leases): (Vec<Attachment>, Vec<Lease<'_>>) = attached.into_iter().unzip();
    // An outline entry for each file is of no use if there is only one file.
    if parts.len() == 1 {
        titles.clear();
    }
    let all: Vec<&Pdf> = parts.iter().map(|(pdf, _)| pdf).collect();
    let mut notes = Notes::default();
    edit::convert(job, &all, &titles, &attachments, output, &mut notes)?;
    for note in &notes.0 {
        member_notes.say(note);
    }
    if notes.is_archive() {
        member_notes.mark_archive();
    }
    Ok(parts.len() + attachments.len())
}

/// A file as a PDF, with the lease for its memory.
fn part<'a>(
    job: &Job<'a>,
    files: &mut Files<'_>,
    nth: usize,
    converters: &dyn Converters,
) -> Result<((Pdf, Lease<'a>), Notes)> {
    let (bytes, notes) = members::as_target(job, files, nth, converters)?;
    // With PDF as the source format of the job, error messages do not call the file an archive.
    let member = Job {
        from: convertd_pdfwrite::document::format(),
        ..*job
    };
    let part = members::fenced(|| file::open_one_of(&member, bytes))?;
    Ok((part, notes))
}
