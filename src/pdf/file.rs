//! Opens a PDF file: reads it into memory, parses its structure, and notes the parts that no conversion keeps.
//! Draws nothing.

use crate::{
    document,
    error::{Error, Kind, Result},
    format::Format,
    job::{Input, Job, Notes},
};
use hayro::hayro_syntax::{
    DecryptionError, LoadPdfError, Pdf,
    object::{Dict, Name},
};
use std::io::Read as _;

/// Memory for the parsed structure, in bytes for each byte of the file, in addition to the file itself.
const PARSED: u64 = 1;

/// Memory that every file needs, whatever its size, in bytes.
const BASE: u64 = 8 << 20;

/// The format's row, which belongs to the documents.
pub(super) fn format() -> &'static Format {
    document::format("pdf")
}

/// The memory of an open file in bytes.
pub(super) fn memory(job: &Job<'_>) -> u64 {
    BASE + (1 + PARSED).saturating_mul(job.input_len)
}

/// Reads a file, with the empty password if it is encrypted. Parts that are ignored are listed in `notes`.
///
/// Errors: [`Kind::BadInput`] if it cannot be read, or has no pages.
pub(super) fn open(job: &Job<'_>, input: &mut dyn Input, notes: &mut Notes) -> Result<Pdf> {
    job.reserve(memory(job))?;
    let lost = |err| Error::storage("the upload could not be read", err);
    input.rewind().map_err(lost)?;
    let mut bytes = Vec::with_capacity(job.input_len as usize);
    // If the file grows meanwhile, the rest is not read: no memory was reserved for it.
    let mut input = input.take(job.input_len);
    input.read_to_end(&mut bytes).map_err(lost)?;
    let pdf = Pdf::new(bytes).map_err(|err| refused(job, err))?;
    if pdf.pages().is_empty() {
        return Err(job.unreadable("it has no pages"));
    }
    tell(&pdf, notes);
    Ok(pdf)
}

fn refused(job: &Job<'_>, err: LoadPdfError) -> Error {
    let text = match err {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => {
            "the PDF file is encrypted with a password; remove the password, and send it again"
        }
        LoadPdfError::Decryption(DecryptionError::UnsupportedAlgorithm) => {
            "the PDF file is encrypted in a way that is not supported, such as by a certificate"
        }
        LoadPdfError::Decryption(
            DecryptionError::MissingIDEntry | DecryptionError::InvalidEncryption,
        ) => return job.unreadable("what it says about its encryption is damaged"),
        LoadPdfError::Invalid => {
            return job.unreadable("no pages can be found in it, not even by searching all of it");
        }
    };
    Error::new(Kind::BadInput, text)
}

/// Notes what the file holds in addition to its pages.
fn tell(pdf: &Pdf, notes: &mut Notes) {
    let Some(catalog) = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id()) else {
        return;
    };
    let has = |dict: &Option<Dict<'_>>, key: &str| {
        dict.as_ref().is_some_and(|dict| dict.contains_key(key))
    };
    let names = catalog.get::<Dict<'_>>("Names");
    let opening = catalog.get::<Dict<'_>>("OpenAction");
    let kind = opening.and_then(|action| action.get::<Name<'_>>("S"));
    if has(&names, "JavaScript")
        || catalog.contains_key("AA")
        || kind.is_some_and(|kind| &*kind == b"JavaScript")
    {
        notes.add("Scripts in the PDF were not run.");
    }
    if has(&names, "EmbeddedFiles") {
        notes.add("Files that are attached to the PDF were left out.");
    }
    if has(&catalog.get::<Dict<'_>>("AcroForm"), "XFA") {
        notes.add("The PDF has an XFA form, which is not read: the pages are those for programs without XFA.");
    }
}
