//! Converts each file of an archive separately: decompresses, identifies and converts it, and adds the result to the
//! new archive under the same name with another extension. A file that is damaged or unsupported does not stop the
//! others.

use super::{Converters, entries::Files, formats, member_notes::MemberNotes};
use crate::{
    containers::zip::{Names, Packing, Writer},
    error::{Error, Kind, Result},
    format::{self, ARCHIVE_EXTENSION, Category, Format},
    job::{Converter, InMemory, Input, Job, Lease, Notes, Output, Pair, Task},
};
use std::{
    io::Cursor,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// The media types that benefit from compression, besides those of text.
const COMPRESSIBLE: [&str; 12] = [
    "image/bmp",
    "image/x-tga",
    "image/svg+xml",
    "image/x-portable-bitmap",
    "image/x-portable-graymap",
    "image/x-portable-pixmap",
    "image/x-portable-arbitrarymap",
    "image/x-farbfeld",
    "image/vnd.microsoft.icon",
    "application/rtf",
    "application/json",
    "application/xhtml+xml",
];

/// Converts all files and returns the number of results.
pub(super) fn convert(
    job: &Job<'_>,
    files: &mut Files<'_>,
    output: &mut dyn Output,
    converters: &dyn Converters,
    member_notes: &mut MemberNotes,
) -> Result<usize> {
    let mut archive = Writer::new(job, output);
    let mut names = Names::default();
    let packing = packing(job.to);
    let mut converted = 0;
    files.each(job, &mut |files, nth, name| {
        let file = Unpacked::read(job, files, nth, converters);
        match file.and_then(|file| convert_one(job, file, name, converters)) {
            Ok((bytes, notes)) => {
                let extension = match notes.is_archive() {
                    true => ARCHIVE_EXTENSION,
                    false => &job.task.to,
                };
                archive.add(&names.add(&renamed(name, extension)), &bytes, packing)?;
                converted += 1;
                member_notes.add_all(name, &notes);
            }
            Err(error) => excuse(job, error, name, member_notes)?,
        }
        Ok(())
    })?;
    if converted > 0 {
        archive.finish()?;
        member_notes.mark_archive();
    }
    Ok(converted)
}

/// Converts the file of a container that can hold only one.
///
/// Errors: those of the conversion.
pub(super) fn convert_alone(
    job: &Job<'_>,
    files: &mut Files<'_>,
    output: &mut dyn Output,
    converters: &dyn Converters,
) -> Result<Notes> {
    let file = Unpacked::read(job, files, 0, converters)?;
    write_one(job, file, files.name(0), output, converters)
}

/// Finds the converter from the format of a file to the target format of the job.
fn route(
    found: &Format,
    job: &Job<'_>,
    converters: &dyn Converters,
) -> Result<(Pair, &'static Converter)> {
    let route = converters.find(found, job.to);
    let route = route.ok_or_else(|| {
        let text = format!(
            "{} files cannot be converted to {}",
            found.name, job.to.name
        );
        Error::new(Kind::BadInput, text)
    })?;
    #[cfg(feature = "ocr")]
    if route.1.name == crate::pictures::CONVERTER.name && !convertd_scan::reads_pictures(job) {
        let text = "text in pictures of an archive is read only if the field ocr is true";
        return Err(Error::new(Kind::BadInput, text));
    }
    Ok(route)
}

/// Adds a note that a file was left out. If the error concerns the whole job, it is returned instead.
pub(super) fn excuse(
    job: &Job<'_>,
    error: Error,
    name: &str,
    member_notes: &mut MemberNotes,
) -> Result<()> {
    job.check()?;
    match error.kind() {
        Kind::BadInput | Kind::TooLarge | Kind::Conflict | Kind::NotFound => {
            member_notes.failed(name, error.message());
            Ok(())
        }
        // After `OutOfMemory`, the job runs again with more memory, so the file may succeed then. The other errors are
        // no fault of the file.
        Kind::OutOfMemory
        | Kind::Disconnected
        | Kind::TooSlow
        | Kind::Busy
        | Kind::Unavailable
        | Kind::StorageFull
        | Kind::Internal => Err(error),
    }
}

/// Returns a file in the target format. If it has that format already, it stays as it is.
#[cfg(feature = "pdf")]
pub(super) fn as_target(
    job: &Job<'_>,
    files: &mut Files<'_>,
    nth: usize,
    converters: &dyn Converters,
) -> Result<(Vec<u8>, Notes)> {
    let file = Unpacked::read(job, files, nth, converters)?;
    if file.format == job.to {
        return Ok((file.input.into_inner(), Notes::default()));
    }
    convert_one(job, file, files.name(nth), converters)
}

fn convert_one(
    job: &Job<'_>,
    file: Unpacked<'_>,
    name: &str,
    converters: &dyn Converters,
) -> Result<(Vec<u8>, Notes)> {
    let mut output = InMemory::new(job);
    let notes = write_one(job, file, name, &mut output, converters);
    let (bytes, _lease) = output.finish()?;
    Ok((bytes, notes?))
}

/// Converts a file to the job's target.
fn write_one(
    job: &Job<'_>,
    mut file: Unpacked<'_>,
    name: &str,
    output: &mut dyn Output,
    converters: &dyn Converters,
) -> Result<Notes> {
    let (pair, converter) = route(file.format, job, converters)?;
    let task = task(job, &pair, name);
    job.part(&task, (pair.from, pair.to), file.len, |job| {
        fenced(|| (converter.convert)(job, &mut file.input, output))
    })
}

/// A decompressed file and its format.
pub(super) struct Unpacked<'g> {
    /// Lease for the decompressed file.
    _lease: Lease<'g>,
    pub(super) input: Cursor<Vec<u8>>,
    pub(super) format: &'static Format,
    /// Size of the decompressed file, in bytes.
    pub(super) len: u64,
}

