//! PDF to PDF: pages are selected, rotated, split and merged. Their content stays unchanged unless the job asks for
//! smaller pictures, stamps, text layers, flat forms or PDF/A. Runs no scripts.
//!
//! ```text
//! files ──► store ──► assemble ──► write
//!           (values)   │ leaves, targets, outlines, labels, forms, tags, layers
//! ```
//! `hayro` parses, repairs and decrypts the files. An object is read when something refers to it, so a few pages of a
//! long file cost little, and unreferenced objects are dropped. `hayro-write`, which copies pages, was examined: it
//! leaves out annotations, forms, tags, outlines and labels, and shows hidden layers.

mod about;
mod archival;
mod assemble;
mod attach;
mod bookmarks;
mod claims;
mod crypt;
mod faults;
mod flatten;
mod forms;
#[cfg(feature = "ocr")]
mod hidden;
mod labels;
mod layers;
mod leaves;
mod mend;
mod metadata;
#[cfg(feature = "ocr")]
mod operators;
pub mod options;
pub mod original;
mod outlines;
mod overlay;
mod packet;
mod ranges;
#[cfg(feature = "ocr")]
mod scans;
mod serial;
mod shown;
mod shrink;
mod sources;
mod stamp;
mod store;
mod tag_keys;
mod tags;
mod targets;
mod trees;
mod value;
mod write;

use crate::{
    containers::zip::{Packing, Writer},
    error::{Error, Kind, Reason, Result},
    job::{Job, Notes, OptionSpec, Output, Progress, Unit},
};
pub use about::{about, about_with_bookmarks};
use assemble::{Assembly, SourcePage, assemble};
pub use attach::{Attachment, Wanted};
use convertd_pdfwrite::object::File;
use crypt::Lock;
use hayro::hayro_syntax::{Pdf, PdfVersion};
use sources::Sources;
use stamp::Stamps;
use std::{
    collections::{HashMap, HashSet},
    io::Cursor,
};
use store::Store;
use value::{Dict, Value};

/// Limit on the pages of a result. Most programs cannot handle larger files.
const MAX_PAGES: usize = 100_000;
/// Limit on the files that a document is split into.
const MAX_PARTS: usize = 10_000;

/// Meaning of the quality.
pub const QUALITY: &str = "the file is rewritten with object streams and without unused objects; high keeps every byte of pictures, medium and low reduce pictures of higher resolution to 200 and 110 dpi, as JPEG";

/// The fields of conversions from PDF to PDF.
pub fn specs() -> &'static [&'static OptionSpec] {
    &options::ALL
}

/// Writes the selected pages of one or several files, in order. `titles` are the outline entries above those of the
/// files, if there are several files. The attachments are added to each result.
///
/// Errors: [`Kind::BadInput`] for invalid values of options, such as pages beyond the last one, and for results beyond
/// a limit; there is not enough memory; or the job is to end.
pub fn convert(
    job: &Job<'_>,
    files: &[&Pdf],
    titles: &[String],
    attachments: &[Attachment],
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let mut all = Vec::new();
    for (source, pdf) in (0..).zip(files) {
        all.extend((0..pdf.pages().len()).map(|index| SourcePage { source, index }));
    }
    let turned = rotations(job, &all)?;
    let stamped = named_pages(job, &options::STAMP_PAGES, &all)?;
    let marked = named_pages(job, &options::WATERMARK_PAGES, &all)?;
    let picks = match job.options().word(options::PAGES.name) {
        Some(list) => {
            let pages = ranges::pages(options::PAGES.name, list, all.len(), MAX_PAGES)?;
            pages.into_iter().map(|page| all[page]).collect()
        }
        None => all,
    };
    if picks.len() > MAX_PAGES {
        let text = format!("the result would have more than {MAX_PAGES} pages, the limit");
        return Err(Error::new(Kind::BadInput, text));
    }
    let mut store = Store::new(job, files.to_vec());
    let sources = Sources::read(&mut store, titles)?;
    let Some(together) = job.options().integer(options::SPLIT.name) else {
        return part(
            job,
            &mut store,
            &sources,
            &Pages {
                picks: &picks,
                turned: &turned,
                stamped: stamped.as_ref(),
                marked: marked.as_ref(),
                attachments,
            },
            output,
            notes,
        );
    };
    if job.options().word(options::BOOKMARKS.name).is_some() {
        let text =
            "split and bookmarks exclude each other, because bookmarks name pages of the whole";
        return Err(Error::new(Kind::BadInput, text));
    }
    let together = usize::try_from(together).unwrap_or(usize::MAX);
    let parts = picks.len().div_ceil(together);
    if parts > MAX_PARTS {
        let text = format!(
            "split would make {parts} files; the limit is {MAX_PARTS}: choose a larger number of pages"
        );
        return Err(Error::new(Kind::BadInput, text));
    }
    let digits = parts.to_string().len().max(3);
    let mut archive = Writer::new(job, output);
    for (nth, group) in picks.chunks(together).enumerate() {
        job.check()?;
        job.progress(Progress {
            done: nth as u64,
            total: parts as u64,
            unit: Unit::Steps,
        });
        let mut file = Cursor::new(Vec::new());
        let mut own = Notes::default();
        let pages = Pages {
            picks: group,
            turned: &turned,
            stamped: stamped.as_ref(),
            marked: marked.as_ref(),
            attachments,
        };
        part(job, &mut store, &sources, &pages, &mut file, &mut own)?;
        store.start_over();
        own.move_into(notes);
        let name = format!("part-{:0digits$}.pdf", nth + 1);
        archive.add(&name, file.get_ref(), Packing::Stored)?;
    }
    notes.mark_archive();
    archive.finish()
}

