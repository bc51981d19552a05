//! Opening of PDF files: reads a file into memory, parses it, and adds notes about parts that every conversion drops.
//! Draws nothing.

use super::{attachments, forms, missing, nested, unlocked};
use crate::{
    error::{Error, Kind, Reason, Result},
    format::Format,
    job::{Input, Job, Lease, Notes, PASSWORD},
};
/// An open file.
pub use hayro::hayro_syntax::Pdf;
use hayro::hayro_syntax::{
    DecryptionError, LoadPdfError,
    object::{Dict, Name, Stream},
    page::Resources,
};
use std::{io::Read as _, sync::Arc};

/// Memory for the parsed objects, in bytes per byte of the file. It comes in addition to the file itself.
const PARSED: u64 = 1;

/// Memory that any file needs, in bytes.
const BASE: u64 = 8 << 20;

/// Memory in bytes of each of several open files, in addition to their contents. The parsed objects
/// of a file with one small page take 20 KiB.
const EACH: u64 = 40 << 10;

/// Limit on the objects that are searched for visibility expressions.
const MAX_VISITED: usize = 100_000;

/// The entry of PDF in the list of the document formats.
pub fn format() -> &'static Format {
    convertd_pdfwrite::document::format()
}

/// Memory of the open input file, in bytes. All functions of this module that open the input file reserve this amount.
pub(crate) fn memory(job: &Job<'_>) -> u64 {
    BASE + (1 + PARSED).saturating_mul(job.input_len)
}

/// Opens the input file, with the job's password if it is encrypted. Adds notes about parts that
/// are ignored.
///
/// Errors: [`Kind::BadInput`] if it is not a readable PDF, or has no pages.
pub fn open(job: &Job<'_>, input: &mut dyn Input, notes: &mut Notes) -> Result<Pdf> {
    let pdf = open_with_forms(job, input, notes)?;
    add_notes(&pdf, notes);
    Ok(pdf)
}

/// Opens the input file, and adds a simple appearance to form fields and annotations that lack one.
///
/// Errors: those of [`open`].
pub fn open_with_forms(job: &Job<'_>, input: &mut dyn Input, notes: &mut Notes) -> Result<Pdf> {
    let (pdf, bytes) = parse(job, read(job, input)?)?;
    tell_missing(job, &pdf, notes)?;
    with_forms(job, pdf, bytes, notes)
}

/// Opens the input file without additional appearances, and without notes.
///
/// Errors: those of [`open`].
pub fn open_as_is(job: &Job<'_>, input: &mut dyn Input) -> Result<Pdf> {
    let (pdf, _) = parse(job, read(job, input)?)?;
    Ok(pdf)
}

/// Adds a note about pages that are missing because the file is cut off.
///
/// Errors: the error of the job's deadline.
pub fn tell_missing(job: &Job<'_>, pdf: &Pdf, notes: &mut Notes) -> Result<()> {
    if let Some(what) = missing::pages(job, pdf)? {
        notes.add(format!("The file {what}."));
    }
    Ok(())
}

/// Reads the input file into memory.
fn read(job: &Job<'_>, input: &mut dyn Input) -> Result<Arc<Vec<u8>>> {
    job.reserve(memory(job))?;
    let lost = |err| Error::storage("the upload could not be read", err);
    input.rewind().map_err(lost)?;
    let mut bytes = Vec::with_capacity(job.input_len as usize);
    // Bytes that are appended to the file meanwhile are not read, because no memory was reserved for them.
    let mut input = input.take(job.input_len);
    input.read_to_end(&mut bytes).map_err(lost)?;
    Ok(Arc::new(bytes))
}

/// Opens one of several files that are in memory at the same time. Returns the file with a lease of its own memory;
/// [`together`] leases the memory that the files share.
///
/// Errors: those of [`open`]; also [`Kind::BadInput`] if the file is cut off and lacks pages, because a note would not
/// say which file it is about.
pub fn open_one_of<'a>(job: &Job<'a>, bytes: Vec<u8>) -> Result<(Pdf, Lease<'a>)> {
    let lease = job.lease(EACH + (1 + PARSED).saturating_mul(bytes.len() as u64))?;
    let (pdf, _) = parse(job, Arc::new(bytes))?;
    match missing::pages(job, &pdf)? {
        Some(what) => {
            let text = format!("the file {what}");
            Err(Error::new(Kind::BadInput, text).because(Reason::Unreadable))
        }
        None => Ok((pdf, lease)),
    }
}

