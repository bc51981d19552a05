//! Comics: archives of pictures, one for each page. Makes comics from archives of pictures, and from all formats that
//! convert to pictures. Also makes books from comics. Pages in a format that comic readers or, for a book, reading
//! systems support stay unchanged, unless the job has options.

mod book;
mod info;

pub(in crate::archive) use info::Info;

use super::{
    Converters,
    entries::Files,
    formats,
    member_notes::MemberNotes,
    members::{self, Unpacked, excuse, fenced},
    pages::no_picture,
};
use crate::{
    album,
    containers::zip::{Names, Packing, Writer},
    error::{Error, Kind, Result},
    format::{Category, Format},
    image::plate,
    job::{Converter, InMemory, Input, Job, Lease, Notes, Output, Pair, Task},
};
use book::Book;

/// The option that selects the page of a document.
pub const PAGE: &str = "page";
/// The value of the option [`PAGE`] that selects all pages.
const ALL: &str = "all";

/// Formats of pages that comic readers support.
const PAGE_FORMATS: [&str; 6] = ["jpg", "png", "gif", "webp", "avif", "jxl"];
/// Formats of raster pictures that every EPUB reading system supports (EPUB 3.3, 3.2).
const CORE: [&str; 4] = ["jpg", "png", "gif", "webp"];
/// Formats of photographs, which become jpg if they must be converted. All others become png, without loss.
const PHOTOGRAPHS: [&str; 5] = ["jpg", "webp", "avif", "jxl", "heic"];

/// The format in which comics are written: `cbz`.
pub fn format() -> &'static Format {
    let mut all = formats::formats();
    all.find(|format| format.name == "cbz")
        .expect("cbz is a format of archives")
}

/// Returns whether the pictures of an archive become one file: a comic, or a book made from a comic.
pub(super) fn makes(job: &Job<'_>) -> bool {
    job.to == format() || is_book(job)
}

fn is_book(job: &Job<'_>) -> bool {
    job.to.name == "epub" && formats::is_comic(job.from)
}

/// A picture that becomes a page.
struct Page<'a> {
    bytes: Vec<u8>,
    format: &'static Format,
    _lease: Option<Lease<'a>>,
}

/// Makes a comic or a book of the pictures of an archive, and returns the number of its pages. The result is incomplete
/// if this number is 0.
pub(super) fn of_files(
    job: &Job<'_>,
    files: &mut Files<'_>,
    output: &mut dyn Output,
    converters: &dyn Converters,
    member_notes: &mut MemberNotes,
) -> Result<usize> {
    let mut converted = 0;
    if is_book(job) {
        let info = Info::read(job, files);
        let mut book = Book::new(job, info, output)?;
        each(
            job,
            files,
            converters,
            &CORE,
            member_notes,
            &mut |nth, _, page| {
                if !book.info().leaves_out(nth) {
                    book.add(page)?;
                    converted += 1;
                }
                Ok(())
            },
        )?;
        if converted > 0 {
            book.finish()?;
        }
        return Ok(converted);
    }
    let mut archive = Writer::new(job, output);
    let mut names = Names::default();
    each(
        job,
        files,
        converters,
        &PAGE_FORMATS,
        member_notes,
        &mut |_, name, page| {
            let name = members::renamed(name, page.format.name);
            archive.add(&names.add(&name), &page.bytes, Packing::Stored)?;
            converted += 1;
            Ok(())
        },
    )?;
    if let Some(info) = files.comic_info().filter(|_| converted > 0) {
        archive.add(formats::COMIC_INFO, &info, Packing::Deflated)?;
    }
    if converted > 0 {
        archive.finish()?;
    }
    Ok(converted)
}

