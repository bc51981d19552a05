//! Converts documents between all common formats: text with headings, lists, tables, notes and pictures. Never fetches
//! external resources.
//!
//! ```text
//! formats/<format>/read ──► convertd_tree::Document ──► formats/<format>/write
//! ```
//! Readers and writers do not depend on one another. They share only the tree, [`Document`].

mod formats;
mod lines;
mod pixels;
mod resample;
mod resource_addresses;
mod sheet;

use crate::job::OptionSpec;
use crate::{
    error::{Error, Result},
    format::Format,
    job::{Converter, Input, Job, Notes, Output, Pair},
};
use convertd_office::flat;
use convertd_tree::{Document, input::read_all, losses::Losses, row::Row};
use formats::{INTERNAL, ROWS};

pub use convertd_markup::html::percent_decoded;
pub use convertd_pdfwrite::document::{format as pdf, pages as pdf_pages};
pub use formats::docling::WITHOUT_PICTURES;
pub(crate) use formats::epub::{CONTAINER as EPUB_CONTAINER, language as epub_language};
pub use pixels::run as add_pixels;
pub use resource_addresses::{is_picture, look_beside, names_others};

/// Makes SVG drawings, alone and in documents, use the CSS that HTML pages use. Without this call, they use CSS 2.1.
#[cfg(feature = "svg")]
pub fn style_drawings() {
    crate::image::vector::resolve_with(convertd_markup::css::drawing::resolved);
}

/// The converter for documents.
pub static CONVERTER: Converter = Converter {
    name: "document",
    formats: || ROWS.iter().map(|row| &row.format).collect(),
    pairs,
    recognise: |head, input, extension| {
        let is = |row: &&&Row| row.recognise.is_some_and(|is| is(head, input, extension));
        ROWS.iter().find(is).map(|row| &row.format)
    },
    convert,
};

fn pairs() -> Vec<Pair> {
    let sources = ROWS.iter().filter(|row| row.read.is_some());
    let pairs = sources.flat_map(|from| {
        ROWS.iter().filter_map(|to| {
            let target = to.write.as_ref()?;
            Some(Pair {
                from: &from.format,
                to: &to.format,
                quality: target.quality,
                options: convertd_boxes::options(from.format.name, &to.format)
                    .unwrap_or(target.options),
            })
        })
    });
    pairs.collect()
}

/// The document formats that can be written, with the meaning of each quality and their options, for other converters
/// that produce documents.
pub fn targets() -> impl Iterator<
    Item = (
        &'static Format,
        &'static str,
        &'static [&'static OptionSpec],
    ),
> {
    ROWS.iter().filter_map(|row| {
        let target = row.write.as_ref()?;
        Some((&row.format, target.quality, target.options))
    })
}

/// The format HTML, for converters that make pages.
pub fn html_format() -> &'static Format {
    &formats::html::ROW.format
}

/// The JSON format of docling. It is internal: no list shows it to users.
pub fn docling() -> &'static Format {
    &formats::docling::ROW.format
}

/// The document format with this name, for converters between it and other categories.
///
/// Panics for an unknown name. Names are constants in the code, so a test finds a wrong one.
pub fn format(name: &str) -> &'static Format {
    let mut rows = ROWS.iter().filter(|row| row.format.name == name);
    &rows.next().expect("a format of this category").format
}

/// The document formats that can be read, for converters that use documents as a source.
pub fn sources() -> impl Iterator<Item = &'static Format> {
    let rows = ROWS.iter().filter(|row| row.read.is_some());
    rows.map(|row| &row.format)
}

/// Reads a document in the source format of the job.
pub fn read(job: &Job<'_>, input: &mut dyn Input, notes: &mut Notes) -> Result<Document> {
    match row(job.from)?.read {
        Some(read) => flat::with_package(job, input, |job, input| read(job, input, notes)),
        None => Err(Error::internal("no such conversion", job.from.name)),
    }
}

/// Prepares a document for a format without HTML: converts raw HTML to blocks, sets the title that the job wants,
/// reduces and rotates pictures, and adds a PNG to each picture whose media type is not one of `pictures`.
pub fn prepared(
    job: &Job<'_>,
    document: Document,
    pictures: Option<&'static [&'static str]>,
    notes: &mut Notes,
) -> Result<Document> {
    let mut document = prepare(job, document, false, true, notes)?;
    resample::run(job, &mut document, false)?;
    if let Some(pictures) = pictures {
        pixels::run(job, &mut document, pictures, notes)?;
    }
    Ok(document)
}