/// Leases the memory that several open files share.
///
/// Errors: those of [`Job::lease`].
pub fn together<'a>(job: &Job<'a>) -> Result<Lease<'a>> {
    job.lease(BASE)
}

/// Parses a file. Returns it together with the bytes that were parsed. Two kinds of files need a second attempt with
/// changed bytes: those whose encryption is only declared (`unlocked`), and those with nested object streams
/// (`nested`).
fn parse(job: &Job<'_>, mut bytes: Arc<Vec<u8>>) -> Result<(Pdf, Arc<Vec<u8>>)> {
    let refused = |err| refused(job, err);
    let mut pdf = match with_password(job, bytes.clone()) {
        Ok(pdf) => pdf,
        Err(err) if unlocked::unlock(Arc::make_mut(&mut bytes).as_mut_slice()) => {
            Pdf::new(bytes.clone()).map_err(|_| refused(err))?
        }
        Err(err) => return Err(refused(err)),
    };
    if nested::has_nested(&pdf) {
        drop(pdf);
        nested::ignore_table(Arc::make_mut(&mut bytes).as_mut_slice());
        pdf = with_password(job, bytes.clone()).map_err(refused)?;
    }
    if pdf.pages().is_empty() {
        return Err(job.unreadable("it has no pages"));
    }
    Ok((pdf, bytes))
}

/// Parses a file with the empty password. If the file requires another password, parses it with that of the job.
fn with_password(job: &Job<'_>, bytes: Arc<Vec<u8>>) -> Result<Pdf, LoadPdfError> {
    let password = job.options().word(PASSWORD.name);
    match Pdf::new(bytes.clone()) {
        Err(LoadPdfError::Decryption(DecryptionError::PasswordProtected))
            if let Some(password) = password =>
        {
            // With a wrong password, hayro searches the whole file and reports it as invalid.
            let locked = LoadPdfError::Decryption(DecryptionError::PasswordProtected);
            Pdf::new_with_password(bytes, password).map_err(|_| locked)
        }
        opened => opened,
    }
}

/// Appends appearances for form fields and annotations that lack one. If the result cannot be parsed or has another
/// number of pages, or the file is encrypted, the original is used.
fn with_forms(job: &Job<'_>, pdf: Pdf, bytes: Arc<Vec<u8>>, notes: &mut Notes) -> Result<Pdf> {
    let Some(update) = forms::update(&pdf, &bytes) else {
        return Ok(pdf);
    };
    let pages = pdf.pages().len();
    let (len, count) = (bytes.len(), update.count);
    // This drops the other reference to the bytes, so that they can be extended in place.
    drop(pdf);
    let mut bytes = Arc::unwrap_or_clone(bytes);
    bytes.reserve_exact(update.bytes.len());
    bytes.extend(&update.bytes);
    let mut bytes = Arc::new(bytes);
    let updated = with_password(job, bytes.clone()).ok();
    // The update is used only if it has any bytes (that of an encrypted file has none), and the file has as many pages
    // as before.
    if let Some(pdf) = updated.filter(|pdf| len < bytes.len() && pdf.pages().len() == pages) {
        notes.add(match count {
            1 => "A form field or comment has no stored appearance, and was drawn in a plain style.".into(),
            _ => format!("{count} form fields or comments have no stored appearance, and were drawn in a plain style."),
        });
        if update.is_beyond {
            notes.add(
                "Letters of form fields were not drawn, because no font of the PDF contains them.",
            );
        }
        return Ok(pdf);
    }
    notes.add(match count {
        1 => "A form field or comment was left out, because it has no stored appearance.".into(),
        _ => format!(
            "{count} form fields or comments were left out, because they have no stored appearance."
        ),
    });
    // The original is parsed again, because its first parse was dropped.
    let mut bytes = Arc::unwrap_or_clone(std::mem::take(&mut bytes));
    bytes.truncate(len);
    let (pdf, _) = parse(job, Arc::new(bytes))?;
    Ok(pdf)
}

