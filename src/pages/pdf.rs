//! The converter for PDF input, and for pictures of HTML pages, which are drawn through PDF: chooses the steps for each
//! pair. Parses no PDF itself.

use crate::{
    document,
    error::{Error, Result},
    format::{Category, Format},
    job::{Converter, Input, Job, Notes, OptionSpec, Output, PASSWORD, Pair, read_head},
    window,
};
#[cfg(feature = "ocr")]
use convertd_pdf::read::words;
use convertd_pdf::{
    edit,
    read::{
        documents,
        file::{self, Pdf},
        options::{self, PAGES},
        pictures,
    },
};
#[cfg(feature = "ocr")]
use convertd_scan::{
    options::{LANGUAGE, OCR},
    written,
};
use std::{io::Cursor, sync::LazyLock};

/// Options of conversions to words with positions.
#[cfg(feature = "ocr")]
static WORDS: [&OptionSpec; 3] = [&PASSWORD, &OCR, &LANGUAGE];

/// Number of bytes at the beginning of a file that are searched for the header.
const HEADER_WITHIN: usize = 1024;

/// The converter for PDF input.
pub static CONVERTER: Converter = Converter {
    name: "pdf",
    // The format PDF is in the list of the document formats.
    formats: Vec::new,
    pairs,
    recognise,
    convert,
};

/// Returns the pairs from PDF to all picture formats, to the document formats and to PDF, and those from HTML to
/// pictures. With OCR, also those from PDF to formats of words with positions.
fn pairs() -> Vec<Pair> {
    let from = file::format();
    let pictures = options::pictures().map(|(to, quality, options)| Pair {
        from,
        to,
        quality,
        options,
    });
    let documents = document_targets().iter().filter(|to| to.format != from);
    let documents = documents.map(|to| Pair {
        from,
        to: to.format,
        quality: to.quality,
        options: &to.options,
    });
    let pages = Pair {
        from,
        to: from,
        quality: edit::QUALITY,
        options: edit::specs(),
    };
    #[cfg(feature = "ocr")]
    let documents = documents.chain(written::FORMATS.iter().map(|to| Pair {
        from,
        to,
        quality: written::QUALITY,
        options: &WORDS,
    }));
    pictures
        .chain(documents)
        .chain([pages])
        .chain(window::pairs())
        .collect()
}

/// A document format that text of a PDF can become, with its quality and options.
struct DocumentTarget {
    format: &'static Format,
    quality: &'static str,
    options: Vec<&'static OptionSpec>,
}

/// Document formats that a PDF can be converted to, with their options: those of the format, the password, and those of
/// OCR.
fn document_targets() -> &'static [DocumentTarget] {
    // Targets depend on the features that were compiled in, so the list is made once, at run time.
    static ALL: LazyLock<Vec<DocumentTarget>> = LazyLock::new(|| {
        let targets = document::targets().map(|(format, quality, options)| {
            // Plain text is written straight from the PDF, without the document tree, so the options of the document
            // format do not apply.
            let own = if format.name == "txt" { &[] } else { options };
            let of_text = matches!(format.name, "txt" | "md").then_some(&PAGES);
            let more = of_text.into_iter().chain([
                &PASSWORD,
                #[cfg(feature = "ocr")]
                &OCR,
                #[cfg(feature = "ocr")]
                &LANGUAGE,
            ]);
            DocumentTarget {
                format,
                quality,
                options: own.iter().copied().chain(more).collect(),
            }
        });
        targets.collect()
    });
    &ALL
}

/// Recognises a PDF by its header within the first kilobyte, where readers have always looked for it. A header in a ZIP
/// archive does not count, because it belongs to an entry. A file with the extension of PDF may lack the header if the
/// first kilobyte contains the beginning of an object.
fn recognise(_: &[u8], input: &mut dyn Input, extension: Option<&str>) -> Option<&'static Format> {
    let head = read_head(input, HEADER_WITHIN).ok()?;
    let has = |part: &[u8]| memchr::memmem::find(&head, part).is_some();
    let has_pdf_extension = extension.is_some_and(|name| file::format().is_called(name));
    let is_archive = head.starts_with(b"PK\x03\x04");
    (has(b"%PDF-") && !is_archive || has_pdf_extension && has(b" 0 obj")).then(file::format)
}

/// Rewrites a file. If that does not make it smaller, and the original may be used unchanged, the result is the
/// original.
fn smallest(
    job: &Job<'_>,
    pdf: &Pdf,
    input: &mut dyn Input,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let before = notes.clone();
    let mut rewritten = Cursor::new(Vec::new());
    // Memory for the new file, whose buffer is copied as it grows, and for the original.
    let _lease = job.lease(3 * job.input_len)?;
    edit::convert(job, &[pdf], &[], &[], &mut rewritten, notes)?;
    let mut rewritten = rewritten.into_inner();
    if rewritten.len() as u64 >= job.input_len
        && !edit::original::has_cycle(job, pdf)
        && let Some(original) = edit::original::read(job, pdf, input)?
    {
        *notes = before;
        notes.add("The file is unchanged, because rewriting it would not make it smaller.");
        rewritten = original;
    }
    output.write_all(&rewritten).map_err(Error::unwritten)
}

/// Converts HTML to pictures of a browser window, PDF to PDF with edits, and PDF to documents, pictures or (with OCR)
/// words with positions.
fn convert(job: &Job<'_>, input: &mut dyn Input, output: &mut dyn Output) -> Result<Notes> {
    let mut notes = Notes::default();
    if job.from != file::format() {
        window::convert(job, input, output, &mut notes)?;
        return Ok(notes);
    }
    if job.to == file::format() {
        let pdf = match edit::flattens(job) {
            true => file::open_with_forms(job, input, &mut notes)?,
            false => {
                let pdf = file::open_as_is(job, input)?;
                file::tell_missing(job, &pdf, &mut notes)?;
                pdf
            }
        };
        if edit::original::may_stay(job) {
            smallest(job, &pdf, input, output, &mut notes)?;
            return Ok(notes);
        }
        edit::convert(job, &[&pdf], &[], &[], output, &mut notes)?;
        return Ok(notes);
    }
    let file = file::open(job, input, &mut notes)?;
    match job.to.category {
        #[cfg(feature = "ocr")]
        _ if written::is_of_words(job.to) => {
            words::convert(job, &file, output, &mut notes)?;
        }
        Category::Document if job.to.name == "txt" => {
            documents::write_plain(job, &file, output, &mut notes)?;
        }
        Category::Document => {
            let (document, _lease) = documents::read(job, &file, &mut notes)?;
            document::write(job, document, output, &mut notes)?;
        }
        _ => pictures::convert(job, &file, output, &mut notes)?,
    }
    Ok(notes)
}
