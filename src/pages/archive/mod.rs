//! Archives as input. Each file in an archive is converted separately, and the results form a new archive. Pictures
//! that become PDF or a comic form one document. Never opens archives inside archives, other than a tar in a compressed
//! file, and never uses the name of an entry as a path.
//!
//! This module does not depend on the other converters: the caller passes them as [`Converters`]. Files are
//! decompressed into memory one after another, within the memory that the job has reserved. Limits on time, memory and
//! output apply to the whole job. If a file fails, a note names it with the reason, and the others are still converted,
//! unless the files are to be merged.

mod comic;
mod container;
mod embedded;
mod entries;
mod formats;
mod member_notes;
mod members;
#[cfg(feature = "pdf")]
mod merge;
mod natural;
mod pages;
#[cfg(feature = "pdf")]
mod preview;
pub mod site;

use crate::{
    containers::iwa,
    error::{Error, Kind, Result},
    format::{ARCHIVE_EXTENSION, Format},
    job::{Converter, Input, Job, Notes, Output, Pair},
};
pub use comic::{PAGE, convert as convert_to_comic, format as comic_format, gives_all_pages};
pub use embedded::embedded;
use entries::Files;
pub use formats::{BOOKS, formats, is_comic, recognise};
use member_notes::MemberNotes;
pub use members::fenced;

/// The format of the archives that results are packed into: `zip`.
pub fn zip_format() -> &'static Format {
    let mut all = formats();
    all.find(|format| format.name == ARCHIVE_EXTENSION)
        .expect("zip is a format of archives")
}

/// The converters for the files of an archive.
pub trait Converters {
    /// Identifies a file by its content.
    fn identify(&self, input: &mut dyn Input, extension: Option<&str>) -> Result<&'static Format>;

    /// The converter from one format to another. `None` if that conversion does not exist.
    fn find(&self, from: &Format, to: &Format) -> Option<(Pair, &'static Converter)>;
}

/// Converts all files of an archive.
///
/// Errors: [`Kind::BadInput`] if none of the files can be converted, if there are too many, or if they belong to an
/// encrypted document of Numbers, Pages or Keynote.
pub fn convert(
    job: &Job<'_>,
    input: &mut dyn Input,
    output: &mut dyn Output,
    converters: &dyn Converters,
) -> Result<Notes> {
    let mut files = Files::open(job, input)?;
    // Documents of Numbers, Pages and Keynote from before 2013, and later ones without their extension, count as
    // archives. If they contain one of these entries, they are encrypted.
    if (0..files.len()).any(|nth| iwa::LOCKS.contains(&files.name(nth))) {
        return Err(iwa::encrypted());
    }
    let remarks = files.remarks();
    let mut member_notes = MemberNotes::default();
    for remark in &remarks {
        member_notes.say(remark);
    }
    let with_remarks = |mut notes: Notes| {
        notes.extend(remarks);
        notes
    };
    if files.is_single() {
        let notes = members::convert_alone(job, &mut files, output, converters);
        return notes.map(with_remarks);
    }
    #[cfg(feature = "pdf")]
    if merge::wants(job) {
        let converted = merge::convert(job, &mut files, output, converters, &mut member_notes)?;
        return finished(job, converted, member_notes);
    }
    if let Some(index) = site::wanted(job) {
        let notes = site::convert(job, &mut files, index, output, converters);
        return notes.map(with_remarks);
    }
    #[cfg(feature = "pdf")]
    if let Some(nth) = preview::wanted(job, &files) {
        let notes = preview::convert(job, &mut files, nth, output, converters);
        return notes.map(with_remarks);
    }
    #[cfg(feature = "pdf")]
    if let Some(error) = preview::refused(job, &files) {
        return Err(error);
    }
    if comic::makes(job) && pages::has_pictures(job, &mut files, converters)? {
        let converted = comic::of_files(job, &mut files, output, converters, &mut member_notes)?;
        return finished(job, converted, member_notes);
    }
    let converted = if pages::wants(job.to) && pages::has_pictures(job, &mut files, converters)? {
        pages::convert(job, &mut files, output, converters, &mut member_notes)?
    } else {
        members::convert(job, &mut files, output, converters, &mut member_notes)?
    };
    finished(job, converted, member_notes)
}

fn finished(job: &Job<'_>, converted: usize, member_notes: MemberNotes) -> Result<Notes> {
    if converted == 0 {
        let why = member_notes
            .first()
            .map_or_else(String::new, |first| format!(": {first}"));
        let text = format!(
            "nothing in the archive can be converted to {}{why}",
            job.task.to
        );
        return Err(Error::new(Kind::BadInput, text));
    }
    Ok(member_notes.into_notes())
}