/// Error for a file that hayro refuses, with advice for the client.
fn refused(job: &Job<'_>, err: LoadPdfError) -> Error {
    let (reason, text) = match err {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => {
            match job.options().word(PASSWORD.name) {
                None => (
                    Reason::PasswordMissing,
                    "the PDF file is locked with a password; send it in the field password",
                ),
                Some(_) => (
                    Reason::PasswordWrong,
                    "the PDF file is locked, and the password in the field password is wrong",
                ),
            }
        }
        LoadPdfError::Decryption(DecryptionError::UnsupportedAlgorithm) => (
            Reason::Encrypted,
            "the PDF file is encrypted in a way that is not supported, for example for a certificate",
        ),
        LoadPdfError::Decryption(
            DecryptionError::MissingIDEntry | DecryptionError::InvalidEncryption,
        ) => return job.unreadable("its encryption dictionary is damaged"),
        LoadPdfError::Invalid => {
            return job.unreadable("no pages can be found in it, not even by searching all of it");
        }
    };
    Error::new(Kind::BadInput, text).because(reason)
}

/// The language that the catalogue of a file states, such as `de-AT` (ISO 32000-2, 14.9.2).
pub(crate) fn language(pdf: &Pdf) -> Option<String> {
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id())?;
    let language = catalog.get::<hayro::hayro_syntax::object::String<'_>>("Lang")?;
    Some(super::text::strings::decode(&language))
}

/// Adds notes about parts of a file other than its pages: scripts, embedded files, XFA, visibility
/// expressions.
fn add_notes(pdf: &Pdf, notes: &mut Notes) {
    let Some(catalog) = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id()) else {
        return;
    };
    let has = |dict: &Option<Dict<'_>>, key: &str| {
        dict.as_ref().is_some_and(|dict| dict.contains_key(key))
    };
    // Scripts are in the name tree, in additional actions, or in the opening action (12.6).
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
        let named = attachments::names(names.as_ref());
        notes.add(match named.is_empty() {
            true => "Files that are attached to the PDF were left out.".to_owned(),
            false => format!(
                "Files that are attached to the PDF were left out: {}.",
                named.join(", ")
            ),
        });
    }
    if has(&catalog.get::<Dict<'_>>("AcroForm"), "XFA") {
        notes.add("The PDF has an XFA form, which is not supported; the result has the pages that the PDF contains for programs without XFA.");
    }
    if catalog.contains_key("OCProperties") && has_conditions(pdf) {
        notes.add("The PDF shows or hides parts by conditions (visibility expressions), which are not evaluated: parts may be shown or hidden wrongly.");
    }
}

/// Returns whether a page shows or hides content by visibility expressions (ISO 32000-2, 8.11.2.2). `hayro` evaluates
/// the states of layers and membership policies, but not such expressions, and does not report them.
fn has_conditions(pdf: &Pdf) -> bool {
    let mut visited = 0;
    pdf.pages().iter().any(|page| {
        let Resources {
            properties,
            x_objects,
            ..
        } = page.resources();
        let has = |membership: Dict<'_>| membership.contains_key("VE");
        // Expressions are in properties of marked content, and in `OC` entries of forms and images (8.11.3).
        let marked = properties.keys().map(|name| (true, name));
        let drawn = x_objects.keys().map(|name| (false, name));
        marked.chain(drawn).any(|(is_mark, name)| {
            visited += 1;
            // All pages may share one long list, so the visited objects are counted for the whole file.
            visited <= MAX_VISITED
                && match is_mark {
                    true => properties.get::<Dict<'_>>(&*name).is_some_and(has),
                    false => (x_objects.get::<Stream<'_>>(&*name))
                        .and_then(|stream| stream.dict().get::<Dict<'_>>("OC"))
                        .is_some_and(has),
                }
        })
    })
}
