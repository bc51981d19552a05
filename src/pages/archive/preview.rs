//! Documents of Apple's Numbers, Pages and Keynote from before 2013. They are archives whose content only these
//! programs can read, so the preview in them, a PDF of the whole document, becomes the PDF. Newer documents have
//! readers of their own. A newer document without its file name extension is recognised only as an archive, and its
//! preview is a picture of its first page.

use super::{
    Converters,
    entries::Files,
    members::{Unpacked, fenced, task},
};
use crate::{
    containers::iwa,
    error::{Error, Kind, Result},
    format::Category,
    job::{Job, Notes, Output},
};

/// The previews, the best one first.
const PREVIEWS: [&str; 4] = [
    "QuickLook/Preview.pdf",
    "preview.jpg",
    "QuickLook/Thumbnail.jpg",
    "preview-web.jpg",
];

/// Entries that occur only in documents of these programs from before 2013.
const OLD_ENTRIES: [&str; 2] = ["index.apxl", "buildVersionHistory.plist"];

/// Index of the preview, if the archive is a document of Numbers, Pages or Keynote and the target is PDF.
pub(super) fn wanted(job: &Job<'_>, files: &Files<'_>) -> Option<usize> {
    if job.to != convertd_pdfwrite::document::format() {
        return None;
    }
    let find = |name: &str| (0..files.len()).find(|nth| files.name(*nth) == name);
    let mut own = OLD_ENTRIES.iter().chain(&iwa::INDEX);
    own.any(|name| find(name).is_some()).then_some(())?;
    PREVIEWS.iter().find_map(|name| find(name))
}

/// The error for a document from before 2013, whose other files are settings. `None` if the archive is no such
/// document, or if the target is a picture, because the document may contain pictures. Call it after [`wanted`].
pub(super) fn refused(job: &Job<'_>, files: &Files<'_>) -> Option<Error> {
    let is_old = (0..files.len()).any(|nth| OLD_ENTRIES.contains(&files.name(nth)));
    (is_old && job.to.category != Category::Image).then(|| {
        let text = match job.to == convertd_pdfwrite::document::format() {
            true => "the file is a document of Numbers, Pages or Keynote from before 2013, and has no preview that could become the pdf: export it as PDF from its program".to_owned(),
            false => format!(
                "the file is a document of Numbers, Pages or Keynote from before 2013, which cannot be converted to {}; convert it to pdf, to get the preview in it",
                job.task.to
            ),
        };
        Error::new(Kind::BadInput, text)
    })
}

/// Converts the preview to PDF.
///
/// Errors: those of reading and converting the preview.
pub(super) fn convert(
    job: &Job<'_>,
    files: &mut Files<'_>,
    nth: usize,
    output: &mut dyn Output,
    converters: &dyn Converters,
) -> Result<Notes> {
    let mut file = Unpacked::read(job, files, nth, converters)?;
    let Some((pair, converter)) = converters.find(file.format, job.to) else {
        let text = "the preview in the document cannot be converted in this build";
        return Err(Error::new(Kind::BadInput, text));
    };
    let mut notes = Notes::default();
    notes.add(match file.format.name {
        "pdf" => "The document was made by Apple's Numbers, Pages or Keynote; the result is the preview stored in it.",
        _ => "The document was made by Apple's Numbers, Pages or Keynote; only the preview picture stored in it was converted. Export it as PDF to convert all of it.",
    });
    let task = task(job, &pair, files.name(nth));
    let part_notes = job.part(&task, (pair.from, pair.to), file.len, |job| {
        fenced(|| (converter.convert)(job, &mut file.input, output))
    })?;
    part_notes.move_into(&mut notes);
    Ok(notes)
}