impl<'g> Unpacked<'g> {
    /// Decompresses a file.
    ///
    /// Errors: [`Kind::BadInput`] if the file is too large, damaged, empty, in no supported format, or itself an
    /// archive.
    pub(super) fn read(
        job: &Job<'g>,
        files: &mut Files<'_>,
        nth: usize,
        converters: &dyn Converters,
    ) -> Result<Self> {
        let lease = job.lease(files.size(nth)?)?;
        let bytes = files.read(nth)?;
        let len = bytes.len() as u64;
        let format = identified(&bytes, files.name(nth), converters)?;
        Ok(Self {
            _lease: lease,
            input: Cursor::new(bytes),
            format,
            len,
        })
    }

    /// Reads the whole input of a job as if it were a file of an archive.
    ///
    /// Errors: those of the lease and of reading the input.
    pub(super) fn whole(job: &Job<'g>, input: &mut dyn Input) -> Result<Self> {
        let lease = job.lease(job.input_len)?;
        let mut bytes = Vec::with_capacity(job.input_len as usize);
        let lost = |err| Error::storage("the upload could not be read", err);
        input.rewind().map_err(lost)?;
        input.read_to_end(&mut bytes).map_err(lost)?;
        Ok(Self {
            _lease: lease,
            input: Cursor::new(bytes),
            format: job.from,
            len: job.input_len,
        })
    }
}

/// Catches panics, so that a decoder that panics costs a single file instead of the whole archive.
pub fn fenced<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let text = "it crashed its decoder; it is damaged, or uses features that are not supported";
        Err(Error::new(Kind::BadInput, text))
    })
}

/// Identifies the format of a file in memory.
///
/// Errors: [`Kind::BadInput`] if the file is empty, in no supported format, or itself an archive.
pub(super) fn identified(
    bytes: &[u8],
    name: &str,
    converters: &dyn Converters,
) -> Result<&'static Format> {
    let refuse = |text: &'static str| Err(Error::new(Kind::BadInput, text));
    if bytes.is_empty() {
        return refuse("it is empty");
    }
    let mut input = Cursor::new(bytes);
    let extension = format::extension(file_name(name));
    let found = fenced(|| converters.identify(&mut input, extension.as_deref()));
    let Ok(found) = found else {
        return refuse("its content matches no supported format");
    };
    if formats::row(found).is_some() {
        return refuse("archives within archives are not opened");
    }
    Ok(found)
}

/// Makes the task for the file with this name, with those options of the job that the conversion knows and whose values
/// it accepts.
pub(super) fn task(job: &Job<'_>, pair: &Pair, name: &str) -> Task {
    Task {
        from: pair.from.name.to_owned(),
        to: job.task.to.clone(),
        quality: job.quality(),
        options: job.options().for_specs(pair.options),
        file_title: format::title_of(file_name(name), job.to),
    }
}

/// The last component of a path.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// Returns the path with another extension, or with this extension if it has none.
pub(super) fn renamed(name: &str, extension: &str) -> String {
    let start = name.rfind('/').map_or(0, |slash| slash + 1);
    let stem = match name[start..].rfind('.') {
        None | Some(0) => name,
        Some(dot) => &name[..start + dot],
    };
    format!("{stem}.{extension}")
}

/// Decides whether a result is compressed: formats with compression of their own are only stored.
fn packing(to: &Format) -> Packing {
    let is_text = to.media_type.starts_with("text/") && to.category == Category::Document;
    match is_text || COMPRESSIBLE.contains(&to.media_type) {
        true => Packing::Deflated,
        false => Packing::Stored,
    }
}
