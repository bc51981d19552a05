//! The files in a document that is a ZIP archive: pictures, sounds, and embedded documents. In an archive that is not a
//! document, all files. Opens none of them.

use super::members::file_name;
use crate::{
    containers::zip::{Archive, Names, Packing, Writer},
    error::{Error, Kind, Result},
    format::Category,
    job::{Input, Job, Output},
};

/// Limit on the number of files.
const MAX_FILES: usize = 10_000;
/// Limit on the size of a file, decompressed, in bytes.
const MAX_BYTES: u64 = 100 << 20;
/// Limit on the size of all files together, decompressed, in bytes.
const MAX_TOGETHER: u64 = 1 << 30;

/// Folders in which office programs keep files (OpenDocument 1.3, part 2; ISO 29500-2 prescribes no folders, but all
/// programs use these).
const FOLDERS: [&str; 5] = [
    "media",
    "embeddings",
    "Pictures",
    "ObjectReplacements",
    "Media",
];
/// Extensions of the pictures, sounds and films in EPUB books, where they may be in any folder.
const BOOK_EXTENSIONS: [&str; 9] = [
    "png", "jpg", "jpeg", "gif", "webp", "svg", "mp3", "ogg", "mp4",
];

/// Writes the files that are not empty into an archive, unchanged. Writes nothing if no file is found, or if the input
/// is not a ZIP archive.
///
/// Errors: [`Kind::BadInput`] if the archive is damaged, or if the files are too many or too large; those of reserving
/// memory.
pub fn embedded(job: &Job<'_>, input: &mut dyn Input, output: &mut dyn Output) -> Result<()> {
    let lost = |err| Error::storage("the upload could not be read", err);
    let mut head = [0; 4];
    input.rewind().map_err(lost)?;
    let is_archive = input.read_exact(&mut head).is_ok() && head == *b"PK\x03\x04";
    input.rewind().map_err(lost)?;
    if !is_archive {
        return Ok(());
    }
    job.reserve(Archive::memory(job, input)?)?;
    let mut archive = Archive::open(job, input)?;
    let wanted: Vec<(usize, String, u64)> = archive
        .entries()
        .iter()
        .enumerate()
        .filter(|(_, entry)| is_embedded(job, &entry.name) && entry.size > 0)
        .map(|(nth, entry)| (nth, file_name(&entry.name).to_owned(), entry.size))
        .collect();
    let together = wanted.iter().map(|(.., size)| *size);
    let together = together.fold(0, u64::saturating_add);
    let largest = wanted.iter().map(|(.., size)| *size).max().unwrap_or(0);
    if wanted.len() > MAX_FILES || largest > MAX_BYTES || together > MAX_TOGETHER {
        let text = format!(
            "it contains more than {MAX_FILES} files, or files of more than {MAX_BYTES} bytes each or {MAX_TOGETHER} together"
        );
        return Err(Error::new(Kind::BadInput, text));
    }
    if wanted.is_empty() {
        return Ok(());
    }
    let _lease = job.lease(largest)?;
    let mut out = Writer::new(job, output);
    let mut names = Names::default();
    for (nth, name, _) in wanted {
        job.check()?;
        let bytes = archive.read_nth(nth)?;
        out.add(&names.add(&name), &bytes, Packing::Stored)?;
    }
    out.finish()
}

fn is_embedded(job: &Job<'_>, name: &str) -> bool {
    if name.ends_with('/') {
        return false;
    }
    if job.from.category == Category::Archive {
        return true;
    }
    let mut folders: Vec<&str> = name.split('/').collect();
    let file = folders.pop().unwrap_or_default();
    if job.from.name == "epub" {
        let extension = file.rsplit_once('.').map(|(_, extension)| extension);
        let extension = extension.unwrap_or_default().to_ascii_lowercase();
        return BOOK_EXTENSIONS.contains(&extension.as_str());
    }
    folders.iter().any(|folder| FOLDERS.contains(folder))
}