/// Calls `take` for each page of each picture in `files`. The arguments are the index of the picture in `files`, a name
/// for the page, and the page in one of the `kept` formats. A file that fails is noted and left out.
fn each(
    job: &Job<'_>,
    files: &mut Files<'_>,
    converters: &dyn Converters,
    kept: &[&str],
    member_notes: &mut MemberNotes,
    take: &mut dyn FnMut(usize, &str, &Page<'_>) -> Result<()>,
) -> Result<()> {
    files.each(job, &mut |files, nth, name| {
        let file = Unpacked::read(job, files, nth, converters);
        let mut is_over = false;
        let mut give =
            |name: &str, page: &Page<'_>| take(nth, name, page).inspect_err(|_| is_over = true);
        let done = file.and_then(|file| pages(job, file, name, converters, kept, &mut give));
        match done {
            Ok(notes) => member_notes.add_all(name, &notes),
            // A write error ends the job, whichever file caused it.
            Err(error) if is_over => return Err(error),
            Err(error) => excuse(job, error, name, member_notes)?,
        }
        Ok(())
    })
}

/// Calls `take` for each page of a picture.
fn pages(
    job: &Job<'_>,
    mut file: Unpacked<'_>,
    name: &str,
    converters: &dyn Converters,
    kept: &[&str],
    take: &mut dyn FnMut(&str, &Page<'_>) -> Result<()>,
) -> Result<Notes> {
    if !album::takes(file.format) {
        return Err(no_picture(file.format));
    }
    // If the job has options, they may change the picture, so even one in a supported format is encoded again.
    if kept.contains(&file.format.name) && job.options().is_empty() {
        let page = Page {
            bytes: std::mem::take(file.input.get_mut()),
            format: file.format,
            _lease: None,
        };
        take(name, &page)?;
        return Ok(Notes::default());
    }
    let count = plate::pages(file.format, &mut file.input)?;
    let target = match PHOTOGRAPHS.contains(&file.format.name) {
        true => "jpg",
        false => "png",
    };
    let mut notes = Notes::default();
    for number in 1..=count {
        job.check()?;
        let chosen = (count > 1).then_some(number);
        let (page, told) = converted(job, &mut file, converters, target, chosen)?;
        told.move_into(&mut notes);
        match chosen {
            None => take(name, &page)?,
            Some(number) => take(&numbered(name, number), &page)?,
        }
    }
    Ok(notes)
}

/// Converts a page of a picture to the format named `target`. `page` is `None` if the picture has only one page.
fn converted<'g>(
    job: &Job<'g>,
    file: &mut Unpacked<'_>,
    converters: &dyn Converters,
    target: &str,
    page: Option<u32>,
) -> Result<(Page<'g>, Notes)> {
    let found = picture_pair(file.format, target, converters);
    let Some((pair, converter)) = found else {
        let text = format!("{} files cannot be pages of a comic", file.format.name);
        return Err(Error::new(Kind::BadInput, text));
    };
    let task = task_for(job, &pair, page.map(|page| page.to_string()));
    let mut output = InMemory::new(job);
    let notes = job.part(&task, (pair.from, pair.to), file.len, |job| {
        fenced(|| (converter.convert)(job, &mut file.input, &mut output))
    });
    let (bytes, lease) = output.finish()?;
    let page = Page {
        bytes,
        format: pair.to,
        _lease: Some(lease),
    };
    Ok((page, notes?))
}

/// Finds the pair and the converter from a format to the picture format named `target`.
fn picture_pair(
    from: &Format,
    target: &str,
    converters: &dyn Converters,
) -> Option<(Pair, &'static Converter)> {
    let to = plate::sources().find(|format| format.name == target)?;
    converters.find(from, to)
}

fn task_for(job: &Job<'_>, pair: &Pair, page: Option<String>) -> Task {
    let mut options = job.options().for_specs(pair.options);
    if let Some(page) = page {
        options.insert(PAGE, page);
    }
    Task {
        from: pair.from.name.to_owned(),
        to: pair.to.name.to_owned(),
        quality: job.quality(),
        options,
        file_title: None,
    }
}

/// Inserts the number of a page before the extension of a file name.
fn numbered(name: &str, number: u32) -> String {
    let start = name.rfind('/').map_or(0, |slash| slash + 1);
    let dot = name[start..].rfind('.').filter(|dot| *dot > 0);
    let (stem, extension) = name.split_at(dot.map_or(name.len(), |dot| start + dot));
    format!("{stem}-{number:03}{extension}")
}

/// Makes a comic of one file, with a page for each page of the picture or document.
///
/// Errors: those of converting the file to pictures.
pub fn convert(
    job: &Job<'_>,
    input: &mut dyn Input,
    output: &mut dyn Output,
    converters: &dyn Converters,
) -> Result<Notes> {
    if job.from.category == Category::Image {
        let mut archive = Writer::new(job, output);
        let file = Unpacked::whole(job, input)?;
        let notes = pages(
            job,
            file,
            "page",
            converters,
            &PAGE_FORMATS,
            &mut |name, page| {
                let name = format!("{name}.{}", page.format.name);
                archive.add(&name, &page.bytes, Packing::Stored)
            },
        )?;
        archive.finish()?;
        return Ok(notes);
    }
    let Some((pair, converter)) = picture_pair(job.from, "jpg", converters) else {
        return Err(Error::internal("no pictures of such files", job.from.name));
    };
    // With `page=all`, the converter writes an archive with a picture for each page.
    let task = task_for(job, &pair, Some(ALL.to_owned()));
    let part_notes = job.part(&task, (pair.from, pair.to), job.input_len, |job| {
        (converter.convert)(job, input, output)
    })?;
    let mut notes = Notes::default();
    part_notes.move_into(&mut notes);
    Ok(notes)
}

/// Returns whether a conversion to pictures accepts `page=all`, which puts the pictures of all pages into one archive.
pub fn gives_all_pages(pair: &Pair) -> bool {
    let mut options = pair.options.iter();
    options.any(|spec| spec.name == PAGE && spec.accept(PAGE, ALL).is_ok())
}
