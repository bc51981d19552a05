//! Conversions by way of a PDF in memory: documents, sheets and slides become pictures of their pages, and conversions
//! to PDF get the options of the PDF editor, such as a stamp, page numbers or a password. The layout, the drawing and
//! the editing are done by other modules.

use super::{CONVERTERS, Route, fields::Lists};
use crate::{
    document,
    error::{Error, Result},
    format::{Category, Format},
    image::drawing::Tuning,
    job::{Converter, InMemory, Input, Job, Notes, OptionSpec, Options, Output, Pair, Task},
};
use convertd_pdf::{
    edit,
    read::{
        file::{self, Pdf},
        options::{self, of_pictures},
        pictures,
    },
};
use std::sync::LazyLock;

/// Draws the pages of documents, sheets and slides.
pub(super) static DRAWN: Converter = Converter {
    name: "drawn",
    formats: Vec::new,
    pairs: to_pictures,
    recognise: |_, _, _| None,
    convert: draw,
};

/// Converts to PDF with the converter of the format, and then edits the result. This converter has no pairs of its own:
/// `add_fields` puts it into the routes to PDF.
static EDITED: Converter = Converter {
    name: "edited",
    formats: Vec::new,
    pairs: Vec::new,
    recognise: |_, _, _| None,
    convert: edit,
};

/// Formats without pages or formatting, which are not offered as pictures.
const PLAIN: [&str; 11] = [
    "txt", "csv", "tsv", "json", "jsonl", "yaml", "toml", "xml", "srt", "vtt", "ass",
];

/// Options of the whole PDF file, which pictures of its pages do not have.
const FILE_OPTIONS: [&str; 4] = ["title", "toc", "pdf_a", "notes"];

/// The routes to PDF from all other formats, by the converters that make a PDF themselves. Archives are left out,
/// because the files in an archive take these routes one by one. The converters of comics and of drawn pages are left
/// out, because their pairs depend on these routes.
static PDF_ROUTES: LazyLock<Vec<Route>> = LazyLock::new(|| {
    let others =
        (CONVERTERS.iter()).filter(|other| !["drawn", "comic", "archive"].contains(&other.name));
    let routes = others.flat_map(|&converter| {
        let pairs = (converter.pairs)();
        pairs.into_iter().map(move |pair| Route { pair, converter })
    });
    let pdf = document::pdf();
    let mut routes = routes
        .filter(|route| route.pair.to == pdf && route.pair.from != pdf)
        .collect::<Vec<_>>();
    super::add_passwords(&mut routes);
    routes
});

/// Returns the route from a format to PDF.
///
/// Errors: [`PDF_ROUTES`] has no such route. This cannot happen for a format to which `to_pictures` or `add_fields`
/// gave a converter of this module.
fn pdf_route(from: &Format) -> Result<&'static Route> {
    let route = PDF_ROUTES.iter().find(|route| route.pair.from == from);
    route.ok_or_else(|| Error::internal("no way to a PDF", from.name))
}

/// Pairs from documents, sheets and slides to pictures. [`PLAIN`] formats are left out, and so is HTML: its own
/// converter draws a page as in a window, without page breaks.
fn to_pictures() -> Vec<Pair> {
    let mut lists = Lists::default();
    let mut pairs = Vec::new();
    for route in PDF_ROUTES.iter() {
        let from = route.pair.from;
        let has_pages = matches!(
            from.category,
            Category::Document | Category::Spreadsheet | Category::Presentation
        );
        if !has_pages || from == document::html_format() || PLAIN.contains(&from.name) {
            continue;
        }
        for (to, quality, options) in options::pictures() {
            let keep = |spec: &OptionSpec| !FILE_OPTIONS.contains(&spec.name);
            pairs.push(Pair {
                from,
                to,
                quality,
                options: lists.joined(options, route.pair.options, keep),
            });
        }
    }
    pairs
}

/// Adds the options of the PDF editor to the routes to PDF that [`PDF_ROUTES`] contains, and makes [`EDITED`] their
/// converter.
pub(super) fn add_fields(routes: &mut [Route]) {
    let mut lists = Lists::default();
    for route in routes {
        let pair = &mut route.pair;
        if pair.to == document::pdf() && pdf_route(pair.from).is_ok() {
            pair.options = lists.joined(pair.options, &edit::options::NEW_FILE_OPTIONS, |_| true);
            route.converter = &EDITED;
        }
    }
}

fn draw(job: &Job<'_>, input: &mut dyn Input, output: &mut dyn Output) -> Result<Notes> {
    let asked = job
        .options()
        .for_specs(of_pictures(Tuning::ScaleOrLossless));
    by_pdf(job, input, asked, |job, pdf, notes| {
        pictures::convert(job, pdf, output, notes)
    })
}

/// Converts to PDF, and then applies those options of the PDF editor that the conversion itself does not have. If none
/// of these is set to a value other than its default, the PDF is not opened again.
fn edit(job: &Job<'_>, input: &mut dyn Input, output: &mut dyn Output) -> Result<Notes> {
    let Route { pair, converter } = pdf_route(job.from)?;
    let has = |name: &str| pair.options.iter().any(|spec| spec.name == name);
    // The conversion has applied its own options by then: a picture is rotated before it is placed on its page. Only
    // the options of the whole file are passed on to the editor as well.
    let left: Vec<_> = (edit::options::NEW_FILE_OPTIONS.iter().copied())
        .filter(|spec| FILE_OPTIONS.contains(&spec.name) || !has(spec.name))
        .collect();
    let is_asked = |spec: &&OptionSpec| {
        let value = job.options().word(spec.name);
        value.is_some() && value != spec.default && !has(spec.name)
    };
    if !left.iter().any(is_asked) {
        return (converter.convert)(job, input, output);
    }
    by_pdf(
        job,
        input,
        job.options().for_specs(&left),
        |job, pdf, notes| edit::convert(job, &[pdf], &[], &[], output, notes),
    )
}

/// Makes a PDF in memory, and passes it to `go_on` together with a job that has the given options.
///
/// The PDF and the result of `go_on` are in memory at the same time. The buffer of the PDF keeps its memory lease until
/// the file has been opened and has a lease of its own.
fn by_pdf(
    job: &Job<'_>,
    input: &mut dyn Input,
    options: Options,
    go_on: impl FnOnce(&Job<'_>, &Pdf, &mut Notes) -> Result<()>,
) -> Result<Notes> {
    let route = pdf_route(job.from)?;
    let task = Task {
        to: route.pair.to.name.to_owned(),
        options: job.options().for_specs(route.pair.options),
        ..job.task.clone()
    };
    let mut made = InMemory::new(job);
    let first = Job {
        task: &task,
        to: route.pair.to,
        ..*job
    };
    let notes = (route.converter.convert)(&first, input, &mut made);
    let (bytes, lease) = made.finish()?;
    let mut notes = notes?;
    // The first step is over, so the memory that its converter reserved is given back.
    job.reserve(0)?;
    let task = Task {
        options,
        ..job.task.clone()
    };
    let job = Job {
        task: &task,
        from: route.pair.to,
        input_len: bytes.len() as u64,
        ..*job
    };
    let _together = file::together(&job)?;
    let (pdf, _lease) = file::open_one_of(&job, bytes)?;
    drop(lease);
    go_on(&job, &pdf, &mut notes)?;
    Ok(notes)
}
