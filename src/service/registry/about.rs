//! Internal targets, for the service and its drop-in interfaces: a file's metadata, as JSON with ExifTool's field
//! names; the files within it, as an archive; its words with their positions; and docling's JSON. Lists of formats do
//! not show these targets.

use super::{formats, identify};
use crate::{
    error::{Error, Result},
    format::{ARCHIVE_MEDIA_TYPE, Category, Format},
    job::{Converter, Input, Job, Notes, Options, Output, Pair, Quality, Task},
    registry::Route,
};
#[cfg(feature = "ocr")]
use crate::{image::plate, pdf, pictures, scan::analysis};
use serde_json::{Map, Value};
use std::sync::LazyLock;

/// Internal target for a question about a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// The file's metadata: a JSON object.
    About,
    /// The metadata of a PDF with its bookmarks, which are read only where a task needs them.
    Bookmarks,
    /// The files within the file, as a ZIP archive of stored entries. If there are no files in it, the output is empty.
    Embedded,
    /// The words of the file with their positions: a JSON object. Scans and pictures are recognised by OCR.
    #[cfg(feature = "ocr")]
    Analysis,
    /// The text of the file as docling's JSON.
    #[cfg(feature = "document")]
    Docling,
}

static ABOUT: Format = Format {
    name: "about",
    aliases: &[],
    category: Category::Document,
    description: "Metadata of a file",
    media_type: "application/json",
    magic: &[],
};

static BOOKMARKS: Format = Format {
    name: "bookmarks",
    aliases: &[],
    category: Category::Document,
    description: "Metadata of a file, and its bookmarks",
    media_type: "application/json",
    magic: &[],
};

static EMBEDDED: Format = Format {
    name: "embedded",
    aliases: &[],
    category: Category::Archive,
    description: "The files within a file",
    media_type: ARCHIVE_MEDIA_TYPE,
    magic: &[],
};

static CONVERTER: Converter = Converter {
    name: "about",
    formats: Vec::new,
    pairs: Vec::new,
    recognise: |_, _, _| None,
    convert,
};

/// The names of all internal targets, which no format of the registry may have.
const TARGETS: [&str; 5] = ["about", "bookmarks", "embedded", "analysis", "docling"];

/// Returns the task and the route that answer a question about a file. `None` for formats that the question does not
/// apply to.
///
/// Errors: the format of the file is unknown.
pub fn ask(
    question: Question,
    input: &mut dyn Input,
    extension: Option<&str>,
) -> Result<Option<(Task, &'static Route)>> {
    let from = identify(input, extension)?;
    let to = match question {
        Question::About => &ABOUT,
        Question::Bookmarks => &BOOKMARKS,
        Question::Embedded => &EMBEDDED,
        #[cfg(feature = "ocr")]
        Question::Analysis => &analysis::FORMAT,
        #[cfg(feature = "document")]
        Question::Docling => crate::document::docling(),
    };
    let task = Task {
        from: from.name.to_owned(),
        to: to.name.to_owned(),
        quality: Quality::default(),
        options: Options::default(),
        file_title: None,
    };
    Ok(route(&task).map(|route| (task, route)))
}

/// The route of a task with an internal target. `None` for all other targets.
pub(super) fn route(task: &Task) -> Option<&'static Route> {
    static ROUTES: LazyLock<Vec<Route>> = LazyLock::new(|| {
        let route = |from, to| Route {
            pair: Pair {
                from,
                to,
                quality: "",
                options: &[],
            },
            converter: &CONVERTER,
        };
        let about = formats()
            .filter(|from| has_metadata(from))
            .map(|from| route(from, &ABOUT));
        let bookmarks = formats()
            .filter(|from| cfg!(feature = "pdf") && from.name == "pdf")
            .map(|from| route(from, &BOOKMARKS));
        let embedded = formats()
            .filter(|from| holds(from))
            .map(|from| route(from, &EMBEDDED));
        #[cfg(feature = "ocr")]
        let embedded = embedded.chain(analyses());
        #[cfg(feature = "document")]
        let embedded = embedded.chain(texts());
        about.chain(bookmarks).chain(embedded).collect()
    });
    // Most tasks end here, before the list of routes is built.
    if !TARGETS.contains(&&*task.to) {
        return None;
    }
    let is_it = |route: &&Route| route.pair.from.name == task.from && route.pair.to.name == task.to;
    ROUTES.iter().find(is_it)
}