/// Does the steps that all targets need first. Converts raw HTML to blocks, unless the target can contain HTML and the
/// document runs no scripts. Sets the title that the job wants, or one for a target that needs a title (`titled`).
/// Prevents the rotation of pictures if programs for the source format ignore the orientation in the metadata of
/// pictures.
fn prepare(
    job: &Job<'_>,
    mut document: Document,
    keeps_html: bool,
    titled: bool,
    notes: &mut Notes,
) -> Result<Document> {
    document.hold(job)?;
    if document.has_raw_html() && (!keeps_html || convertd_markup::html::runs_scripts(&document)) {
        document = convertd_markup::html::dissolve(job, document, notes)?;
        document.hold(job)?;
    }
    if let Some(title) = job.options().word(convertd_tree::options::TITLE.name) {
        document.metadata.title = Some(title.to_owned());
    }
    if titled {
        convertd_tree::contents::ensure_title(job, &mut document);
    }
    if row(job.from).is_ok_and(|from| !from.turns_pictures) {
        document.keep_pictures_as_stored();
    }
    Ok(document)
}

fn row(format: &Format) -> Result<&'static Row> {
    let mut rows = ROWS.iter().chain(INTERNAL);
    let row = rows.find(|row| row.format == *format);
    row.copied()
        .ok_or_else(|| Error::internal("no such format", format.name))
}

fn convert(job: &Job<'_>, input: &mut dyn Input, output: &mut dyn Output) -> Result<Notes> {
    let mut notes = Notes::default();
    if convertd_boxes::takes(job) {
        let page = match job.from.name {
            "epub" => formats::epub::page(job, input, &mut notes)?,
            "mobi" => formats::mobi::page(job, input, &mut notes)?,
            _ => page(job, input)?,
        };
        convertd_boxes::write(job, &page, output, &mut notes)?;
        return Ok(notes);
    }
    let Some(read) = row(job.from)?.read else {
        return Err(Error::internal("no such conversion", job.from.name));
    };
    flat::with_package(job, input, |job, input| {
        let document = read(job, input, &mut notes)?;
        write(job, document, output, &mut notes)
    })?;
    Ok(notes)
}

/// Reads an HTML page for layout as boxes.
fn page(job: &Job<'_>, input: &mut dyn Input) -> Result<convertd_boxes::Source> {
    // Memory for the bytes and the decoded text, in which a character of one byte may take three.
    let (bytes, _lease) = read_all(job, input, 4)?;
    let text = convertd_tree::encoding::decode_html(bytes);
    Ok(convertd_boxes::Source::of_page(text))
}

/// Options of the conversions that use [`window`], in addition to those of the picture format: the width, the
/// resolution, and whether backgrounds are shown.
#[cfg(feature = "pdf")]
pub(crate) static WINDOW: [&OptionSpec; 3] = [
    &convertd_boxes::WIDTH,
    &convertd_boxes::DPI,
    &convertd_boxes::BACKGROUND,
];

/// Writes an HTML page as a PDF of one page with the size of a browser's window, for converters that make pictures of
/// pages.
///
/// Errors: the job is over, or memory is not granted.
#[cfg(feature = "pdf")]
pub(crate) fn window(
    job: &Job<'_>,
    input: &mut dyn Input,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    convertd_boxes::window(job, &page(job, input)?, output, notes)
}

/// Writes a document in the target format of the job.
pub fn write(
    job: &Job<'_>,
    document: Document,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let Some(target) = &row(job.to)?.write else {
        return Err(Error::internal("no such conversion", job.to.name));
    };
    let mut document = prepare(job, document, target.keeps_html, target.titled, notes)?;
    if !target.frames {
        note_boxes(&document, notes);
    }
    if target.resamples {
        resample::run(job, &mut document, row(job.to)?.turns_pictures)?;
    }
    if let Some(pictures) = target.pictures {
        pixels::run(job, &mut document, pictures, notes)?;
    }
    (target.write)(job, &document, output, notes)
}

/// Adds a note about the text boxes of a document, for a target that cannot position them.
fn note_boxes(document: &Document, notes: &mut Notes) {
    let mut losses = Losses::default();
    for section in document.sections() {
        convertd_tree::each_block(&section.blocks, &mut |block| {
            if let convertd_tree::Block::Group(group) = block
                && let convertd_tree::GroupKind::Frame(frame) = &group.kind
                && frame.apart
            {
                losses.add(&convertd_office::wordprocessing::losses::TEXT_BOXES);
            }
        });
    }
    losses.add_notes(notes);
}