/// The pages of one result.
struct Pages<'p> {
    picks: &'p [SourcePage],
    /// Angles of the pages to rotate, in degrees clockwise.
    turned: &'p HashMap<SourcePage, i64>,
    /// Pages with the stamp; `None` for all of them.
    stamped: Option<&'p HashSet<SourcePage>>,
    /// Pages with the watermark; `None` for all of them.
    marked: Option<&'p HashSet<SourcePage>>,
    /// Files to attach to the result.
    attachments: &'p [Attachment],
}

/// The pages that an option names. `None` if the job does not have the option, which stands for all pages.
fn named_pages(
    job: &Job<'_>,
    option: &OptionSpec,
    all: &[SourcePage],
) -> Result<Option<HashSet<SourcePage>>> {
    let Some(list) = job.options().word(option.name) else {
        return Ok(None);
    };
    let pages = ranges::pages(option.name, list, all.len(), MAX_PAGES)?;
    Ok(Some(pages.into_iter().map(|page| all[page]).collect()))
}

/// The pages to rotate, with their angles in degrees clockwise.
fn rotations(job: &Job<'_>, all: &[SourcePage]) -> Result<HashMap<SourcePage, i64>> {
    let default = job.options().integer(options::ROTATE.name);
    let default = i64::from(default.unwrap_or_default());
    let option = &options::ROTATE_PAGES;
    let turned = match job.options().word(option.name) {
        // OCRmyPDF uses this name for another field, whose value is `true`, so this value is not read as a list.
        Some(list) if !job.options().flag(option.name) => {
            let turned = ranges::turned(option.name, list, default, all.len(), MAX_PAGES)?;
            let turned = turned.into_iter();
            turned.map(|(page, angle)| (all[page], angle)).collect()
        }
        Some(_) | None if default == 0 => HashMap::new(),
        Some(_) | None => all.iter().map(|pick| (*pick, default)).collect(),
    };
    Ok(turned)
}