/// Returns the routes to words with their positions: from pictures and from PDF.
#[cfg(feature = "ocr")]
fn analyses() -> impl Iterator<Item = Route> {
    let route = |from, converter| Route {
        pair: Pair {
            from,
            to: &analysis::FORMAT,
            quality: "",
            options: &[],
        },
        converter,
    };
    let pictures = plate::sources().map(move |from| route(from, &pictures::CONVERTER));
    let pdf = formats().filter(|from| from.name == "pdf");
    pictures.chain(pdf.map(move |from| route(from, &pdf::CONVERTER)))
}

/// Converters that read a file into a document tree, from which docling's JSON is written. Those of mail and of
/// archives are not among them, because a message or an archive may contain files of all formats.
#[cfg(feature = "document")]
const TREE_CONVERTERS: [&str; 5] = ["document", "pdf", "presentation", "scan", "spreadsheet"];

/// Returns the routes to docling's JSON: from all formats that the [`TREE_CONVERTERS`] turn into Markdown.
#[cfg(feature = "document")]
fn texts() -> impl Iterator<Item = Route> {
    use crate::document;

    formats().filter_map(|from| {
        let known = super::find(from, document::format("md"))?;
        let pair = Pair {
            from,
            to: document::docling(),
            quality: "",
            options: &[],
        };
        let is_tree = TREE_CONVERTERS.contains(&known.converter.name);
        is_tree.then_some(Route {
            pair,
            converter: known.converter,
        })
    })
}

/// Office formats, whose packages keep their metadata in parts or streams of their own.
const OFFICE: [&str; 11] = [
    "docx", "odt", "doc", "xlsx", "xlsb", "ods", "xls", "pptx", "odp", "odg", "ppt",
];

/// Returns whether files of a format have metadata that can be read.
pub fn has_metadata(format: &Format) -> bool {
    match format.category {
        _ if OFFICE.contains(&format.name) => true,
        Category::Image => true,
        Category::Audio => cfg!(feature = "audio"),
        Category::Mail => cfg!(feature = "mail"),
        _ => cfg!(feature = "pdf") && format.name == "pdf",
    }
}

/// Returns whether files of a format may contain other files, which pictures and sound do not.
fn holds(format: &Format) -> bool {
    if format.category == Category::Mail {
        return cfg!(feature = "mail");
    }
    let is_alone = matches!(format.category, Category::Image | Category::Audio);
    cfg!(feature = "document") && !is_alone
}

fn convert(job: &Job<'_>, input: &mut dyn Input, output: &mut dyn Output) -> Result<Notes> {
    if *job.to == EMBEDDED {
        embedded(job, input, output)?;
        return Ok(Notes::default());
    }
    let about = about(job, input)?;
    serde_json::to_writer(output, &about).map_err(|err| Error::unwritten(err.into()))?;
    Ok(Notes::default())
}

fn about(job: &Job<'_>, input: &mut dyn Input) -> Result<Map<String, Value>> {
    match job.from.category {
        Category::Image => crate::image::about(job, input),
        #[cfg(feature = "audio")]
        Category::Audio => crate::audio::about(job, input),
        #[cfg(feature = "mail")]
        Category::Mail => crate::mail::about(job, input),
        #[cfg(feature = "document")]
        _ if OFFICE.contains(&job.from.name) => crate::office::wordprocessing::about(job, input),
        #[cfg(feature = "pdf")]
        Category::Document if job.from.name == "pdf" => {
            let file = convertd_pdf::read::file::open_as_is(job, input)?;
            match *job.to == BOOKMARKS {
                true => convertd_pdf::edit::about_with_bookmarks(job, &file),
                false => Ok(convertd_pdf::edit::about(job, &file)),
            }
        }
        _ => Err(Error::internal("no such conversion", job.to.name)),
    }
}

#[cfg_attr(not(feature = "document"), allow(unused_variables))]
fn embedded(job: &Job<'_>, input: &mut dyn Input, output: &mut dyn Output) -> Result<()> {
    match job.from.category {
        #[cfg(feature = "mail")]
        Category::Mail => crate::mail::embedded(job, input, output),
        #[cfg(feature = "document")]
        _ => crate::archive::embedded(job, input, output),
        #[cfg(not(feature = "document"))]
        _ => Err(Error::internal("no such conversion", job.to.name)),
    }
}
