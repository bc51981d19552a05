//! Combines all pictures of an archive into one PDF, in the natural order of their names. Other files are left out. An
//! archive without pictures is handled by [`members`](super::members), which converts each document to a PDF of its
//! own.

use super::{
    Converters,
    comic::Info,
    entries::Files,
    member_notes::MemberNotes,
    members::{Unpacked, excuse, fenced, task},
};
use crate::{
    album::{self, Book},
    error::{Error, Kind, Result},
    format::Format,
    job::{Job, Notes, Output},
};

/// Returns whether this target format combines pictures.
pub(super) fn wants(to: &Format) -> bool {
    album::makes(to)
}

/// Returns whether the archive contains a picture. Stops at the first one.
pub(super) fn has_pictures(
    job: &Job<'_>,
    files: &mut Files<'_>,
    converters: &dyn Converters,
) -> Result<bool> {
    for nth in 0..files.len() {
        job.check()?;
        match Unpacked::read(job, files, nth, converters) {
            Ok(file) if album::takes(file.format) => return Ok(true),
            Ok(_) => {}
            Err(error) if error.kind() == Kind::BadInput => {}
            Err(error) => return Err(error),
        }
    }
    Ok(false)
}

/// Writes a PDF with the pages of every picture that the metadata of a comic does not leave out. Returns the number of
/// files that became pages; if it is 0, the PDF is not finished.
pub(super) fn convert(
    job: &Job<'_>,
    files: &mut Files<'_>,
    output: &mut dyn Output,
    converters: &dyn Converters,
    member_notes: &mut MemberNotes,
) -> Result<usize> {
    let info = Info::read(job, files);
    let mut book = Book::new(job, output);
    book.describe(info.title(), &info.authors, info.from_right);
    let mut converted = 0;
    files.each(job, &mut |files, nth, name| {
        if info.leaves_out(nth) {
            return Ok(());
        }
        let mut notes = Notes::default();
        let before = book.pages();
        let added = add(job, files, nth, converters, &mut book, &mut notes);
        if book.pages() > before {
            converted += 1;
            member_notes.add_all(name, &notes);
        }
        if let Err(error) = added {
            excuse(job, error, name, member_notes)?;
        }
        Ok(())
    })?;
    if converted > 0 {
        let mut notes = Notes::default();
        book.finish(&mut notes)?;
        notes.0.iter().for_each(|note| member_notes.say(note));
    }
    Ok(converted)
}

fn add(
    job: &Job<'_>,
    files: &mut Files<'_>,
    nth: usize,
    converters: &dyn Converters,
    book: &mut Book<'_, '_>,
    notes: &mut Notes,
) -> Result<()> {
    let mut file = Unpacked::read(job, files, nth, converters)?;
    let found = file.format;
    let pair = converters.find(found, job.to).map(|(pair, _)| pair);
    let Some(pair) = pair.filter(|_| album::takes(found)) else {
        return Err(no_picture(found));
    };
    let task = task(job, &pair, files.name(nth));
    job.part(&task, (pair.from, pair.to), file.len, |job| {
        fenced(|| book.add(job, &mut file.input, notes))
    })
}

/// The error for a file that is not a picture.
pub(super) fn no_picture(found: &Format) -> Error {
    let text = format!(
        "{} files are not pictures that can become pages",
        found.name
    );
    Error::new(Kind::BadInput, text)
}