/// Writes one result.
fn part(
    job: &Job<'_>,
    store: &mut Store<'_>,
    sources: &Sources,
    pages: &Pages<'_>,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let flat = flattens(job);
    let document = assemble(store, sources, pages.picks, flat, notes)?;
    if let Some(dpi) = density(job) {
        shrink::shrink(job, store, pages.picks, dpi, notes)?;
    }
    rotate_pages(store, &document, pages);
    let mut info = sources.info.clone();
    if let Some(title) = job.options().word(options::TITLE.name) {
        info.set("Title", Value::text(title));
        metadata::title(store, document.catalog, title);
    }
    if let Some(text) = job.options().word(options::INFO.name) {
        metadata::set(store, document.catalog, &mut info, text, notes)?;
    }
    if let Some(text) = job.options().word(options::BOOKMARKS.name) {
        bookmarks::replace(store, &document, text)?;
    }
    attach::add(store, document.catalog, pages.attachments);
    let archive = archive_part(job)?;
    if let Some(archive) = archive {
        let gone = &document.gone;
        archival::make(store, document.catalog, &mut info, gone, archive, notes)?;
    }
    let lock = lock(job)?;
    if lock.is_some() {
        // PDF/A may not be encrypted (ISO 19005-2, 6.1.3), so the result must not claim to be PDF/A.
        packet::forget(store, document.catalog);
    }
    let newest = store.sources().iter().map(|pdf| pdf.version()).max();
    let version = match newest {
        // Parts 2 and 3 of PDF/A are based on PDF 1.7 (ISO 19005-2, 6.1.2).
        _ if archive.is_some() => "1.7",
        _ if lock.is_some() => "2.0",
        Some(PdfVersion::Pdf20) => "2.0",
        _ => "1.7",
    };
    let mut file = File::of_version(output, version);
    let cipher = lock.as_ref().map(|lock| {
        let id = file.next();
        let mut dict = Vec::new();
        serial::dict(&lock.dict, &mut serial::Plain, &mut dict);
        file.alone(id, &dict);
        file.encrypt(id, lock.cipher());
        lock.cipher()
    });
    let cipher = cipher.as_ref().map(|cipher| cipher as &write::Cipher<'_>);
    #[cfg(feature = "ocr")]
    scans::layers(job, store, &mut file, &document, pages, notes)?;
    draw_stamps(job, store, &mut file, &document, pages)?;
    write::write(store, &mut file, &document, info, cipher)
}

/// Resolution in dots per inch to which pictures are reduced; `None` if they are not. With OCR, only low quality
/// reduces them.
fn density(job: &Job<'_>) -> Option<f64> {
    #[cfg(feature = "ocr")]
    if scans::wanted(job) {
        return job.quality().pick(Some(110.0), None, None);
    }
    job.quality().pick(Some(110.0), Some(200.0), None)
}

/// The part of PDF/A that the result must conform to.
///
/// Errors: [`Kind::BadInput`] if the file is also to be encrypted.
fn archive_part(job: &Job<'_>) -> Result<Option<&'static str>> {
    let Some(part) = convertd_pdfwrite::document::metadata::archive(job.options()) else {
        return Ok(None);
    };
    let has = |option: &OptionSpec| job.options().word(option.name).is_some();
    let locks = [&options::ENCRYPT, &options::OWNER, &options::PERMISSIONS];
    match locks.into_iter().find(|option| has(option)) {
        Some(lock) => {
            let text = format!(
                "pdf_a and {} exclude each other: PDF/A is never encrypted",
                lock.name
            );
            Err(Error::new(Kind::BadInput, text).because(Reason::NotOffered))
        }
        None => Ok(Some(part)),
    }
}

/// Returns whether form fields and comments become page content.
pub fn flattens(job: &Job<'_>) -> bool {
    job.options().flag(options::FLATTEN.name)
}

/// Draws page numbers, stamps and watermarks, and writes their fonts.
fn draw_stamps(
    job: &Job<'_>,
    store: &mut Store<'_>,
    file: &mut File<'_>,
    document: &Assembly,
    pages: &Pages<'_>,
) -> Result<()> {
    let numbers = job.options().flag(options::NUMBERS.name);
    let text = job.options().word(options::STAMP.name);
    let watermark = job.options().word(options::WATERMARK.name);
    if !numbers && text.is_none() && watermark.is_none() {
        return Ok(());
    }
    let mut stamps = Stamps::new();
    for ((number, id), pick) in (1..).zip(&document.pages).zip(pages.picks) {
        store.check()?;
        let page = store.dict_of(*id).unwrap_or_default();
        let mut below = Vec::new();
        let mut overlays = Vec::new();
        let is_marked = pages.marked.is_none_or(|marked| marked.contains(pick));
        if let Some(text) = watermark.filter(|_| is_marked) {
            below.push(stamps.across(store, file, &page, text));
        }
        let is_stamped = pages.stamped.is_none_or(|stamped| stamped.contains(pick));
        if let Some(text) = text.filter(|_| is_stamped) {
            overlays.push(stamps.across(store, file, &page, text));
        }
        if numbers {
            overlays.push(stamps.number(store, file, &page, number));
        }
        overlay::draw(store, *id, &below, &overlays);
    }
    stamps.write(file)
}

/// The encryption that the job asks for. An owner password gives all rights; the permissions apply to readers without
/// it. Without an owner password, the permissions apply to all readers.
fn lock(job: &Job<'_>) -> Result<Option<Lock>> {
    let password = job.options().word(options::ENCRYPT.name);
    let permissions = job.options().word(options::PERMISSIONS.name);
    if let Some(owner) = job.options().word(options::OWNER.name) {
        let allowed = crypt::permissions(permissions.unwrap_or("all"))?;
        return Lock::new(password.unwrap_or_default(), Some(owner), allowed).map(Some);
    }
    let lock = match (password, permissions) {
        (None, None) => return Ok(None),
        (Some(password), None) => Lock::new(password, Some(password), crypt::permissions("all")?),
        (password, Some(list)) => {
            let allowed = crypt::permissions(list)?;
            Lock::new(password.unwrap_or_default(), None, allowed)
        }
    };
    lock.map(Some)
}

/// Adds the requested angles to the rotation of pages.
fn rotate_pages(store: &mut Store<'_>, document: &Assembly, pages: &Pages<'_>) {
    for (page, pick) in document.pages.iter().zip(pages.picks) {
        let degrees = match pages.turned.get(pick) {
            None | Some(0) => continue,
            Some(degrees) => degrees,
        };
        let mut dict: Dict = store.dict_of(*page).unwrap_or_default();
        let turned = (leaves::rotation(store, &dict) + degrees) % 360;
        dict.set("Rotate", turned);
        store.set(*page, dict);
    }
}
